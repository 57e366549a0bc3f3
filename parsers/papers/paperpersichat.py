"""PaperPersiChat's segmented papers: `segments[[id, text, title, section_type], …]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from .assembly import content_id, no_body_text
from .fields import id_of, one_line, text_of
from .model import Paper, Section, SectionType, Unread
from .section_types import Heading, carry_forward

FORMAT = "paperpersichat"

_TYPES: Mapping[str, SectionType] = {name: name for name in get_args(SectionType)}


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record has segments and a paper's keys."""
    return "segments" in record and ("paper_id" in record or "title" in record)


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper with the ids and types it states; a NaN title becomes an empty one.

    A segment without text is left out, its id with it. A type outside the seven
    is read from the heading instead.
    """
    if not isinstance(record["segments"], list):
        yield Unread("bad_record", "“segments” is not a list")
        return
    title = one_line(record.get("title"))
    rows = [row for row in record["segments"] if isinstance(row, list) and len(row) >= 4]
    if record["segments"] and not rows:
        yield Unread("bad_record", "no segment is a list of id, text, title and section type")
        return
    types = carry_forward(
        Heading(one_line(row[2]), fixed=_TYPES.get(text_of(row[3]))) for row in rows
    )
    kept = [
        (position, row, section_type)
        for position, (row, section_type) in enumerate(zip(rows, types, strict=True))
        if text_of(row[1]).strip()
    ]
    if not any(kind not in {"abstract", "acknowledgement"} for _, _, kind in kept):
        yield no_body_text(title)
        return
    paper_id = id_of(record.get("paper_id")) or content_id(
        title, (text_of(row[1]).strip() for _, row, _ in kept)
    )
    sections = tuple(
        Section(
            id_of(row[0]) or f"{paper_id}_{position}",
            one_line(row[2]),
            text_of(row[1]).strip(),
            section_type,
        )
        for position, row, section_type in kept
    )
    repeated = _first_repeated([section.id for section in sections])
    if repeated is not None:
        yield Unread("bad_record", f"two segments share the id {repeated}")
        return
    yield Paper(paper_id, title, sections, FORMAT)


def _first_repeated(ids: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for section_id in ids:
        if section_id in seen:
            return section_id
        seen.add(section_id)
    return None
