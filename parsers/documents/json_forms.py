"""One JSON record as documents, by its keys: titled text, records of two shapes, papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from parsers.papers.fields import list_of, mapping_of, one_line, text_of
from parsers.papers.reading import is_paper, read_record
from parsers.segments import SegmentRule

from .from_papers import documents_of_papers
from .model import DocumentSkip, TitledDocument

_TEXT_KEYS = ("document", "text")


def documents_of_value(value: object, rule: SegmentRule) -> Iterator[TitledDocument | DocumentSkip]:
    """The documents of one JSON value; keys that are not needed are passed over."""
    if isinstance(value, dict):
        if "documents" in value and "question" in value:
            yield from _of_truthreader(value)
            return
        if "meta_paper" in value and "text" in value:
            yield _of_dialogue(value)
            return
        if "document" not in value and not is_paper(value) and "text" in value:
            yield _titled(value.get("title"), value["text"])
            return
        if "document" in value:
            yield _titled(value.get("title"), value["document"])
            return
    yield from documents_of_papers(read_record(value), rule)


def _of_truthreader(record: Mapping[str, Any]) -> Iterator[TitledDocument | DocumentSkip]:
    """The documents of a question-answering record; they were chosen to be alike, not one text."""
    for entry in list_of(record["documents"]):
        fields = mapping_of(entry)
        yield _titled(fields.get("title"), fields.get("document"))


def _of_dialogue(record: Mapping[str, Any]) -> TitledDocument | DocumentSkip:
    """The segment of a PaperPersiChat record, titled by its paper and first named section."""
    paper = mapping_of(record["meta_paper"])
    sections = (mapping_of(entry) for entry in list_of(record.get("meta_segments")))
    section = next((title for s in sections if (title := one_line(s.get("title")))), "")
    title = ": ".join(part for part in (one_line(paper.get("title")), section) if part)
    found = _titled(title, record["text"])
    if isinstance(found, DocumentSkip):
        return found
    return TitledDocument(found.title, found.text, text_of(paper.get("paper_id")))


def _titled(title: object, text: object) -> TitledDocument | DocumentSkip:
    if not isinstance(text, str):
        return DocumentSkip("bad_record", f"“{_TEXT_KEYS[0]}” or “{_TEXT_KEYS[1]}” is not a text")
    body = text_of(text).replace("\r\n", "\n").replace("\r", "\n").strip()
    if not any(map(str.isalnum, body)):
        return DocumentSkip("empty_document", f"no text below the title “{one_line(title)[:80]}”")
    return TitledDocument(one_line(title), body)
