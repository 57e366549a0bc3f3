"""The ASGI application: routes, and every way in which a reply can be delivered or not."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from generator.fakeserver.journal import line_of
from generator.fakeserver.rehearsal import Rehearsal, Ticket
from generator.fakeserver.replies import Reply, error_reply
from generator.fakeserver.status_faults import bad_key
from generator.values import PromptForm

MOST_BODY_BYTES = 32 * 1024 * 1024
_DRIP_PIECES = 20


class Connection(Protocol):
    """The part of an asyncio transport that faults need."""

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...
    def get_extra_info(self, name: str) -> socket.socket | None: ...


FindConnection = Callable[[tuple[str, int]], Connection | None]
"""The open connection of a client, by the client's address and port."""


def make_app(
    rehearsal: Rehearsal, find_connection: FindConnection, on_end: Callable[[], None]
) -> Starlette:
    """The application. `on_end` is called after each request for an answer has ended."""
    generating = (
        ("/v1/chat/completions", _Generating(rehearsal, "chat", find_connection, on_end)),
        ("/v1/completions", _Generating(rehearsal, "completion", find_connection, on_end)),
    )

    async def models(request: Request) -> Response:
        if not rehearsal.key_fits(request.headers):
            reply = bad_key()
            return Response(reply.body, reply.status, media_type=reply.content_type)
        names = rehearsal.settings.known_models
        data = [{"id": name, "object": "model", "owned_by": "dialogsmith"} for name in names]
        return JSONResponse({"object": "list", "data": data})

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def stats(_: Request) -> Response:
        return JSONResponse(rehearsal.journal.stats())

    async def log(_: Request) -> Response:
        entries = tuple(rehearsal.journal.entries)
        return StreamingResponse(map(line_of, entries), media_type="application/x-ndjson")

    return Starlette(
        routes=[
            *(Route(path, endpoint, methods=["POST"]) for path, endpoint in generating),
            Route("/v1/models", models),
            Route("/health", health),
            Route("/stats", stats),
            Route("/log", log),
        ]
    )


class _Generating:
    """The endpoint of one request form: a plain ASGI application, since it may end impolitely."""

    def __init__(
        self,
        rehearsal: Rehearsal,
        form: PromptForm,
        find_connection: FindConnection,
        on_end: Callable[[], None],
    ) -> None:
        self._rehearsal = rehearsal
        self._form: PromptForm = form
        self._find_connection = find_connection
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw = await _whole_body(receive)
        if raw is None:
            reply = error_reply(413, "The body is too large.")
            await _send_whole(reply, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        ticket = await self._rehearsal.reply_to(self._form, headers, raw)
        delivered = False
        try:
            delivered = await self._deliver(ticket, scope, receive, send)
        finally:
            self._rehearsal.end(ticket, delivered=delivered)
            self._on_end()

    async def _deliver(self, ticket: Ticket, scope: Scope, receive: Receive, send: Send) -> bool:
        """Whether the reply, such as it is, went out while the client was still there."""
        reply = ticket.reply
        if reply.delay_s > 0 and await _gone_within(reply.delay_s, receive):
            return False
        if reply.delivery == "whole":
            await _send_whole(reply, send)
            return True
        if reply.delivery == "drip":
            return await _drip(reply, receive, send)
        if reply.delivery == "hang":
            await _until_gone(receive)
            return False
        await self._break_off(reply, scope, receive, send)
        return True

    async def _break_off(self, reply: Reply, scope: Scope, receive: Receive, send: Send) -> None:
        connection = self._find_connection(tuple(scope["client"]))
        if connection is None:
            return
        if reply.delivery in ("torn", "torn_chunked"):
            await _start(reply, send, with_length=reply.delivery == "torn")
            half = reply.body[: len(reply.body) // 2]
            await send({"type": "http.response.body", "body": half, "more_body": True})
        elif reply.delivery == "not_http":
            connection.write(b"220 mail.example.org ready\r\n")
        if reply.delivery == "reset":
            _reset(connection)
        else:
            connection.close()
        await _until_gone(receive)


async def _whole_body(receive: Receive) -> bytes | None:
    """The body of the request; None when it is too large. Of a client that left, what came."""
    message = await receive()
    body: bytes = message.get("body", b"")
    if not message.get("more_body"):
        return body
    pieces, size = [body], len(body)
    while message.get("more_body"):
        message = await receive()
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > MOST_BODY_BYTES:
            return None
    return b"".join(pieces)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _gone_within(seconds: float, receive: Receive) -> bool:
    """Wait so long; True as soon as the client has closed its connection."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _until_gone(receive)
            return True
    return False


async def _start(reply: Reply, send: Send, *, with_length: bool) -> None:
    headers = [
        (b"content-type", reply.content_type.encode("latin-1")),
        *((name.encode("latin-1"), value.encode("latin-1")) for name, value in reply.headers),
    ]
    if with_length:
        headers.append((b"content-length", str(len(reply.body)).encode("ascii")))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})


async def _send_whole(reply: Reply, send: Send) -> None:
    await _start(reply, send, with_length=True)
    await send({"type": "http.response.body", "body": reply.body})


async def _drip(reply: Reply, receive: Receive, send: Send) -> bool:
    await _start(reply, send, with_length=True)
    pieces = tuple(_pieces(reply.body))
    for number, piece in enumerate(pieces, start=1):
        if await _gone_within(reply.drip_s / len(pieces), receive):
            return False
        last = number == len(pieces)
        await send({"type": "http.response.body", "body": piece, "more_body": not last})
    return True


def _pieces(body: bytes) -> Iterator[bytes]:
    size = max(1, -(-len(body) // _DRIP_PIECES))
    for start in range(0, len(body), size):
        yield body[start : start + size]


def _reset(connection: Connection) -> None:
    """Close with a TCP reset: lingering for zero seconds makes the kernel drop the connection."""
    raw = connection.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.abort()
