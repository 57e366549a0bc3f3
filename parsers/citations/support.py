"""How much of a stretch of an answer a document says: with all words, and with content alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from parsers.text.content import content_units, known_units
from parsers.text.tokens import tokens

LOW, HIGH = 0.30, 0.65
"""The bounds of TruthReader's application: red below the first, green from the second on."""


class Document:
    """One document, read once: what it says, as tokens with their counts and as content units."""

    __slots__ = ("counts", "units")

    def __init__(self, title: str, text: str) -> None:
        whole = f"{title}\n{text}" if title else text
        self.counts = Counter(tokens(whole))
        self.units = known_units(whole)


def support(span: str, document: str) -> float:
    """ROUGE-1 precision: the share of the span's tokens that the document has, 0 to 1.

    A token is an alphanumeric word or one CJK character; one that the span says twice must stand
    twice in the document. The factual score that TruthReader's application colours at 0.30 and
    0.65. 0 when the span has no token. Common words alone reach about 0.5.
    """
    return token_support(span, [Document("", document)])


def content_support(span: str, document: str) -> float:
    """The share of the span's different content units that the document has, 0 to 1.

    Without function words, and in pairs of characters where words are not spaced, so that
    documents that say nothing of the span get little. 0 when the span has no content.
    """
    return unit_support(content_units(span), [Document("", document)])


def token_support(span: str, documents: Sequence[Document]) -> float:
    """`support` by several documents together."""
    said = Counter(tokens(span))
    total = said.total()
    if not total:
        return 0.0
    known = _together(documents)
    return sum(min(count, known[token]) for token, count in said.items()) / total


def unit_support(units: frozenset[str], documents: Iterable[Document]) -> float:
    """`content_support` of content units by several documents together."""
    if not units:
        return 0.0
    missing = units
    for document in documents:
        missing = missing - document.units
    return 1 - len(missing) / len(units)


def _together(documents: Sequence[Document]) -> Counter[str]:
    if len(documents) == 1:
        return documents[0].counts
    known: Counter[str] = Counter()
    for document in documents:
        known.update(document.counts)
    return known
