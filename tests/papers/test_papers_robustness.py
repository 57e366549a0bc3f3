"""Content that is torn, mixed, wrongly encoded or no paper at all."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator

import pytest

from parsers.papers import (
    READ_CODES,
    LocatedPaper,
    Paper,
    Unread,
    read_located_papers,
    read_papers,
)

from .conftest import RECORDS, Read

GOOD = json.dumps(RECORDS["scipdf"])
OTHER = json.dumps(RECORDS["s2orc-doc2json"])
LINES = f"{GOOD}\n{OTHER}\n"


def summary(results: list[Paper | Unread]) -> list[str]:
    """Say of each result what it is: the paper's format, or code and line."""
    return [r.format if isinstance(r, Paper) else f"{r.code}:{r.line}" for r in results]


GOOD_BOTH = ["scipdf", "s2orc-doc2json"]
TABLE: dict[str, tuple[bytes, list[str]]] = {
    "plain lines": (LINES.encode(), GOOD_BOTH),
    "byte order mark": (codecs.BOM_UTF8 + LINES.encode(), GOOD_BOTH),
    "utf-16": (LINES.encode("utf-16"), GOOD_BOTH),
    "utf-16 big endian": (codecs.BOM_UTF16_BE + LINES.encode("utf-16-be"), GOOD_BOTH),
    "utf-32": (LINES.encode("utf-32"), GOOD_BOTH),
    "crlf": (LINES.replace("\n", "\r\n").encode(), GOOD_BOTH),
    "blank lines": (f"\n\n{GOOD}\n \t\n\n{OTHER}\n\n".encode(), GOOD_BOTH),
    "no last newline": (LINES.rstrip().encode(), GOOD_BOTH),
    "torn last line": (f"{GOOD}\n{OTHER[:40]}".encode(), ["scipdf", "torn_line:2"]),
    "torn first line": (GOOD[:40].encode(), ["torn_line:1"]),
    "torn in a character": (f"{GOOD}\n".encode() + '{"title": "é'.encode()[:-1],
                            ["scipdf", "torn_line:2"]),
    "bad first line": (b'{"title": oops}\n' + LINES.encode(), ["bad_json:1", *GOOD_BOTH]),
    "garbage first line": (b"oops\n" + LINES.encode(), ["bad_json:1", *GOOD_BOTH]),
    "ten bad lines first": (b'{"a": oops}\n' * 10 + LINES.encode(),
                            [*(f"bad_json:{n}" for n in range(1, 11)), *GOOD_BOTH]),
    "bad encoding in a line": (f"{GOOD}\n".encode() + b'{"a": "\xff"}\n' + f"{OTHER}\n".encode(),
                               ["scipdf", "bad_encoding:2", "s2orc-doc2json"]),
    "scalars among lines": (f"{GOOD}\n42\nnull\n\"x\"\n{OTHER}\n".encode(),
                            ["scipdf", *(f"unknown_format:{n}" for n in (2, 3, 4)),
                             "s2orc-doc2json"]),
    "list on one line": (f"[{GOOD}, {OTHER}]".encode(), GOOD_BOTH),
    "list over lines": (f"[\n{GOOD},\n{OTHER}\n]\n".encode(), GOOD_BOTH),
    "list of one over lines": (f"[\n{GOOD}\n]\n".encode(), ["scipdf"]),
    "indented": (json.dumps(RECORDS["scipdf"], indent=1).encode(), ["scipdf"]),
    "indented, one after another": (
        "\n".join(json.dumps(RECORDS[name], indent=1) for name in GOOD_BOTH).encode(), GOOD_BOTH),
    "indented and torn": (json.dumps(RECORDS["scipdf"], indent=1)[:-30].encode(), ["torn_line:11"]),
    "indented and wrong": (b'{\n "title": "T",\n "sections" []\n}\n', ["bad_json:3"]),
    "list with strangers": (f"[{GOOD}, 3, null]".encode(),
                            ["scipdf", "unknown_format:1", "unknown_format:1"]),
    "unknown keys": (b'{"a": 1, "b": 2}\n', ["unknown_format:1"]),
    "empty object": (b"{}", ["unknown_format:1"]),
    "empty list": (b"[]\n", ["empty_input:1"]),
    "links in brackets": (b"[[sock]] drawer\n\nOne two.\n", ["plain-text"]),
    "list of scalars": (b"[1, 2]", ["unknown_format:None"]),
    "number": (b"42", ["unknown_format:None"]),
    "string": (b'"paper"', ["unknown_format:None"]),
    "null": (b"null\n", ["unknown_format:None"]),
    "nothing": (b"", ["empty_input:None"]),
    "white space": (b" \r\n\t\n", ["empty_input:None"]),
    "mark alone": (codecs.BOM_UTF8, ["empty_input:None"]),
    "nested lists": (b"[" * 100_000, ["too_deep:None"]),
    "nested objects": (b'{"a":' * 100_000 + b"\n" + LINES.encode(), ["too_deep:1", *GOOD_BOTH]),
    "huge number": (b'{"x": ' + b"7" * 6000 + b", " + GOOD[1:].encode(), ["scipdf"]),
    "no body": (b'{"title": "T", "abstract": "A.", "sections": []}', ["no_body_text:1"]),
    "binary": (bytes(range(256)) * 50, ["unknown_format:None"]),
    "gbk text": ("袜子研究\n\n袜子在洗衣机里丢失。\n".encode("gbk"), ["bad_encoding:1"]),
    "broken utf-16": (codecs.BOM_UTF16_LE + b"\x00\xd8a\x00", ["bad_encoding:None"]),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\n1 0 obj\n", ["unsupported_format:None"]),
    "html": (b"<!DOCTYPE html>\n<html><body><p>Hi</p></body></html>", ["unsupported_format:None"]),
    "xhtml": (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
              ["unsupported_format:None"]),
    "latex": (b"% a comment\n\\documentclass{article}\n", ["unsupported_format:None"]),
    "csv": (b"cord_uid,sha,title,doi\nx,y,z,w\n", ["unsupported_format:None"]),
    "rtf": (b"{\\rtf1\\ansi text}", ["unsupported_format:None"]),
    "bzip2": (b"BZh91AY&SY", ["unsupported_format:None"]),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE)
