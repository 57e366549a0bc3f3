"""What a file is, from its first bytes; never from its name."""

from __future__ import annotations

import json
import re
from typing import Literal

from .model import Unread

Kind = Literal["json", "xml", "text"]

_CONVERT_PDF = "convert it with GROBID (to TEI XML), or to JSON with s2orc-doc2json or scipdf"
_UNPACK = "unpack it first; only gzip is unpacked here"
_MAGIC: tuple[tuple[bytes, int, str, str], ...] = (
    (b"ustar", 257, "a tar archive", "unpack it first; LaTeX sources then need s2orc-doc2json"),
    (b"PK\x03\x04", 0, "a zip archive (or a Word or EPUB file)", "unpack it, or save as Markdown"),
    (b"\x1f\x8b\x08", 0, "gzip inside gzip", _UNPACK),
    (b"BZh", 0, "bzip2", _UNPACK),
    (b"\xfd7zXZ\x00", 0, "xz", _UNPACK),
    (b"\x28\xb5\x2f\xfd", 0, "zstandard", _UNPACK),
    (b"{\\rtf", 0, "RTF", "save it as Markdown or plain text"),
    (b"%!PS", 0, "PostScript", _CONVERT_PDF),
)
_LATEX = re.compile(rb"^[ \t]*\\(?:documentclass|documentstyle|begin\{document\})", re.M)
_TABLE_HEAD = re.compile(rb"^\"?[A-Za-z_][\w -]*\"?(?:([,\t])\"?[A-Za-z_][\w -]*\"?){3,}\r?$")
_HTML = re.compile(rb"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_XML_PROLOGUE = re.compile(
    rb"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>\s*)*", re.S
)
_XML_ROOT = re.compile(rb"<(?:[\w.-]+:)?(?:TEI|TEI\.2|teiCorpus|article|articles|pmc-articleset)\b")
_JSON_OBJECT = re.compile(rb"\s*\{\s*(?:\"[^\"\n]{0,200}\"\s*:|\}|$)")
_JSON_LIST = re.compile(rb"\s*\[\s*(?:[{\]]|$)")


def detect_kind(head: bytes, name: str) -> Kind | Unread:
    """Tell which family of readers may understand a file that begins with `head`.

    Args:
        head: the first 64 KiB (all of a shorter file), decompressed, in UTF-8.
        name: what to call the file in an error; may be "".
    """
    called = name or "the input"
    for magic, offset, what, remedy in _MAGIC:
        if head.startswith(magic, offset):
            return Unread("unsupported_format", f"{called} is {what}: {remedy}")
    if b"%PDF-" in head[:1024]:
        return Unread("unsupported_format", f"{called} is a PDF: {_CONVERT_PDF}")
    if _looks_like_json(head):
        return "json"
    if head.lstrip()[:1] == b"<":
        return _kind_of_markup(head, called)
    if _is_binary(head):
        return Unread("unknown_format", f"{called} is binary data in no format known here")
    if _LATEX.search(head):
        remedy = "convert it with s2orc-doc2json or pandoc (to Markdown)"
        return Unread("unsupported_format", f"{called} is LaTeX source: {remedy}")
    if _TABLE_HEAD.match(head.lstrip().split(b"\n", 1)[0]):
        remedy = "give the files of full text it describes instead"
        return Unread("unsupported_format", f"{called} is a table (CSV or TSV): {remedy}")
    return "text"


_LONG_LINE = 2000


def _looks_like_json(head: bytes) -> bool:
    """Look at the first lines: the very first record of a file may be the bad one."""
    lines = [line for line in head.split(b"\n", 16) if line.strip()]
    if lines and (_JSON_OBJECT.match(head) or _JSON_LIST.match(head)):
        return True
    return any(_is_record(line) for line in lines[1:])


def _is_record(line: bytes) -> bool:
    """A JSON object of some keys on one line; one that the head cuts off counts by its length."""
    if not _JSON_OBJECT.match(line) or b":" not in line:
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return len(line) > _LONG_LINE
    return isinstance(value, dict) and len(value) > 1


def _kind_of_markup(head: bytes, called: str) -> Kind | Unread:
    body = head.lstrip()
    prologue = _XML_PROLOGUE.match(body)
    root = body[prologue.end() if prologue else 0 :]
    if _HTML.match(body) or _HTML.match(root):
        remedy = "save the text as Markdown or plain text, or take the publisher's JATS XML"
        return Unread("unsupported_format", f"{called} is an HTML page: {remedy}")
    if body.startswith(b"<?xml") or _XML_ROOT.match(root) or body[:9].upper() == b"<!DOCTYPE":
        return "xml"
    return "text"


def _is_binary(head: bytes) -> bool:
    """Count control characters, which text has few of whatever its encoding."""
    controls = sum(head.count(bytes((code,))) for code in range(32) if code not in b"\t\n\f\r\x1b")
    return controls * 50 > len(head)
