"""The S2ORC releases of 2019, 2020 and 2021, and CORD-19, which has the shape of 2021.

- 2019: `grobid_parse` beside `metadata`; no headings, one paragraph is a section.
- 2020: `_pdf_hash` beside `body_text`; title and year are in another file.
- 2021 and CORD-19: `metadata{title}` beside `body_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .assembly import Part, assemble, child_first, join_paragraphs
from .fields import id_of, one_line, text_of
from .model import Paper, Unread
from .s2orc_text import flat_heading, paragraphs

FORMAT = "s2orc-release"


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record is of a release, parsed text or metadata alone."""
    has_id = "paper_id" in record
    return has_id and not {"grobid_parse", "body_text", "has_pdf_parse"}.isdisjoint(record)


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper. A line of 2020 metadata has no text and is reported as such."""
    if "grobid_parse" not in record and "body_text" not in record:
        yield Unread("no_body_text", "metadata alone: give the file of pdf_parses instead")
        return
    parse = record.get("grobid_parse") or record.get("latex_parse") or record
    metadata = record.get("metadata")
    if not isinstance(parse, dict):
        yield Unread("bad_record", "the parse is not an object")
        return
    described = metadata if isinstance(metadata, dict) else record
    parts: list[Part] = [
        *paragraphs(parse.get("abstract"), "abstract", flat_heading),
        *paragraphs(parse.get("body_text"), "body", child_first),
        *paragraphs(parse.get("back_matter"), "back", child_first),
    ]
    if not any(part.text for part in parts if part.kind == "abstract"):
        stated = text_of(described.get("abstract")) or text_of(record.get("not_parsed_abstract"))
        # The metadata of 2020 writes ":::" for a line break.
        stated = stated.replace(" ::: ", "\n")
        parts.insert(0, Part("Abstract", stated, kind="abstract"))
    title = one_line(described.get("title"))
    yield assemble(FORMAT, id_of(record.get("paper_id")), title, join_paragraphs(parts))
