"""The JSON values of a file, one at a time: JSON Lines, a JSON array, or one object.

Published files come in each of the three. Lines end at "\\n" only: U+2028 and
its like may stand inside a string. A byte order mark, CRLF and blank lines are
passed over.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

_CHUNK = 1 << 20
_MAX_VALUE = 64 << 20
"""Bytes of the largest single value of an array; beyond it the file is not read on."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value and the 1-based line it starts on; `repeated` are keys that stand twice."""

    line: int
    value: Any
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line (or the rest of a file) that is no JSON."""

    line: int
    message: str


def read_values(source: Path | BinaryIO) -> Iterator[Value | Unreadable]:
    """Stream the values of a file without holding more than one of them."""
    with _opened(source) as stream:
        number = 1
        first = stream.readline(_CHUNK).removeprefix(codecs.BOM_UTF8)
        while first and not first.strip():
            number += first.count(b"\n")
            first = stream.readline(_CHUNK)
        if not first:
            return
        if first.lstrip()[:1] == b"[":
            # Perhaps all in one line: read by size, not by line.
            yield from _array(chain([first], iter(partial(stream.read, _CHUNK), b"")), number)
            return
        if not first.endswith(b"\n"):
            first += stream.readline()
        found = _line(first, number)
        if isinstance(found, Value):
            yield found
            yield from _lines(iter(stream), number + 1)
        else:
            yield from _object_or_lines(found, first, iter(stream), number)


def _lines(lines: Iterator[bytes], number: int) -> Iterator[Value | Unreadable]:
    for line in lines:
        if line.strip():
            yield _line(line, number)
        number += 1


def _line(line: bytes, number: int) -> Value | Unreadable:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return Unreadable(number, f"not UTF-8: byte {error.start + 1} of the line")
    return _decoded(text, number)


def _decoded(text: str, number: int) -> Value | Unreadable:
    repeated: list[str] = []
    try:
        value = _decoder(repeated).decode(text)
    except RecursionError:
        return Unreadable(number, "nested too deeply to be read")
    except json.JSONDecodeError as error:
        place = f"column {error.colno}"
        if error.lineno > 1:
            place = f"line {number + error.lineno - 1}, {place}"
        return Unreadable(number, f"not JSON: {error.msg} at {place}")
    except ValueError as error:
        return Unreadable(number, f"not JSON that can be read: {error}")
    return Value(number, value, tuple(repeated))


def _object_or_lines(
    fault: Unreadable, first: bytes, lines: Iterator[bytes], number: int
) -> Iterator[Value | Unreadable]:
    """A first line that is no value: an object written over several lines, or a broken line."""
    held = [first]
    size = len(first)
    for line in lines:
        held.append(line)
        size += len(line)
        # The object ends with a bracket on a line of its own, as every printer writes it.
        if line.strip() == b"}" and not line[:1].isspace():
            whole = _line(b"".join(held), number)
            if isinstance(whole, Value):
                yield whole
                yield from _lines(lines, number + len(held))
                return
        if size > _MAX_VALUE:
            break
    yield fault
    yield from _lines(chain(held[1:], lines), number + 1)


def _array(chunks: Iterator[bytes], number: int) -> Iterator[Value | Unreadable]:
    """The entries of an array, each decoded as soon as the text at hand holds it whole."""
    text = _Text(chunks, number)
    try:
        yield from _entries(text)
    except UnicodeDecodeError:
        yield Unreadable(text.line, "not UTF-8, in this line or after it")


def _entries(text: _Text) -> Iterator[Value | Unreadable]:
    text.next_character()
    text.skip(1)
    if text.next_character() != "]":
        while True:
            found = text.value()
            yield found
            if isinstance(found, Unreadable):
                return
            after = text.next_character()
            if after == "]":
                break
            if after != ",":
                yield Unreadable(text.line, "not JSON: expected a comma or the end of the array")
                return
            text.skip(1)
    text.skip(1)
    if text.next_character():
        yield Unreadable(text.line, "not JSON: text after the end of the array")


class _Text:
    """Text of a file with a position in it, decoded and refilled on demand."""

    def __init__(self, chunks: Iterator[bytes], line: int) -> None:
        self._chunks = chunks
        self._decode = codecs.getincrementaldecoder("utf-8")("strict").decode
        self._text = ""
        self._at = 0
        self._ended = False
        self.line = line

    def _fill(self, wanted: int) -> None:
        """Hold `wanted` more characters, or all there are."""
        parts = [self._text[self._at :]]
        while wanted > 0 and not self._ended:
            chunk = next(self._chunks, b"")
            self._ended = not chunk
            parts.append(self._decode(chunk, self._ended))
            wanted -= len(parts[-1])
        self._text, self._at = "".join(parts), 0

    def skip(self, count: int) -> None:
        self.line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def next_character(self) -> str:
        """Pass over white space; the character there, or "" at the end of the file."""
        while True:
            if self._at >= len(self._text):
                if self._ended:
                    return ""
                self._fill(1)
                continue
            ahead = self._text[self._at : self._at + 4096]
            spaces = len(ahead) - len(ahead.lstrip(" \t\r\n"))
            self.skip(spaces)
            if spaces < len(ahead):
                return ahead[spaces]

    def value(self) -> Value | Unreadable:
        """The value at the next character that is no white space."""
        self.next_character()
        wanted = _CHUNK
        while True:
            repeated: list[str] = []
            try:
                value, end = _decoder(repeated).raw_decode(self._text, self._at)
            except RecursionError:
                return Unreadable(self.line, "nested too deeply to be read")
            except ValueError as error:
                # Broken, or not yet all there: only more text can tell.
                if not self._ended and wanted <= _MAX_VALUE:
                    self._fill(wanted)
                    wanted *= 2
                    continue
                message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
                return Unreadable(self.line, f"not JSON: {message}")
            if end == len(self._text) and not self._ended:
                # A number could go on in the text not read yet.
                self._fill(_CHUNK)
                continue
            line = self.line
            self.skip(end - self._at)
            return Value(line, value, tuple(repeated))


def _decoder(repeated: list[str]) -> json.JSONDecoder:
    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(found)
        if len(record) < len(found):
            names = [name for name, _ in found]
            repeated.extend(sorted({name for name in names if names.count(name) > 1}))
        return record

    return json.JSONDecoder(object_pairs_hook=pairs)


@contextmanager
def _opened(source: Path | BinaryIO) -> Iterator[BinaryIO]:
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield stream
    else:
        yield source
