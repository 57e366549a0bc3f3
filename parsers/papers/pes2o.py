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
_ENDINGS = ".?!:;,。？！：；，"


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
        parts.extend(_run_on_sections(section) if "\n\n" not in section else [_section(section)])
    yield assemble(FORMAT, id_of(record.get("id")), one_line(title), parts)


def _section(section: str) -> Part:
    heading, _, body = section.partition("\n")
    if body and len(heading) <= _LONGEST_HEADING:
        return Part(heading, _paragraphs(body))
    return Part("", _paragraphs(section))


def _run_on_sections(block: str) -> Iterator[Part]:
    """Part a block without blank lines, as the data set's script writes them.

    There a paragraph is one long line, and a short one before it is its heading.
    """
    lines = [line.strip() for line in block.split("\n")]
    heading = ""
    body: list[str] = []
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if _is_heading(line, below):
            yield Part(heading, "\n".join(body))
            heading, body = line, []
        else:
            body.append(line)
    yield Part(heading, "\n".join(body))


def _is_heading(line: str, below: str) -> bool:
    return 0 < len(line) <= _LONGEST_HEADING and len(below) > len(line) and line[-1] not in _ENDINGS


def _paragraphs(text: str) -> str:
    return _PARAGRAPH_BREAK.sub("\n", text).strip()
