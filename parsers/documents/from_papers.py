"""Papers as documents: each segment is one, titled by its paper and its section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from parsers.papers.model import Paper, Unread
from parsers.segments import Segment, SegmentRule, select_segments

from .model import DocumentSkip, TitledDocument


def documents_of_papers(
    papers: Iterable[Paper | Unread], rule: SegmentRule
) -> Iterator[TitledDocument | DocumentSkip]:
    """The segments of papers, and what the rule passes over."""
    for paper in papers:
        if isinstance(paper, Unread):
            yield DocumentSkip(paper.code, paper.detail, paper.line)
            continue
        selection = select_segments(paper, rule)
        if selection.paper_skip is not None:
            skip = selection.paper_skip
            yield DocumentSkip(skip.code, skip.detail, id=skip.id)
        for passed in selection.skipped:
            yield DocumentSkip(passed.code, passed.detail, id=passed.id)
        for segment in selection.segments:
            yield TitledDocument(_title(segment), segment.text.strip(), paper.paper_id)


def _title(segment: Segment) -> str:
    """ "Paper: Section", or what there is of both."""
    section = next((ref.title for ref in segment.sections if ref.title), "")
    return ": ".join(part for part in (segment.paper_title, section) if part)
