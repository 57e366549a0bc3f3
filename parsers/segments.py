"""Segments: the stretches of consecutive sections that one dialogue is about.

The rule is PaperPersiChat's, as its published notebooks have it: the first two
sections make one group whatever their types; from the third on, consecutive
sections of one type make a group; inside a group texts are joined by newline
while the total stays under a budget of characters (3,500 for davinci, 4,000 for
ChatGPT). There the section that overflows is dropped (rule "original"); here it
starts the next segment (rule "carry"), so that nothing is lost or doubled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .papers.model import Paper, Section, SectionType

__all__ = [
    "SEGMENT_CODES",
    "PaperSkip",
    "SectionRef",
    "Segment",
    "SegmentRule",
    "Selection",
    "SkippedSegment",
    "segment_paper",
    "select_segments",
]

SEGMENT_CODES: Mapping[str, str] = MappingProxyType(
    {
        "too_few_sections": "The paper has fewer sections than the rule asks for.",
        "too_short": "The segment has fewer characters than the rule asks for.",
        "acknowledgement": "The segment ends in acknowledgements.",
    }
)
"""Why a paper or a segment is passed over. `docs/formats-in.md` says what to do."""


@dataclass(frozen=True, slots=True)
class SegmentRule:
    """How papers are cut and which segments are taken.

    Args:
        budget: characters (code points) a segment's text stays under, unless its
            first section alone is longer. Published: 3500 (davinci), 4000 (ChatGPT).
        min_chars: shorter segments are passed over. Published: 1000 and 1500.
        min_sections: papers with fewer sections are passed over. Published: 5.
        rule: "carry" loses nothing; "original" drops the section that overflows.
        per_paper: "all" segments, or "one" drawn at random as published.
        seed: of the draw; the same seed and paper give the same segment.

    Raises:
        ValueError: for a value no rule can have.
    """

    budget: int = 3500
    min_chars: int = 1000
    min_sections: int = 5
    rule: Literal["carry", "original"] = "carry"
    per_paper: Literal["all", "one"] = "all"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ValueError(f"budget must be at least 1 character, not {self.budget}")
        if self.min_chars < 0 or self.min_sections < 0:
            raise ValueError("min_chars and min_sections cannot be negative")
        if self.rule not in {"carry", "original"}:
            raise ValueError(f"rule must be carry or original, not {self.rule!r}")
        if self.per_paper not in {"all", "one"}:
            raise ValueError(f"per_paper must be all or one, not {self.per_paper!r}")


@dataclass(frozen=True, slots=True)
class SectionRef:
    """A section a segment is made of: an entry of `meta_segments` in the published records."""

    id: str
    title: str
    section_type: SectionType


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive sections; `id` is that of the first, `text` their texts joined by newline."""

    id: str
    paper_id: str
    paper_title: str
    text: str
    sections: tuple[SectionRef, ...]


@dataclass(frozen=True, slots=True)
class SkippedSegment:
    """A segment that was passed over, and why (a code of `SEGMENT_CODES`)."""

    id: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class PaperSkip:
    """A paper that was passed over as a whole, and why (a code of `SEGMENT_CODES`)."""

    id: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What a paper gives: segments taken, segments passed over, or why the paper is.

    With `per_paper="one"` only the drawn segment is accounted for.
    """

    segments: tuple[Segment, ...]
    skipped: tuple[SkippedSegment, ...] = ()
    paper_skip: PaperSkip | None = None


def segment_paper(paper: Paper, rule: SegmentRule) -> tuple[Segment, ...]:
    """Cut a paper into all its segments, in order, before any is passed over.

    Under "carry" the segments' sections, one after another, are exactly the
    paper's sections. A section is never cut.
    """
    return tuple(
        _joined(paper, chunk)
        for group in _groups(paper.sections)
        for chunk in _chunks(group, rule.budget, drop_overflow=rule.rule == "original")
    )


def select_segments(paper: Paper, rule: SegmentRule) -> Selection:
    """Cut a paper and take the segments the rule allows.

    As published there is no second draw: when the one drawn is passed over, the
    paper gives none.
    """
    if len(paper.sections) < max(rule.min_sections, 1):
        detail = f"{len(paper.sections)} sections, at least {rule.min_sections} are needed"
        return Selection((), paper_skip=PaperSkip(paper.paper_id, "too_few_sections", detail))
    segments = segment_paper(paper, rule)
    if rule.per_paper == "one":
        segments = (segments[_draw(len(segments), paper.paper_id, rule.seed)],)
    taken: list[Segment] = []
    skipped: list[SkippedSegment] = []
    for segment in segments:
        fault = _fault(segment, rule)
        if fault is None:
            taken.append(segment)
        else:
            skipped.append(fault)
    return Selection(tuple(taken), tuple(skipped))


def _groups(sections: Sequence[Section]) -> Iterator[Sequence[Section]]:
    if sections:
        yield sections[:2]
    start = 2
    for end in range(3, len(sections) + 1):
        if end == len(sections) or sections[end].section_type != sections[start].section_type:
            yield sections[start:end]
            start = end


def _chunks(
    group: Sequence[Section], budget: int, *, drop_overflow: bool
) -> Iterator[list[Section]]:
    chunk: list[Section] = []
    length = 0
    for section in group:
        # One for the newline; under the budget, not up to it, as published.
        if not chunk or length + 1 + len(section.text) < budget:
            length += len(section.text) + (1 if chunk else 0)
            chunk.append(section)
            continue
        yield chunk
        chunk, length = ([], 0) if drop_overflow else ([section], len(section.text))
    if chunk:
        yield chunk


def _joined(paper: Paper, sections: Sequence[Section]) -> Segment:
    return Segment(
        id=sections[0].id,
        paper_id=paper.paper_id,
        paper_title=paper.title,
        text="\n".join(section.text for section in sections),
        sections=tuple(SectionRef(s.id, s.title, s.section_type) for s in sections),
    )


def _fault(segment: Segment, rule: SegmentRule) -> SkippedSegment | None:
    if segment.sections[-1].section_type == "acknowledgement":
        title = segment.sections[-1].title
        return SkippedSegment(segment.id, "acknowledgement", f"its last section is “{title[:80]}”")
    if len(segment.text) < rule.min_chars:
        detail = f"{len(segment.text)} characters, at least {rule.min_chars} are needed"
        return SkippedSegment(segment.id, "too_short", detail)
    return None


def _draw(count: int, paper_id: str, seed: int) -> int:
    # From a hash, not from a generator: no order, position or state can change it.
    digest = hashlib.sha256(f"{seed}\0{paper_id}".encode()).digest()
    return int.from_bytes(digest[:16], "big") % count
