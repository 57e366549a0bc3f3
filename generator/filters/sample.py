"""What the filters look at: one dialogue with its source text, tokenised once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from generator.filters.model import Span
from generator.filters.once import once
from parsers.dialogue.model import Dialogue
from parsers.text.content import TextView, views
from parsers.text.known import known_among, lacking_in
from parsers.text.reference import ReferenceText
from parsers.text.refusals import is_not_enough_information, may_lack_answer


class Pair(NamedTuple):
    """A question and the answer after it; the numbers are positions among the turns, from 0."""

    question: TextView
    answer: TextView
    question_index: int
    answer_index: int
    answer_is_missing: bool
    """The answer says that the text does not hold it."""


@dataclass(frozen=True)
class DialogueSample:
    """A parsed dialogue, its segment `text`, and how it came about.

    `raw` is the text that the turns' spans point into ("" when there is none,
    as in self-play). `finish_reason` is the server's word for the last call.
    `example` is the few-shot example, `instruction` the prompt's wording; build
    them once a run with `ReferenceText.of` and share them between samples.
    """

    text: str
    dialogue: Dialogue
    lang: str = "en"
    raw: str = ""
    finish_reason: str | None = None
    example: ReferenceText | None = None
    instruction: ReferenceText | None = None

    @once
    def views(self) -> list[TextView]:
        """The summary's view, then one a turn, in order."""
        return views([self.dialogue.summary, *[turn.text for turn in self.dialogue.turns]])

    @once
    def summary(self) -> TextView:
        return self.views[0]

    @once
    def turns(self) -> list[TextView]:
        """One view a turn, in order."""
        return self.views[1:]

    @once
    def texts(self) -> list[tuple[int | None, TextView]]:
        """The summary (position None) and every turn with its position."""
        return [(None, self.summary), *enumerate(self.turns)]

    @once
    def turn_tokens(self) -> list[str]:
        """The tokens of all turns, one after another."""
        return list(chain.from_iterable([seen.tokens for seen in self.turns]))

    @once
    def turn_words(self) -> frozenset[str]:
        """The different tokens of all turns."""
        return frozenset(self.turn_tokens)

    @once
    def joined(self) -> str:
        """Summary and turns in one line: what is not in it is in none of them."""
        return " ".join([self.dialogue.summary, *[turn.text for turn in self.dialogue.turns]])

    @once
    def known(self) -> frozenset[str]:
        """The content units of summary and turns that the segment has as well."""
        return known_among(frozenset().union(*[seen.content for seen in self.views]), self.text)

    @once
    def unsupported(self) -> frozenset[str]:
        """The content units of summary and answers that the segment lacks: few in most dialogues.

        Of the other turns there are those units that the example has as well: of the example's
        that stand in the dialogue, what the segment lacks is all here.
        """
        looked_for = [pair.answer.content for pair in self.pairs]
        if self.example is not None:
            of_example = self.example.content
            looked_for += [of_example & seen.content for seen in self.turns]
        return lacking_in(self.summary.content.union(*looked_for), self.text)

    @once
    def questions(self) -> list[tuple[int, TextView]]:
        """Person turns with their positions."""
        turns, views = self.dialogue.turns, self.turns
        return [(i, views[i]) for i, turn in enumerate(turns) if turn.speaker == "person"]

    @once
    def pairs(self) -> list[Pair]:
        """Every person turn that a bot turn follows at once."""
        turns, views, lang = self.dialogue.turns, self.turns, self.lang
        pairs: list[Pair] = []
        for i, question in self.questions:
            if i + 1 < len(turns) and turns[i + 1].speaker == "bot":
                answer = views[i + 1]
                missing = may_lack_answer(answer, lang) and is_not_enough_information(
                    answer.text, lang
                )
                pairs.append(Pair(question, answer, i, i + 1, missing))
        return pairs

    @once
    def missing_answers(self) -> frozenset[int]:
        """Positions of the answers that say the text does not hold the answer."""
        return frozenset(pair.answer_index for pair in self.pairs if pair.answer_is_missing)

    def place(self, index: int | None, start: int = 0, end: int | None = None) -> Span | None:
        """Where part of a turn's text stands in `raw`; `index` None is the summary.

        The whole turn's place when the turn's text is not found there letter
        by letter (a label or markup was taken out of it), None when it is unknown.
        """
        if index is None:
            text, span = self.dialogue.summary, self.dialogue.summary_span
        else:
            text, span = self.dialogue.turns[index].text, self.dialogue.turns[index].span
        if span is None or (start == 0 and end is None):
            return span
        if self.raw[span[0] : span[1]] != text:
            return span
        return span[0] + start, span[1] if end is None else span[0] + end


def place_name(index: int | None) -> str:
    """How a reason's detail calls a place: turns are counted from 1, as a reader does."""
    return "the summary" if index is None else f"turn {index + 1}"
