"""From a stream to titled documents: known by content, whatever the file is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from parsers.papers.content import Content, WrongEncoding
from parsers.papers.detection import detect_kind
from parsers.papers.fields import clean
from parsers.papers.json_records import Record, records
from parsers.papers.model import Unread
from parsers.papers.reading import MAX_RECORD_BYTES, read_xml
from parsers.segments import SegmentRule

from .from_papers import documents_of_papers
from .json_forms import documents_of_value
from .model import DocumentSkip, TitledDocument
from .text_files import document_of_text


def read_documents(
    stream: BinaryIO,
    *,
    name: str = "",
    rule: SegmentRule | None = None,
    max_record_bytes: int = MAX_RECORD_BYTES,
) -> Iterator[TitledDocument | DocumentSkip]:
    """Read every document of a stream, lazily and in order.

    JSON (lines, an array, one object; gzip too) is read record by record: titled
    documents (`title` and `document` or `text`), records of the TruthReader and
    PaperPersiChat shapes, and papers, whose segments by `rule` are the documents.
    XML is read as papers. Any other text is one document.

    Args:
        stream: binary; read once, never sought or closed.
        name: the file's name: a title where the text has none, and for messages.
        rule: how papers are cut; by default `SegmentRule()`.
        max_record_bytes: a line, document or text larger than this is not read.

    Yields:
        A `TitledDocument`, or a `DocumentSkip` with a code of `DOCUMENT_CODES`,
        `READ_CODES` or `SEGMENT_CODES`. Nothing in the content raises.
    """
    cut = rule or SegmentRule()
    content: Content | None = None
    try:
        content = Content(stream)
        yield from _read(content, name, cut, max_record_bytes)
    except WrongEncoding as error:
        yield DocumentSkip("bad_encoding", f"the content is not the {error} it promises to be")
    if content is not None and content.torn:
        yield DocumentSkip(
            "torn_gzip", "the gzip stream is cut off or damaged; fetch the file again"
        )


def _read(
    content: Content, name: str, rule: SegmentRule, limit: int
) -> Iterator[TitledDocument | DocumentSkip]:
    kind = detect_kind(content.head, name)
    if isinstance(kind, Unread):
        yield skip_of(kind)
    elif kind == "json":
        yield from _read_json(content, rule, limit)
    else:
        data = content.whole(limit)
        if data is None:
            yield DocumentSkip("too_large", f"larger than {limit} bytes, the limit of one record")
        elif content.torn:
            return
        elif not data.strip():
            yield DocumentSkip("empty_input", f"{name or 'the input'} is empty")
        elif kind == "xml":
            yield from documents_of_papers(read_xml(data, content.reencoded), rule)
        else:
            yield _read_text(data, name)


def _read_json(
    content: Content, rule: SegmentRule, limit: int
) -> Iterator[TitledDocument | DocumentSkip]:
    for record in records(content.lines(limit), limit):
        if isinstance(record, Record):
            for one in documents_of_value(record.value, rule):
                if record.item is not None and isinstance(one, DocumentSkip):
                    one = replace(one, detail=f"item {record.item} of the list: {one.detail}")
                yield replace(one, line=record.line)
        elif not (content.torn and record.code == "torn_line"):
            yield skip_of(record)


def _read_text(data: bytes, name: str) -> TitledDocument | DocumentSkip:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        detail = f"{name or 'the input'} is not valid UTF-8: save it as UTF-8"
        return DocumentSkip("bad_encoding", detail, line)
    text = clean(text).replace("\r\n", "\n").replace("\r", "\n")
    return document_of_text(text, name.rpartition(".")[0] or name)


def skip_of(unread: Unread) -> DocumentSkip:
    """What the paper readers could not read, as a document reader says it."""
    return DocumentSkip(unread.code, unread.detail, unread.line)
