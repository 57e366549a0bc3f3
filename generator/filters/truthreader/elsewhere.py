"""Whether documents still answer a question once the one it was made from is taken away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from generator.filters.selfplay.question_words import CHINESE_QUESTION_CHARACTERS
from parsers.sentences import split_sentences
from parsers.text.content import content_units
from parsers.text.stems import stem

MIN_QUESTION_SHARE = 0.75
"""Share of the question's content units that two neighbouring sentences must have to be about it.
Own choice: of a question with four content words, a look-alike has three and lacks the name."""

MIN_ANSWER_UNITS = 2
"""Content units that the same two sentences must share with the gold sentences about the question,
beyond the question's own: what they answer with. Own choice: one may be chance."""

MAX_SAME_SHARE = 0.8
"""Share of the gold text's content units above which another document says the same."""

_ASKING = frozenset(
    "what how why which who whom whose when where please tell describe explain know give list name "
    "many much 什么 如何 怎么 哪些 多少 为什 请问 介绍 为何 怎样".split()
)


def answers_elsewhere(
    question: str, gold_text: str, documents: Sequence[tuple[str, str]]
) -> list[int]:
    """Positions, from 0, of the documents that answer `question` although the gold is withheld.

    `documents` are the (title, text) that are left. Lexical, in any inflection: a document is named
    when two neighbouring sentences of it (its title counts as the first) have most of the
    question's content and some of what the gold text says about it, or when it has most of the
    whole gold text. It may name a look-alike, which costs one draw; it misses a paraphrase.
    """
    asked = frozenset(unit for unit in _units(question) if unit not in _ASKING and not _seam(unit))
    gold = _units(gold_text)
    said = [_units(sentence) for sentence in split_sentences(gold_text)]
    answer = frozenset().union(*(units for units in said if units & asked)) - asked
    found: list[int] = []
    for index, (title, text) in enumerate(documents):
        pieces = [_units(piece) for piece in (title, *split_sentences(text))]
        whole = frozenset().union(*pieces)
        same = bool(gold) and len(gold & whole) > MAX_SAME_SHARE * len(gold)
        if same or (asked and any(_answers(asked, answer, pair) for pair in _pairs(pieces))):
            found.append(index)
    return found


def _answers(asked: frozenset[str], answer: frozenset[str], said: frozenset[str]) -> bool:
    if len(asked & said) < MIN_QUESTION_SHARE * len(asked):
        return False
    return len(answer & said) >= MIN_ANSWER_UNITS


def _pairs(pieces: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    return [one | other for one, other in pairwise(pieces)] or list(pieces)


def _units(text: str) -> frozenset[str]:
    return frozenset(map(stem, content_units(text)))


def _seam(unit: str) -> bool:
    """A pair of characters of which one only asks ("谁建" in 谁建造) is no word."""
    return len(unit) == 2 and not CHINESE_QUESTION_CHARACTERS.isdisjoint(unit)
