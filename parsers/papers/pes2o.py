"""peS2o JSON lines: one text with title, abstract and headings on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .assembly import Part, assemble, no_body_text
from .fields import id_of, one_line, text_of
from .model import Paper, Unread

FORMAT = "pes2o"

_SECTION_BREAK = re.compile(r"\n{3,}")
_PARAGRAPH_BREAK = re.compile(r"\n+")
_LONGEST_HEADING = 150


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record has peS2o's keys."""
    return {"id", "source", "text"} <= record.keys() and not {"added", "version"}.isdisjoint(record)


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper: title and abstract first, then sections parted by two blank lines.

    Records of the `s2ag` source hold title and abstract alone.
    """
    text = text_of(record.get("text")).strip("\n")
    opening, *sections = _SECTION_BREAK.split(text)
    title, _, abstract = opening.partition("\n")
    if not sections or text_of(record.get("source")).startswith("s2ag"):
        yield no_body_text(one_line(title))
        return
    parts = [Part("Abstract", _paragraphs(abstract), kind="abstract")]
    for section in sections:
        heading, _, body = section.partition("\n")
        if body and len(heading) <= _LONGEST_HEADING:
            parts.append(Part(heading, _paragraphs(body)))
        else:
            parts.append(Part("", _paragraphs(section)))
    yield assemble(FORMAT, id_of(record.get("id")), one_line(title), parts)


def _paragraphs(text: str) -> str:
    return _PARAGRAPH_BREAK.sub("\n", text).strip()
