"""From a stream to papers: what it is, which reader understands it, what is at fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Protocol

from . import (
    doc2json,
    jats,
    markdown,
    paperpersichat,
    pes2o,
    plain_text,
    qasper,
    s2_bulk,
    s2orc_releases,
    scipdf,
    summarization,
    tei,
    unarxive,
)
from .content import Content, WrongEncoding
from .detection import detect_kind
from .fields import clean, one_line
from .json_records import Record, records
from .model import Paper, Unread
from .xml_document import local_name, parse_xml


class JsonReader(Protocol):
    """What each module of a JSON format offers."""

    FORMAT: str

    def matches(self, record: Mapping[str, Any]) -> bool: ...

    def read(self, record: Mapping[str, Any]) -> Iterator[Paper | Unread]: ...


# The first that matches reads; the more particular keys stand before the more common.
_JSON_READERS: tuple[JsonReader, ...] = (
    unarxive,
    s2_bulk,
    summarization,
    s2orc_releases,
    doc2json,
    paperpersichat,
    qasper,
    scipdf,
    pes2o,
)
_XML_READERS = (tei, jats)

FORMATS: tuple[str, ...] = (
    *(reader.FORMAT for reader in _JSON_READERS),
    *(reader.FORMAT for reader in _XML_READERS),
    markdown.FORMAT,
    plain_text.FORMAT,
)
"""The names `Paper.format` can have."""

MAX_RECORD_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LocatedPaper:
    """A paper and the 1-based line its record began on; None where it is the whole content."""

    paper: Paper
    line: int | None = None


def read_papers(
    stream: BinaryIO, *, name: str = "", max_record_bytes: int = MAX_RECORD_BYTES
) -> Iterator[Paper | Unread]:
    """Read every paper of a stream, lazily and in order.

    The format is known by content: gzip by its magic bytes, JSON by its keys,
    XML by its root, Markdown by its headings, anything else is plain text. JSON
    of one record a line is read line by line.

    Args:
        stream: binary; read once, from where it stands, never sought or closed.
        name: what to call the stream in errors about it as a whole.
        max_record_bytes: a line, document or text larger than this is not read.

    Yields:
        A `Paper`, or an `Unread` with a code of `READ_CODES` for each record
        that gave none. Nothing in the content raises.
    """
    for one in read_located_papers(stream, name=name, max_record_bytes=max_record_bytes):
        yield one if isinstance(one, Unread) else one.paper


def read_located_papers(
    stream: BinaryIO,
    *,
    name: str = "",
    max_record_bytes: int = MAX_RECORD_BYTES,
    first_line: int = 1,
) -> Iterator[LocatedPaper | Unread]:
    """Read as `read_papers` does, and say of each paper on which line it began.

    JSON records that begin on a line before `first_line` are left out, and where a record
    is a line they are not even decoded.
    """
    content: Content | None = None
    try:
        content = Content(stream)
        yield from _read(content, name, max_record_bytes, first_line)
    except WrongEncoding as error:
        yield Unread("bad_encoding", f"the content is not the {error} its first bytes promise")
    if content is not None and content.torn:
        yield Unread("torn_gzip", "the gzip stream is cut off or damaged; fetch the file again")


def _read(
    content: Content, name: str, limit: int, first_line: int
) -> Iterator[LocatedPaper | Unread]:
    kind = detect_kind(content.head, name)
    if isinstance(kind, Unread):
        yield kind
    elif kind == "json":
        yield from _read_json(content, limit, first_line)
    else:
        data = content.whole(limit)
        if data is None:
            yield Unread("too_large", f"larger than {limit} bytes, the limit of one record")
        elif content.torn:
            return  # half a document is no paper; the tear is reported by the caller
        elif not data.strip():
            yield Unread("empty_input", f"{name or 'the input'} is empty")
        else:
            read = read_xml(data, content.reencoded) if kind == "xml" else _read_text(data, name)
            for result in read:
                yield result if isinstance(result, Unread) else LocatedPaper(result)


def _read_json(content: Content, limit: int, first_line: int) -> Iterator[LocatedPaper | Unread]:
    for record in records(content.lines(limit), limit, first_line):
        if isinstance(record, Record):
            for result in read_record(record.value):
                yield _located(result, record)
        elif not (content.torn and record.code == "torn_line"):
            yield record  # of a torn gzip stream the tear itself is reported, once


def is_paper(value: object) -> bool:
    """Tell whether a JSON value has the keys of a paper format known here."""
    return isinstance(value, dict) and any(reader.matches(value) for reader in _JSON_READERS)


def read_record(value: object) -> Iterator[Paper | Unread]:
    """Read one JSON value by the first format whose keys it has."""
    if not isinstance(value, dict):
        yield Unread("unknown_format", f"a JSON {_json_type(value)} is no paper")
        return
    for reader in _JSON_READERS:
        if reader.matches(value):
            yield from reader.read(value)
            return
    keys = ", ".join(one_line(key)[:40] for key in list(value)[:8]) or "none"
    yield Unread("unknown_format", f"a JSON object with keys of no known format: {keys}")


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "truth value", int: "number", float: "number", str: "string", list: "list"}
    return names[type(value)]


def _located(result: Paper | Unread, record: Record) -> LocatedPaper | Unread:
    if isinstance(result, Paper):
        return LocatedPaper(result, record.line)
    detail = result.detail
    if record.item is not None:
        detail = f"item {record.item} of the list: {detail}"
    return replace(result, detail=detail, line=record.line)


def read_xml(data: bytes, reencoded: bool) -> Iterator[Paper | Unread]:
    """Read the papers of an XML document, by the name of its root."""
    root = parse_xml(data, reencoded=reencoded)
    if isinstance(root, Unread):
        yield root
        return
    for reader in _XML_READERS:
        if local_name(root) in reader.ROOTS:
            try:
                yield from list(reader.read(root))
            except RecursionError:
                yield Unread("too_deep", "the XML is nested too deep to be a paper")
            return
    detail = f"XML with root <{local_name(root)[:40]}> is in no known format"
    yield Unread("unknown_format", detail)


def _read_text(data: bytes, name: str) -> Iterator[Paper | Unread]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        detail = f"{name or 'the input'} is not valid UTF-8: save it as UTF-8"
        yield Unread("bad_encoding", detail, line)
        return
    try:
        value = json.loads(text)
    except RecursionError:
        yield Unread("too_deep", "the JSON is nested too deep to be a paper")
        return
    except ValueError:
        pass  # not JSON: running text, as it should be
    else:
        yield from read_record(value)
        return
    text = clean(text).replace("\r\n", "\n").replace("\r", "\n")
    reader = markdown if markdown.matches(text) else plain_text
    yield from reader.read(text)
