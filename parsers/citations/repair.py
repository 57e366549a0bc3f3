"""A marker that is missing or wrong, set to the document that clearly supports the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parsers.citations.connective import is_connective
from parsers.citations.edits import Edit, EditedText
from parsers.citations.model import CitationGroup, Repair, Repaired
from parsers.citations.reading import answer_spans, citation_groups
from parsers.citations.refusal import is_refusal, says_missing
from parsers.citations.support import Document, unit_support
from parsers.citations.surroundings import CLOSERS, SENTENCE_ENDS
from parsers.text.content import content_units

MIN_SUPPORT = 0.6
"""Share of a sentence's content units that the document must have. WebGLM's code asks for 0.75 of
the words without stop words; pairs of Chinese characters are matched less often than words."""

MIN_MARGIN = 0.2
"""How much more that must be than any other document's share. WebGLM adds 0.3 in all to the
documents that are cited already, which is the same in the other direction."""

_FEWEST_UNITS = 3
"""Content units of a stretch that is judged at all."""


def repair_citations(
    text: str,
    documents: Sequence[tuple[str, str]],
    *,
    min_support: float = MIN_SUPPORT,
    min_margin: float = MIN_MARGIN,
) -> Repaired:
    """Give each sentence without a marker, or with a wrong one, the marker it should have.

    `documents` are (title, text). A sentence without a marker gets the one document that has at
    least `min_support` of its content units and `min_margin` more than any other; a marker is
    exchanged when another document is better than its own by the same measure. A number that no
    document has is dropped from a group with others, and so is one whose document has less than a
    quarter of the units that another of the group has. Where no document is clearly the best,
    nothing changes: no support is invented. Refusals, sentences that say what is missing, and
    sentences that claim nothing ("In summary:") are left alone.
    """
    if is_refusal(text):
        return Repaired(text, (), ())
    read = [Document(title, body) for title, body in documents]
    groups = citation_groups(text)
    edits: list[Edit] = []
    repairs: list[Repair] = []
    at = 0
    for start, end in answer_spans(text):
        own: list[CitationGroup] = []
        while at < len(groups) and groups[at].start < end:
            own.append(groups[at])
            at += 1
        sentence = text[start:end]
        if is_connective(sentence) or says_missing(sentence):
            continue
        for stretch in _stretches(text, start, end, own):
            said = text[stretch.start : stretch.end]
            found = _better(said, stretch.old, read, min_support, min_margin)
            if found is None:
                continue
            new, best, margin = found
            markers = "".join(f"[{number}]" for number in new)
            edits.append(Edit(stretch.at, stretch.until, markers))
            repairs.append(Repair((stretch.start, stretch.end), stretch.old, new, best, margin))
    edited = EditedText(text)
    edited.apply(edits)
    return Repaired(edited.text, edited.changes(), tuple(repairs))


class _Stretch(NamedTuple):
    """Words that one marker is to vouch for, and the place of that marker."""

    start: int
    end: int
    old: tuple[int, ...]
    at: int
    until: int


def _stretches(text: str, start: int, end: int, own: Sequence[CitationGroup]) -> list[_Stretch]:
    if not own:
        close = _closing_mark(text, start, end)
        return [_Stretch(start, close, (), close, close)]
    stretches: list[_Stretch] = []
    for group in own:
        stretches.append(
            _Stretch(start, max(start, group.start), group.numbers, group.start, group.end)
        )
        start = group.end
    return stretches


def _better(
    said: str,
    old: tuple[int, ...],
    documents: Sequence[Document],
    min_support: float,
    min_margin: float,
) -> tuple[tuple[int, ...], float, float] | None:
    """The numbers that should stand instead of `old`, their support and margin, or None."""
    within = tuple(number for number in old if 1 <= number <= len(documents))
    units = content_units(said)
    if len(units) >= _FEWEST_UNITS and documents:
        shares = [unit_support(units, [document]) for document in documents]
        best = max(range(len(shares)), key=lambda index: shares[index])
        others = [share for index, share in enumerate(shares) if index != best]
        margin = shares[best] - max(others, default=0.0)
        cited = unit_support(units, [documents[number - 1] for number in within])
        if shares[best] >= min_support and margin >= min_margin:
            if best + 1 not in within and shares[best] - cited >= min_margin:
                return (best + 1,), round(shares[best], 4), round(margin, 4)
            kept = tuple(n for n in within if shares[n - 1] >= shares[best] / 4)
            if best + 1 in within and kept != old:
                return kept, round(shares[best], 4), round(margin, 4)
    if within and within != old:
        shares = [unit_support(units, [documents[number - 1] for number in within])]
        return within, round(shares[0], 4), 0.0
    return None


def _closing_mark(text: str, start: int, end: int) -> int:
    position = end
    while (
        position > start and text[position - 1] in CLOSERS and text[position - 1] not in ")]）］】"
    ):
        position -= 1
    marks = position
    while position > start and text[position - 1] in SENTENCE_ENDS:
        position -= 1
    return end if position == marks else position
