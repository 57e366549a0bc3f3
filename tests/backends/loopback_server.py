"""A real HTTP server on this machine whose every byte a test decides, and one call against it."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from generator.backends import BackendOptions, make_backend
from generator.backends.openai_access import Access, openai_access
from generator.backends.openai_backend import OpenAIBackend, Seams
from generator.backends.spec import parse_spec
from generator.errors import DialogsmithError
from generator.values import Completion, Message, Request

CHAT = Request(messages=(Message("user", "Say something."),))
PROMPT = Request(prompt="Once upon a time")
NOW = 1_750_000_000.0


@dataclass(frozen=True)
class Seen:
    """One request as the server got it. Header names are lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Reply:
    """Raw bytes to send; then the connection is kept, closed, or left hanging open."""

    raw: bytes
    then: str = "keep"


def reply(
    body: Any = b"",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    content_type: str = "application/json",
    length: int | None = None,
    then: str = "keep",
) -> Reply:
    """A well-formed HTTP answer (unless `length` says otherwise). A dict or list becomes JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [
        f"HTTP/1.1 {status} Whatever",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(content) if length is None else length}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    ]
    return Reply("\r\n".join(lines).encode() + b"\r\n\r\n" + content, then)


def chat_body(message: Any = "Hello.", finish_reason: str | None = "stop", **more: Any) -> Any:
    """A chat completion around one message (a text, or the message object itself)."""
    if isinstance(message, str):
        message = {"role": "assistant", "content": message}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {"object": "chat.completion", "model": "m-1", "choices": [choice], **more}


def error_body(message: str = "No.", **fields: Any) -> Any:
    return {"error": {"message": message, **fields}}


@dataclass
class Loopback:
    """A running server: its address, the requests it got so far, on how many connections."""

    base_url: str
    connections: int = 0
    seen: list[Seen] = field(default_factory=list)


@asynccontextmanager
async def serving(
    answer: Callable[[int, Seen], Reply], *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Loopback]:
    """Serve; `answer` gets the number of the request (from 0) and the request."""
    done = asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
                headers = {name.lower(): value for name, value in headers.items()}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                seen = Seen(head[0].split(" ")[1], headers, json.loads(body))
                server.seen.append(seen)
                given = answer(len(server.seen) - 1, seen)
                writer.write(given.raw)
                await writer.drain()
                if given.then == "hang":
                    await done.wait()
                if given.then != "keep":
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(talk(reader, writer))
        tasks.add(task)
        server.connections += 1
        task.add_done_callback(tasks.discard)

    listener = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls)
    port = listener.sockets[0].getsockname()[1]
    server = Loopback(f"{'https' if tls else 'http'}://127.0.0.1:{port}/v1")
    try:
        yield server
    finally:
        done.set()
        listener.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(frozen=True)
class Outcome:
    """What a call came to: an answer or an error, and what the server saw."""

    completion: Completion | None
    error: DialogsmithError | None
    seen: Sequence[Seen]
    base_url: str


def kind_over(http_path: str, kind: str) -> str:
    """The backend name that takes this path: `openai-sdk…` where the SDK's is wanted."""
    return kind.replace("openai", "openai-sdk", 1) if http_path == "sdk" else kind


def ask(
    *replies: Reply,
    request: Request = CHAT,
    kind: str = "openai",
    environ: Mapping[str, str] | None = None,
    options: BackendOptions | None = None,
    http_path: str = "fast",
) -> Outcome:
    """One `complete` against a server that gives these replies in turn (the last one for ever)."""

    async def main() -> Outcome:
        async with serving(lambda n, _: replies[min(n, len(replies) - 1)]) as server:
            name = kind_over(http_path, kind)
            backend = make_backend(
                f"{name}:my-model@{server.base_url}", environ=environ or {}, options=options
            )
            completion, error = None, None
            try:
                completion = await backend.complete(request)
            except DialogsmithError as raised:
                error = raised
            finally:
                await backend.aclose()
            return Outcome(completion, error, server.seen, server.base_url)

    return asyncio.run(asyncio.wait_for(main(), 20))


def failed(outcome: Outcome) -> DialogsmithError:
    """The error of a call that must have failed."""
    assert outcome.error is not None, f"answered: {outcome.completion}"
    return outcome.error


def answered(outcome: Outcome) -> Completion:
    """The answer of a call that must have succeeded."""
    assert outcome.completion is not None, f"failed: {outcome.error!r}"
    return outcome.completion


def backend_at(
    base_url: str,
    *,
    concurrency: int = 4,
    http_path: str = "fast",
    access: Access | None = None,
    **seams: Any,
) -> OpenAIBackend:
    """A chat backend with its seams, or its access, replaced."""
    spec = parse_spec(f"openai:my-model@{base_url}")
    return OpenAIBackend(
        spec,
        access or openai_access(spec, {}),
        form="chat",
        concurrency=concurrency,
        sdk=http_path == "sdk",
        seams=Seams(**seams),
    )
