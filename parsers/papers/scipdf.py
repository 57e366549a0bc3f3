"""scipdf_parser's JSON: `sections[{heading, text}]`, text as a string or a list of strings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .assembly import Part, assemble
from .fields import lines_of, one_line, rows_of, text_of
from .model import Paper, Unread

FORMAT = "scipdf"

_BESIDE_SECTIONS = {"abstract", "title", "authors", "references", "figures", "pub_date"}


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record has scipdf's keys."""
    return "sections" in record and not _BESIDE_SECTIONS.isdisjoint(record)


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper. Its id comes from the content: scipdf's `doi` may be a reference's."""
    if not isinstance(record["sections"], list):
        yield Unread("bad_record", "“sections” is not a list")
        return
    parts = [Part("Abstract", lines_of(record.get("abstract")), kind="abstract")]
    parts.extend(
        Part(text_of(section.get("heading")), lines_of(section.get("text")))
        for section in rows_of(record["sections"])
    )
    yield assemble(FORMAT, "", one_line(record.get("title")), parts)