def test_robustness_table(case: str, read: Read) -> None:
    content, expected = TABLE[case]
    assert summary(read(content)) == expected


@pytest.mark.parametrize("case", TABLE)
def test_gzip_changes_nothing(case: str, read: Read) -> None:
    content, expected = TABLE[case]
    assert summary(read(gzip.compress(content))) == expected


@pytest.mark.parametrize("case", TABLE)
def test_every_fault_has_a_known_code_and_a_sentence(case: str, read: Read) -> None:
    for result in read(TABLE[case][0]):
        if isinstance(result, Unread):
            assert result.code in READ_CODES
            assert len(result.detail) > 10


class Trickle(io.RawIOBase):
    """A stream that gives a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, step: int) -> None:
        self._data = io.BytesIO(data)
        self._step = step

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, self._step) if size >= 0 else self._step)


@pytest.mark.parametrize("step", [1, 7])
@pytest.mark.parametrize("case", ["utf-16", "torn in a character", "crlf", "list over lines"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_short_reads_change_nothing(case: str, step: int, pack: Callable[[bytes], bytes]) -> None:
    content, expected = TABLE[case]
    assert summary(list(read_papers(Trickle(pack(content), step)))) == expected  # type: ignore[arg-type]


def archive() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        info = tarfile.TarInfo("main.tex")
        info.size = 4
        tar.addfile(info, io.BytesIO(b"text"))
    return packed.getvalue()


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("a.txt", "text")
    return packed.getvalue()


@pytest.mark.parametrize("content", [archive(), zipped()], ids=["tar.gz", "zip"])
def test_archives_are_named_as_unsupported(content: bytes) -> None:
    [unread] = read_papers(io.BytesIO(content), name="sources.bin")
    assert isinstance(unread, Unread)
    assert unread.code == "unsupported_format"
    assert unread.detail.startswith("sources.bin is a ")


def test_torn_gzip_gives_what_came_before_and_one_fault(read: Read) -> None:
    lines = b"".join(
        json.dumps({**RECORDS["scipdf"], "title": f"Paper {n} {n * 7919}"}).encode() + b"\n"
        for n in range(2000)
    )
    packed = gzip.compress(lines)
    results = read(packed[: len(packed) // 2])
    papers = [r for r in results if isinstance(r, Paper)]
    assert [r.code for r in results if isinstance(r, Unread)] == ["torn_gzip"]
    assert isinstance(results[-1], Unread)
    assert 500 < len(papers) < 2000
    assert papers == read(lines)[: len(papers)]


@pytest.mark.parametrize(
    "content",
    [b"# Title\n\n" + bytes(str(list(range(9000))), "ascii"), b"<TEI>" + b"<p>x</p>" * 9000],
    ids=["text", "xml"],
)
def test_torn_gzip_of_a_document_is_no_half_paper(content: bytes, read: Read) -> None:
    packed = gzip.compress(content)
    assert summary(read(packed[:-20])) == ["torn_gzip:None"]


def test_gzip_of_several_members_is_one_content(read: Read) -> None:
    packed = gzip.compress(f"{GOOD}\n".encode()) + gzip.compress(f"{OTHER}\n".encode())
    assert summary(read(packed + b"\0" * 100)) == GOOD_BOTH


def test_one_bad_record_among_three_thousand(read: Read) -> None:
    lines = [GOOD] * 3000
    lines[1233] = lines[1233][:50]
    results = read("\n".join(lines) + "\n")
    assert [r for r in results if isinstance(r, Unread)] == [
        Unread("bad_json", results[1233].detail, 1234)  # type: ignore[union-attr]
    ]
    assert len(results) == 3000


def test_formats_may_differ_from_line_to_line(read: Read) -> None:
    lines = "\n".join(json.dumps(record) for record in RECORDS.values())
    assert summary(read(lines)) == list(RECORDS)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_newline_ends_a_line(mark: str, read: Read) -> None:
    record = {"title": "T", "sections": [{"heading": "H", "text": f"one{mark}two"}]}
    [paper] = read(json.dumps(record, ensure_ascii=False) + "\n")
    assert isinstance(paper, Paper)
    assert paper.sections[0].text == f"one{mark}two"


def test_surrogates_and_nul_are_made_harmless(read: Read) -> None:
    section = r'{"heading": "x\u0000y", "text": "\udfff\u0000z\ud83d\ude00"}'
    [paper] = read(rf'{{"title": "a\ud800b", "sections": [{section}]}}')
    assert isinstance(paper, Paper)
    assert (paper.title, paper.sections[0].title) == ("a\ufffdb", "xy")
    assert paper.sections[0].text == "\ufffdz😀"


def test_located_papers_know_their_lines() -> None:
    located = list(read_located_papers(io.BytesIO(f"\n{GOOD}\n\n{OTHER}\n".encode())))
    assert [one.line for one in located if isinstance(one, LocatedPaper)] == [2, 4]


def test_records_over_the_limit_are_passed_over() -> None:
    long = json.dumps({**RECORDS["scipdf"], "abstract": "x" * 5000})
    content = f"{GOOD}\n{long}\n{OTHER}\n".encode()
    results = list(read_papers(io.BytesIO(content), max_record_bytes=2000))
    assert summary(results) == ["scipdf", "too_large:2", "s2orc-doc2json"]


@pytest.mark.parametrize(
    "content", [b"word " * 1000, b"[\n" + b"{},\n" * 2000], ids=["text", "json"]
)
def test_documents_over_the_limit_are_not_read(content: bytes) -> None:
    [unread] = read_papers(io.BytesIO(content), max_record_bytes=2000)
    assert isinstance(unread, Unread)
    assert unread.code == "too_large"


class Endless(io.RawIOBase):
    """A stream of many lines that are made as they are read."""

    def __init__(self, line: bytes, count: int) -> None:
        self._lines: Iterator[bytes] = (line for _ in range(count))
        self._held = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while len(self._held) < size and (line := next(self._lines, None)):
            self._held += line
        given, self._held = self._held[:size], self._held[size:]
        return given


def test_memory_does_not_grow_with_the_number_of_lines() -> None:
    record = {**RECORDS["scipdf"], "abstract": "word " * 2000}
    stream = Endless(json.dumps(record).encode() + b"\n", 1500)
    tracemalloc.start()
    try:
        count = sum(isinstance(one, Paper) for one in read_papers(stream))  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 1500
    assert peak < 4_000_000  # the lines are 15 MB


def test_papers_come_before_the_stream_is_at_its_end() -> None:
    stream = Endless(f"{GOOD}\n".encode(), 1_000_000_000)
    assert isinstance(next(iter(read_papers(stream))), Paper)  # type: ignore[arg-type]
