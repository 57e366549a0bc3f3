"""One HTTP/1.1 connection that carries one request after another; the parsing is httptools'."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any, cast

import httptools

from generator.backends.http_seam import HttpAnswer

_HEADER_LIMIT = 131_072
"""Bytes of all headers of one answer."""

_GZIP_OR_ZLIB, _RAW_DEFLATE = 47, -15


class BrokenExchange(Exception):
    """The connection ended too early, or what came is not HTTP."""


class BrokenCompression(Exception):
    """The body is not compressed the way its headers say."""


class TimeIsUp(Exception):
    """The whole answer did not come in time."""


class LeanConnection(asyncio.Protocol):
    """Sends a request and gives the answer, when it is whole.

    Whatever goes wrong with one exchange ends the connection: what is left of it
    must not become part of the next answer.
    """

    def __init__(self) -> None:
        self._parser: Any = httptools.HttpResponseParser(self)
        # What aiohttp and the browsers let pass as well.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_chunked_length=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
        )
        self._waiter: asyncio.Future[HttpAnswer] | None = None
        self._lost = False
        self._clear()

    def _clear(self) -> None:
        self._headers: dict[str, str] = {}
        self._header_bytes = 0
        self._body: list[bytes] = []
        self._head_is_whole = False

    @property
    def usable(self) -> bool:
        """Whether another request may be sent."""
        return not self._lost and not self._transport.is_closing()

    async def exchange(self, request: bytes, timeout_s: float) -> HttpAnswer:
        """The answer to a whole request (head and body).

        Raises `BrokenExchange`, `BrokenCompression`, `TimeIsUp`, or the
        `OSError` the connection ended with.
        """
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[HttpAnswer] = loop.create_future()
        self._waiter = waiter
        if self._lost:
            self._fail(BrokenExchange())
        timer = loop.call_later(timeout_s, self._time_is_up)
        self._transport.write(request)
        try:
            return await waiter
        except BaseException:
            self.abort()
            raise
        finally:
            timer.cancel()
            self._waiter = None

    def abort(self) -> None:
        """Close it at once."""
        self._lost = True
        self._transport.abort()

    def close(self) -> None:
        """Close it; over TLS, with a word to the server."""
        self._lost = True
        self._transport.close()

    def _fail(self, error: BaseException) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error)

    def _time_is_up(self) -> None:
        self._fail(TimeIsUp())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._waiter is None or self._waiter.done():
            # Nobody asked: it is no answer to the next request.
            self.abort()
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail(BrokenExchange())
            # The answer may have been whole before that; the connection is of no more use.
            self.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._lost = True
        if error is None and self._head_is_whole and not self._says_its_length():
            self._answer()
        else:
            self._fail(error or BrokenExchange())

    def on_message_begin(self) -> None:
        if self._waiter is None or self._waiter.done():
            # More than one answer came: the rest must not become part of the next one.
            self.abort()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > _HEADER_LIMIT:
            self._fail(BrokenExchange())
            return
        known, text = name.decode("latin-1").lower(), value.decode("utf-8", "replace")
        before = self._headers.get(known)
        self._headers[known] = text if before is None else f"{before}, {text}"

    def on_headers_complete(self) -> None:
        self._head_is_whole = True

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:
            if status < 100:
                self._fail(BrokenExchange())
            # "Continue" and "early hints" come before the answer.
            self._clear()
            return
        if not self._parser.should_keep_alive() or self._transport.get_write_buffer_size():
            self.close()
        self._answer()

    def _says_its_length(self) -> bool:
        return "content-length" in self._headers or "transfer-encoding" in self._headers

    def _answer(self) -> None:
        headers, body = self._headers, b"".join(self._body)
        self._clear()
        if self._waiter is None or self._waiter.done():
            self.abort()
            return
        try:
            body = _unpacked(body, headers.get("content-encoding", ""))
        except zlib.error:
            self._fail(BrokenCompression())
            return
        self._waiter.set_result(HttpAnswer(self._parser.get_status_code(), headers, body))


def _unpacked(body: bytes, encodings: str) -> bytes:
    """The body without its compression, as far as that is gzip or deflate: no other was offered."""
    if not body or not encodings:
        return body
    # The last one named was applied last.
    for encoding in reversed(encodings.lower().split(",")):
        encoding = encoding.strip()
        if encoding in ("gzip", "x-gzip"):
            body = _inflated(body, _GZIP_OR_ZLIB)
        elif encoding == "deflate":
            body = _deflated(body)
    return body


def _deflated(body: bytes) -> bytes:
    """What is called deflate is zlib's format, and raw where servers misread the standard."""
    try:
        return _inflated(body, _GZIP_OR_ZLIB)
    except zlib.error:
        return _inflated(body, _RAW_DEFLATE)


def _inflated(body: bytes, window_bits: int) -> bytes:
    decoder = zlib.decompressobj(window_bits)
    return decoder.decompress(body) + decoder.flush()
