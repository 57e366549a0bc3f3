"""s2orc-doc2json output: `pdf_parse`, `jats_parse` or `latex_parse` in one envelope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .assembly import Part, assemble, child_first, join_paragraphs, parent_first
from .fields import id_of, one_line, text_of
from .model import Paper, Unread
from .s2orc_text import SplitHeading, flat_heading, paragraphs

FORMAT = "s2orc-doc2json"

_PARSES: Mapping[str, SplitHeading] = {
    "pdf_parse": flat_heading,
    "jats_parse": child_first,
    "latex_parse": parent_first,
}


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record holds one of doc2json's three parses."""
    return any(name in record for name in _PARSES)


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper of the first parse that is filled."""
    for name, split_heading in _PARSES.items():
        parse = record.get(name)
        if parse is None:
            continue
        if not isinstance(parse, dict):
            yield Unread("bad_record", f"“{name}” is not an object")
            return
        parts: list[Part] = [
            *paragraphs(parse.get("abstract"), "abstract", flat_heading),
            *paragraphs(parse.get("body_text"), "body", split_heading),
            *paragraphs(parse.get("back_matter"), "back", split_heading),
        ]
        if not any(part.text for part in parts if part.kind == "abstract"):
            parts.insert(0, Part("Abstract", text_of(record.get("abstract")), kind="abstract"))
        paper_id = id_of(record.get("paper_id"), parse.get("paper_id"))
        yield assemble(FORMAT, paper_id, one_line(record.get("title")), join_paragraphs(parts))
        return
    yield Unread("no_body_text", "none of pdf_parse, jats_parse and latex_parse is filled")
