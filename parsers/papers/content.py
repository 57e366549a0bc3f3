"""Bytes in, UTF-8 content out: gzip, byte order marks, lines, and limits.

Gzip is known by its magic bytes and decompressed as a stream. Lines end at
`\\n` alone: U+2028 and its kin inside a string are data.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_CHUNK = 1 << 18
_HEAD = 1 << 16
_GZIP = b"\x1f\x8b\x08"
# UTF-32's mark starts with that of UTF-16, so it is looked for first.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class TornStream(Exception):
    """The gzip stream is cut off or damaged; all before it has been given."""


class WrongEncoding(Exception):
    """The content is not in the encoding its byte order mark says."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its newline. `ended` is False for a last line that has none.

    `overlong` lines are given without their bytes, so that memory stays bounded.
    """

    number: int
    data: bytes
    ended: bool = True
    overlong: bool = False


class Content:
    """The content of a stream: its head to look at, then the whole to read once.

    Attributes:
        head: up to the first 64 KiB, decompressed, in UTF-8, without byte order mark.
        reencoded: whether it was turned into UTF-8 from UTF-16 or UTF-32.
        torn: whether the gzip stream turned out to be cut off or damaged.
    """

    def __init__(self, stream: BinaryIO) -> None:
        first = _read_some(stream)
        plain = _gunzipped(first, stream) if first.startswith(_GZIP) else _chunks(first, stream)
        self.torn = False
        self._chunks = self._guarded(plain)
        start = self._fill(b"", 4)
        encoding = next((name for mark, name in _WIDE_MARKS if start.startswith(mark)), None)
        self.reencoded = encoding is not None
        if encoding is not None:
            self._chunks = _as_utf8(start, self._chunks, encoding)
            start = b""
        elif start.startswith(codecs.BOM_UTF8):
            start = start[3:]
        self.head = self._fill(start, _HEAD)

    def _guarded(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        try:
            yield from chunks
        except TornStream:
            self.torn = True

    def _fill(self, held: bytes, size: int) -> bytes:
        pieces = [held]
        length = len(held)
        while length < size:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            pieces.append(chunk)
            length += len(chunk)
        return b"".join(pieces)

    def whole(self, limit: int) -> bytes | None:
        """Give all bytes, or None when there are more than `limit`."""
        pieces: list[bytes] = []
        length = 0
        for chunk in self._all_chunks():
            pieces.append(chunk)
            length += len(chunk)
            if length > limit:
                return None
        return b"".join(pieces)

    def lines(self, limit: int) -> Iterator[Line]:
        """Give the lines one by one; one longer than `limit` bytes comes as `overlong`."""
        number = 1
        held: list[bytes] = []
        length = 0
        for chunk in self._all_chunks():
            *complete, rest = chunk.split(b"\n")
            for piece in complete:
                if length + len(piece) > limit:
                    yield Line(number, b"", overlong=True)
                elif held:
                    held.append(piece)
                    yield Line(number, b"".join(held))
                else:
                    yield Line(number, piece)
                number += 1
                held, length = [], 0
            length += len(rest)
            if length > limit:
                held = []
            elif rest:
                held.append(rest)
        if length:
            yield Line(number, b"".join(held), ended=False, overlong=length > limit)

    def _all_chunks(self) -> Iterator[bytes]:
        yield self.head
        yield from self._chunks


def _read_some(stream: BinaryIO) -> bytes:
    """Read until there is enough to know gzip by; a pipe may give less at a time."""
    data = b""
    while len(data) < len(_GZIP):
        more = stream.read(_CHUNK)
        if not more:
            break
        data += more
    return data


def _chunks(first: bytes, stream: BinaryIO) -> Iterator[bytes]:
    chunk = first
    while chunk:
        yield chunk
        chunk = stream.read(_CHUNK)


def _gunzipped(first: bytes, stream: BinaryIO) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=31)
    for chunk in _chunks(first, stream):
        data = chunk
        while data:
            if inflater.eof:
                # A next member, or padding after the last one.
                data = data.lstrip(b"\0")
                if not data:
                    break
                inflater = zlib.decompressobj(wbits=31)
            try:
                out = inflater.decompress(data, _CHUNK)
            except zlib.error as error:
                raise TornStream from error
            if out:
                yield out
            data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    while not inflater.eof:
        out = inflater.decompress(b"", _CHUNK)
        if not out:
            raise TornStream
        yield out


def _as_utf8(first: bytes, rest: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        yield decoder.decode(first).encode()
        for chunk in rest:
            yield decoder.decode(chunk).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeDecodeError as error:
        raise WrongEncoding(encoding) from error
