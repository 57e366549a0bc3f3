"""The fast HTTP path, for plain OpenAI-compatible servers: a pool of lean connections.

A request costs a tenth to a twentieth of the processor time it costs through the
SDK, and the time does not grow with the number of connections.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import aiohappyeyeballs
import orjson

from generator.backends.connection_causes import (
    BROKEN_COMPRESSION,
    BROKEN_HTTP,
    BROKEN_OFF,
    NO_CONNECTION_IN_TIME,
    NO_FREE_CONNECTION,
    NamedCause,
    fault_of,
    no_answer_in_time,
)
from generator.backends.http_seam import IDLE_CONNECTION_S, HttpAnswer, connect_timeout_s
from generator.backends.lean_connection import (
    BrokenCompression,
    BrokenExchange,
    LeanConnection,
    TimeIsUp,
)
from generator.backends.openai_access import Access
from generator.errors import ConnectionFault

_CAUSES: tuple[NamedCause, ...] = (
    (BrokenCompression, BROKEN_COMPRESSION),
    (BrokenExchange, BROKEN_HTTP),
    (TimeoutError, NO_CONNECTION_IN_TIME),
    (ConnectionError, BROKEN_OFF),
)
_OTHER_ADDRESS_AFTER_S = 0.25
"""How long one address of a server may take before its next one is tried beside it (RFC 8305)."""

_ADDRESSES_HOLD_S = 10.0


@dataclass(frozen=True, slots=True)
class _Addresses:
    found: list[Any]
    until: float


class LeanHttp:
    """Sends requests to one server that wants nothing but a bearer key, or no key.

    At most `concurrency` requests are on their way at once. `timeout_s` bounds
    one request from sending to the last byte. The connections belong to the
    event loop of the first request.
    """

    def __init__(self, access: Access, *, concurrency: int, timeout_s: float) -> None:
        parts = urlsplit(access.base_url)
        self._base_url = access.base_url
        self._base_path = parts.path
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._netloc = parts.netloc
        self._timeout_s = timeout_s
        self._tls = _tls_context() if parts.scheme == "https" else None
        self._slots = asyncio.Semaphore(concurrency)
        self._resolving = asyncio.Lock()
        self._addresses: _Addresses | None = None
        self._idle: list[tuple[LeanConnection, float]] = []
        self._heads: dict[str, bytes] = {}
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip, deflate",
            "Content-Type": "application/json",
            "User-Agent": "dialogsmith",
            **dict(access.account_headers),
        }
        if access.key is not None:
            self._headers["Authorization"] = f"Bearer {access.key}"

    async def post(self, path: str, body: Mapping[str, Any]) -> HttpAnswer:
        """One attempt; see `HttpClient.post`."""
        answer = await self._attempt(path, _encoded(body))
        if isinstance(answer, ConnectionFault):
            raise answer
        return answer

    async def aclose(self) -> None:
        while self._idle:
            self._idle.pop()[0].close()
        # Transports say goodbye in the next turn of the loop.
        await asyncio.sleep(0)

    async def _attempt(self, path: str, content: bytes) -> HttpAnswer | ConnectionFault:
        now = asyncio.get_running_loop().time
        ends = now() + self._timeout_s
        if not await self._slot_is_free():
            return ConnectionFault(f"{self._base_url}: {NO_FREE_CONNECTION}")
        try:
            connection = self._idle_connection(now()) or await self._connect()
            request = b"%b%d\r\n\r\n%b" % (self._head(path), len(content), content)
            answer = await connection.exchange(request, ends - now())
            if connection.usable:
                self._idle.append((connection, now() + IDLE_CONNECTION_S))
        except TimeIsUp:
            return no_answer_in_time(self._base_url, self._timeout_s)
        except (BrokenCompression, BrokenExchange, OSError, ValueError) as error:
            return fault_of(error, self._base_url, _CAUSES)
        finally:
            self._slots.release()
        return answer

    async def _slot_is_free(self) -> bool:
        if not self._slots.locked():
            await self._slots.acquire()
            return True
        try:
            async with asyncio.timeout(connect_timeout_s(self._timeout_s)):
                await self._slots.acquire()
        except TimeoutError:
            return False
        return True

    def _idle_connection(self, now: float) -> LeanConnection | None:
        """The connection that was used last, if it is fresh; what is older is closed."""
        while self._idle:
            connection, until = self._idle.pop()
            if connection.usable and now < until:
                return connection
            connection.close()
        return None

    async def _connect(self) -> LeanConnection:
        async with asyncio.timeout(connect_timeout_s(self._timeout_s)):
            opened = await aiohappyeyeballs.start_connection(
                await self._resolve(), happy_eyeballs_delay=_OTHER_ADDRESS_AFTER_S
            )
            try:
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                _, connection = await asyncio.get_running_loop().create_connection(
                    LeanConnection,
                    sock=opened,
                    ssl=self._tls,
                    server_hostname=None if self._tls is None else self._host,
                )
            except BaseException:
                opened.close()
                raise
        return connection

    async def _resolve(self) -> list[Any]:
        """The addresses of the server; a crowd of new connections asks for them once."""
        async with self._resolving:
            loop = asyncio.get_running_loop()
            known = self._addresses
            if known is None or loop.time() >= known.until:
                found = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
                known = self._addresses = _Addresses(found, loop.time() + _ADDRESSES_HOLD_S)
        return known.found

    def _head(self, path: str) -> bytes:
        """The head of a request up to the number that is the length of its body."""
        head = self._heads.get(path)
        if head is None:
            target = quote(self._base_path + path, safe="/%:@!$&'()*+,;=~")
            lines = [f"POST {target} HTTP/1.1", f"Host: {_ascii_host(self._netloc)}"]
            lines += [f"{name}: {value}" for name, value in self._headers.items()]
            head = self._heads[path] = "\r\n".join([*lines, "Content-Length: "]).encode("ascii")
        return head


def _encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError:
        # An integer beyond 64 bits.
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _ascii_host(netloc: str) -> str:
    return netloc if netloc.isascii() else netloc.encode("idna").decode("ascii")


def _tls_context() -> ssl.SSLContext:
    """The same trust as the SDK's: the certificates its HTTP library chooses."""
    name = next(name for name in ("httpx2", "httpx") if importlib.util.find_spec(name))
    context: ssl.SSLContext = importlib.import_module(name).create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
