"""Whether documents still answer a question once the one it was made from is taken away."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.citations.support import Document, unit_support
from parsers.sentences import split_sentences
from parsers.text.content import content_units

MIN_QUESTION_SHARE = 0.6
"""Share of the question's content units that a document must have to be about the question."""

MIN_ANSWER_SHARE = 0.6
"""Share of the content units, those of the question aside, of the gold sentence nearest to the
question, that a document must have to hold the answer. Own choice, like the other: two look-alikes
share the question's words; the same answer shares what the gold sentence adds to them."""

MAX_SAME_SHARE = 0.8
"""Share of the gold document's content units above which another one says the same."""

_ASKING = frozenset(
    "what how why which who whom whose when where please tell describe explain know 什么 如何 怎么 "
    "哪些 多少 为什 请问 介绍 为何 怎样".split()
)


def answers_elsewhere(
    question: str, gold_text: str, documents: Sequence[tuple[str, str]]
) -> list[int]:
    """Positions, from 0, of the documents that answer `question` although the gold is withheld.

    `documents` are the (title, text) that are left. Lexical: a document is named when it has most
    of the question's content and most of what the gold's best sentence adds to it, or most of the
    whole gold text. It may name a look-alike, which costs one draw; it misses a paraphrase.
    """
    asked = content_units(question) - _ASKING
    gold = content_units(gold_text)
    key = _key_units(asked, gold_text)
    found: list[int] = []
    for index, (title, text) in enumerate(documents):
        document = Document(title, text)
        about = bool(asked) and unit_support(asked, [document]) >= MIN_QUESTION_SHARE
        if (about and key and unit_support(key, [document]) >= MIN_ANSWER_SHARE) or (
            gold and unit_support(gold, [document]) > MAX_SAME_SHARE
        ):
            found.append(index)
    return found


def _key_units(asked: frozenset[str], gold_text: str) -> frozenset[str]:
    """What the gold sentence with most of the question's units adds to the question."""
    best: frozenset[str] = frozenset()
    most = 0
    for sentence in split_sentences(gold_text):
        units = content_units(sentence)
        shared = len(units & asked)
        if shared > most and units - asked:
            most, best = shared, units - asked
    return best
