"""Papers as items: each eligible segment is one, everything else is skipped with a reason."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from generator.inputs import SourcedPaper, iter_papers
from generator.recipes.model import Item, Skipped
from parsers.segments import SectionRef, Segment, SegmentRule, select_segments

_ENCODE = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode


def segment_items(
    inputs: Sequence[str], rule: SegmentRule, *, begin: tuple[str, int | None] | None = None
) -> Iterator[Item | Skipped]:
    """Read papers lazily and give their segments, in input order.

    `begin` is the source and line of the first record that is read.
    """
    for met in iter_papers(inputs, begin=begin):
        if not isinstance(met, SourcedPaper):
            unread = met.unread
            yield Skipped(met.source, unread.line, None, unread.code, unread.detail)
            continue
        selection = select_segments(met.paper, rule)
        if selection.paper_skip is not None:
            skip = selection.paper_skip
            yield Skipped(met.source, met.line, met.paper.paper_id, skip.code, skip.detail)
        for segment in selection.skipped:
            yield Skipped(met.source, met.line, segment.id, segment.code, segment.detail)
        for chosen in selection.segments:
            content = segment_to_content(chosen)
            yield Item(content_key(content), chosen.id, met.source, met.line, content)


def content_key(content: dict[str, Any]) -> str:
    """The stable id of an item: SHA-256 (hex) of its canonical JSON."""
    return hashlib.sha256(_ENCODE(content).encode("ascii")).hexdigest()


def segment_to_content(segment: Segment) -> dict[str, Any]:
    """A segment as JSON: what the store keeps of an item."""
    return {
        "id": segment.id,
        "paper_id": segment.paper_id,
        "paper_title": segment.paper_title,
        "text": segment.text,
        "sections": [
            {"id": s.id, "title": s.title, "section_type": s.section_type} for s in segment.sections
        ],
    }


def segment_from_content(content: Any) -> Segment:
    """The segment that `segment_to_content` wrote."""
    return Segment(
        id=content["id"],
        paper_id=content["paper_id"],
        paper_title=content["paper_title"],
        text=content["text"],
        sections=tuple(
            SectionRef(s["id"], s["title"], s["section_type"]) for s in content["sections"]
        ),
    )
