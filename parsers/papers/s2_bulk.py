"""Semantic Scholar's bulk data "s2orc" (`content`) and "s2orc_v2" (`body`).

One text and annotations over it: spans with 0-based, end-exclusive offsets in
code points. Each list of spans is a JSON string, or decoded in some copies.
Paragraphs have no link to their heading: the last heading that ends before a
paragraph is its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .assembly import Part, assemble, join_paragraphs
from .fields import id_of, mapping_of, one_line, rows_of, text_of
from .model import Paper, Unread

FORMAT = "s2orc-bulk"


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    number: str | None


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record has the bulk data's id and one of its two text fields."""
    return "corpusid" in record and ("content" in record or "body" in record)


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper; spans outside of the text are left out."""
    content = mapping_of(record.get("content") or record.get("body"))
    raw = content.get("text")
    text = raw if isinstance(raw, str) else ""
    annotations = mapping_of(content.get("annotations"))
    abstract = _spans(annotations, text, "abstract")
    entries = _spans(annotations, text, "bibentry", "bib_entry")
    headers = _spans(annotations, text, "sectionheader", "section_header")
    parts = [Part("Abstract", text_of(text[s.start : s.end]), kind="abstract") for s in abstract]
    at = 0
    heading, number = "", None
    for paragraph in _spans(annotations, text, "paragraph"):
        while at < len(headers) and headers[at].end <= paragraph.start:
            heading = one_line(text[headers[at].start : headers[at].end])
            number = headers[at].number
            parts.append(Part(heading, "", number=number))
            at += 1
        if not any(_overlap(paragraph, other) for other in (*abstract, *entries)):
            body = text_of(text[paragraph.start : paragraph.end])
            parts.append(Part(heading, body, number=number))
    title = one_line(record.get("title"))
    if not title:
        title = next((text[s.start : s.end] for s in _spans(annotations, text, "title")), "")
    yield assemble(FORMAT, id_of(record.get("corpusid")), title, join_paragraphs(parts))


def _spans(annotations: Mapping[str, Any], text: str, *names: str) -> list[_Span]:
    value = next((annotations[name] for name in names if annotations.get(name)), None)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    found: list[_Span] = []
    for row in rows_of(value):
        start, end = _offset(row.get("start")), _offset(row.get("end"))
        if 0 <= start < end <= len(text):
            number = id_of(mapping_of(row.get("attributes")).get("n")) or None
            found.append(_Span(start, end, number))
    return sorted(found, key=lambda span: (span.start, span.end))


def _offset(value: object) -> int:
    """Give an offset, some copies have it as a string; -1 is none."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 12:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _overlap(one: _Span, other: _Span) -> bool:
    return one.start < other.end and other.start < one.end
