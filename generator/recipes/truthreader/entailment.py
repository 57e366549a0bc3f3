"""What the judge is asked, and what its answers say: citation recall and precision as in ALCE.

Gao et al. 2023 ("Enabling Large Language Models to Generate Text with
Citations"): a sentence is recalled when the passages it cites entail it
together; a marker is precise when its passage entails the sentence alone, or
when without it the others no longer do. A sentence that cites nothing is not
recalled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.recipes.truthreader.course import without_markers
from parsers.citations import answer_sentences, is_connective
from parsers.utterance import Utterance, parse_utterance


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer without its markers, and the documents that these named."""

    text: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One question to the judge: do these documents (numbers from 1) together entail this?"""

    statement: str
    documents: tuple[int, ...]


Verdicts = Mapping[Check, bool | None]
"""What the judge said: None for an answer that is neither yes nor no."""

_YES = re.compile(r"(?:yes|true|supported|entailed|是的?|能|可以|支持|成立|对)$")
_NO = re.compile(
    r"(?:no|false|not supported|unsupported|not entailed|不是?|否|不能|不可以|不支持|不成立|不对)$"
)
_FIRST = re.compile(r"[\s\"'“”‘’*_`#「」『』(\[（【]*([^.,;:!?。，；：！？、\n*_\"”」』）)\]】]+)")


def read_verdict(raw: str) -> bool | None:
    """Yes or no as the judge's first words say it, in English or Chinese; None for neither.

    Strict: what follows the first mark is a reason, and is not searched for other words.
    """
    said = parse_utterance(raw, "bot")
    if not isinstance(said, Utterance):
        return None
    first = _FIRST.match(said.text)
    if first is None:
        return None
    word = first[1].strip().lower()
    if _YES.match(word):
        return True
    return False if _NO.match(word) else None


def statements_of(answer: str, documents: int) -> tuple[Statement, ...]:
    """The sentences of an answer in the published form; numbers out of range are left out.

    Sentences that claim nothing ("In summary:") are left out where they cite nothing.
    """
    return tuple(
        Statement(
            without_markers(sentence.text),
            tuple(number for number in sentence.numbers if 1 <= number <= documents),
        )
        for sentence in answer_sentences(answer)
        if sentence.numbers or not is_connective(sentence.text)
    )


def next_check(sentences: Sequence[Statement], verdicts: Verdicts) -> Check | None:
    """The first check that is still wanted, given what the judge has said."""
    return next((check for check in _wanted(sentences, verdicts) if check not in verdicts), None)


def _wanted(sentences: Sequence[Statement], verdicts: Verdicts) -> Iterator[Check]:
    for sentence in sentences:
        if not sentence.numbers:
            continue
        together = Check(sentence.text, sentence.numbers)
        yield together
        if not verdicts.get(together) or len(sentence.numbers) == 1:
            continue
        for number in sentence.numbers:
            alone = Check(sentence.text, (number,))
            yield alone
            if not verdicts.get(alone):
                yield Check(sentence.text, _without(sentence.numbers, number))


@dataclass(frozen=True, slots=True)
class Entailment:
    """Shares from 0 to 1 over the sentences and markers that were judged.

    `agreement` is how often the judge and the lexical measure say the same of a
    cited sentence. None where there is nothing to count.
    """

    recall: float | None
    precision: float | None
    agreement: float | None
    judged: int
    unclear: int


def entailment(
    sentences: Sequence[Statement], verdicts: Verdicts, lexical: Mapping[str, bool]
) -> Entailment:
    """What the verdicts say of an answer; `lexical` says of a sentence what the words say."""
    recalled: list[bool] = []
    precise: list[bool] = []
    agreed: list[bool] = []
    unclear = sum(verdict is None for verdict in verdicts.values())
    for sentence in sentences:
        if not sentence.numbers:
            recalled.append(False)
            continue
        together = verdicts.get(Check(sentence.text, sentence.numbers))
        if together is None:
            continue
        recalled.append(together)
        if sentence.text in lexical:
            agreed.append(lexical[sentence.text] == together)
        for number in sentence.numbers:
            found = together and _is_needed(sentence, number, verdicts)
            if found is not None:
                precise.append(found)
    return Entailment(_share(recalled), _share(precise), _share(agreed), len(recalled), unclear)


def _is_needed(sentence: Statement, number: int, verdicts: Verdicts) -> bool | None:
    if len(sentence.numbers) == 1:
        return True
    alone = verdicts.get(Check(sentence.text, (number,)))
    if alone is None or alone:
        return alone
    rest = verdicts.get(Check(sentence.text, _without(sentence.numbers, number)))
    return None if rest is None else not rest


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(other for other in numbers if other != number)


def _share(found: Sequence[bool]) -> float | None:
    return round(sum(found) / len(found), 4) if found else None
