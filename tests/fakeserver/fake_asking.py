"""Asking a fake server: through the project's backends, over plain HTTP, or without a network."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.backends import BackendOptions, make_backend
from generator.errors import DialogsmithError
from generator.fakeserver import FakeServerSettings
from generator.fakeserver.rehearsal import Rehearsal, Ticket
from generator.values import Completion, Message, Request, Sampling

SAMPLING = Sampling(temperature=0.5, top_p=0.9, max_tokens=400, seed=1, stop=("\n\n\n",))
CHAT = Request(
    messages=(Message("user", "Tell me something about the weather."),), sampling=SAMPLING
)
PROMPT = Request(prompt="Once upon a time there was", sampling=SAMPLING)


async def ask_async(
    base_url: str,
    *requests: Request,
    model: str = "fake",
    kind: str = "openai",
    environ: Mapping[str, str] | None = None,
    options: BackendOptions | None = None,
) -> list[Completion | DialogsmithError]:
    """All requests at once through one backend; each ends as an answer or an error."""
    backend = make_backend(
        f"{kind}:{model}@{base_url}", environ=environ or {}, concurrency=32, options=options
    )

    async def one(request: Request) -> Completion | DialogsmithError:
        try:
            return await backend.complete(request)
        except DialogsmithError as error:
            return error

    try:
        return await asyncio.gather(*map(one, requests))
    finally:
        await backend.aclose()


def ask(base_url: str, request: Request = CHAT, **more: Any) -> Completion | DialogsmithError:
    """One request through a backend."""
    return asyncio.run(asyncio.wait_for(ask_async(base_url, request, **more), 20))[0]


@dataclass(frozen=True)
class Answer:
    """A plain HTTP answer. Header names are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.json["choices"][0]["message"]["content"]


def post(base_url: str, body: Any, path: str = "/chat/completions", **headers: str) -> Answer:
    """One POST; a body that is not bytes becomes JSON. Header names: `x_fault` is `x-fault`."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(base_url + path, data=data, headers=named)
    return _opened(request)


def get(url: str, **headers: str) -> Answer:
    return _opened(urllib.request.Request(url, headers=headers))


def _opened(request: urllib.request.Request) -> Answer:
    # Without the environment's proxies: they cannot reach this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=20) as response:
            return _answer(response.status, response)
    except urllib.error.HTTPError as error:
        with error:
            return _answer(error.code, error)


def _answer(status: int, response: Any) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(status, headers, response.read())


def chat_body(*turns: str, **more: Any) -> dict[str, Any]:
    """A body whose messages are "role: content" each; one without a role is the user's."""
    messages = []
    for turn in turns or ("Hello there.",):
        role, colon, content = turn.partition(": ")
        named = colon and role in ("system", "user", "assistant", "developer")
        messages.append(
            {"role": role, "content": content} if named else {"role": "user", "content": turn}
        )
    return {"model": "fake", "messages": messages, **more}


class Hand:
    """A rehearsal without a network, with a clock that a test moves (seconds)."""

    def __init__(self, settings: FakeServerSettings | None = None) -> None:
        self.now_s = 100.0
        self.rehearsal = Rehearsal(
            settings or FakeServerSettings(),
            clock=lambda: self.now_s,
            now=lambda: 1_750_000_000.0 + self.now_s,
        )

    def begin(self, body: Any = None, form: str = "chat", **headers: str) -> Ticket:
        """A request that has arrived and is not ended yet."""
        raw = json.dumps(chat_body() if body is None else body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return asyncio.run(self.rehearsal.reply_to(form, named, raw))

    def send(self, body: Any = None, form: str = "chat", **headers: str) -> Ticket:
        """A request from arrival to end."""
        ticket = self.begin(body, form, **headers)
        self.rehearsal.end(ticket, delivered=True)
        return ticket


def header(ticket: Ticket, name: str) -> str | None:
    return dict(ticket.reply.headers).get(name)


def value(ticket: Ticket) -> Any:
    """The JSON of a reply."""
    return json.loads(ticket.reply.body)
