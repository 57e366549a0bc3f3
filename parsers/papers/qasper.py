"""QASPER's document side: one paper a record, or one object of papers keyed by arXiv id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .assembly import Part, assemble, parent_first
from .fields import id_of, lines_of, one_line, rows_of, text_of
from .model import Paper, Unread

FORMAT = "qasper"


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record, or the first of the records in it, has QASPER's `full_text`."""
    first = next(iter(record.values()), None)
    return _is_paper(record) or (isinstance(first, dict) and _is_paper(first))


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper or papers; sections as a list, or as the loader's columns."""
    if _is_paper(record):
        yield _one(id_of(record.get("id"), record.get("paper_id")), record)
        return
    for key, paper in record.items():
        if isinstance(paper, dict):
            yield _one(id_of(key), paper)
        else:
            yield Unread("bad_record", f"paper “{id_of(key)[:80]}” is not an object")


def _is_paper(record: Mapping[str, Any]) -> bool:
    return "full_text" in record and not isinstance(record["full_text"], str)


def _one(paper_id: str, paper: Mapping[str, Any]) -> Paper | Unread:
    parts = [Part("Abstract", text_of(paper.get("abstract")), kind="abstract")]
    for row in rows_of(paper.get("full_text")):
        title, parents = parent_first(one_line(row.get("section_name")))
        parts.append(Part(title, lines_of(row.get("paragraphs")), parents))
    return assemble(FORMAT, paper_id, one_line(paper.get("title")), parts)
