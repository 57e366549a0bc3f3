"""From a `Request` to the JSON body of an OpenAI-compatible server."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from generator.backends.context import RolePolicy
from generator.backends.openai_faults import FaultObject
from generator.backends.surrogates import REPLACED_NOTE, without_lone_surrogates
from generator.errors import WrongUse
from generator.values import Constraint, Message, Request

TOKEN_NAMES = ("max_tokens", "max_completion_tokens")
_DROPPABLE = ("temperature", "top_p", "seed", "stop")
_UNSUPPORTED = frozenset(("unsupported_parameter", "unsupported_value", "unknown_parameter"))
_RESERVED = frozenset(("model", "messages", "prompt", "stream", "stream_options", "n", "best_of"))


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server wants said differently: learned from its errors, kept by the backend."""

    token_name: str = "max_tokens"
    token_name_learned: bool = field(default=False, compare=False)
    dropped: frozenset[str] = frozenset()

    def joined(self, other: Dialect) -> Dialect:
        """Both together; where both learned the token parameter's name, the other's counts."""
        newest = other if other.token_name_learned else self
        return replace(newest, dropped=self.dropped | other.dropped)


@dataclass(frozen=True, slots=True)
class Wire:
    """A body to send, and what in it differs from the request."""

    body: dict[str, Any]
    notes: tuple[str, ...]


def wire_request(
    request: Request, model: str, dialect: Dialect, roles: RolePolicy = "as-given"
) -> Wire:
    """The body of one request.

    Raises `WrongUse` for an `extra` that is not a setting or has no JSON value.
    """
    body: dict[str, Any] = {"model": model}
    if request.prompt is not None:
        body["prompt"] = without_lone_surrogates(request.prompt)
        replaced = body["prompt"] != request.prompt
    else:
        messages = arranged(request.messages, roles)
        contents = [without_lone_surrogates(message.content) for message in messages]
        replaced = any(a != m.content for a, m in zip(contents, messages, strict=True))
        body["messages"] = [
            {"role": message.role, "content": content}
            for message, content in zip(messages, contents, strict=True)
        ]
    notes = [f"request: {REPLACED_NOTE}"] if replaced else []
    for name, value in _settings(request).items():
        if name in dialect.dropped:
            notes.append(f"{name} dropped: the server does not support it")
        elif name == "max_tokens":
            body[dialect.token_name] = value
            if dialect.token_name_learned:
                notes.append(f"max_tokens sent as {dialect.token_name}: the server wants it so")
        else:
            body[name] = value
    if request.constraint is not None:
        body.update(_constrained(request.constraint, chat=request.prompt is None))
    for name, value in request.sampling.extra:
        if name in _RESERVED:
            raise WrongUse(f"the extra parameter {name!r} is not a setting of the sampling")
        body[name] = _json_value(name, value)
    return Wire(body, tuple(notes))


def arranged(messages: tuple[Message, ...], roles: RolePolicy) -> tuple[Message, ...]:
    """The messages as a strict server takes them; the text is kept whole, joined by blank lines."""
    if roles == "as-given":
        return messages
    system = [message.content for message in messages if message.role == "system"]
    others = [message for message in messages if message.role != "system"]
    if system:
        first = next((n for n, message in enumerate(others) if message.role == "user"), None)
        text = "\n\n".join(system)
        if first is None or (roles == "alternate" and first > 0):
            others.insert(0, Message("user", text))
        else:
            others[first] = Message("user", f"{text}\n\n{others[first].content}")
    if roles == "fold-system":
        return tuple(others)
    joined: list[Message] = []
    for message in others:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(message)
    return tuple(joined)


def learned(dialect: Dialect, fault: FaultObject, body: dict[str, Any]) -> Dialect | None:
    """The dialect to try after this error, or None when the error is about something else.

    Servers name the parameter by `param` with an `unsupported_…` code, by `param`
    alone, or in a list of forbidden fields. A parameter with another code (a
    value out of range) is the request's fault and is never dropped.
    """
    names = set(fault.unknown)
    if fault.param is not None and (fault.words & _UNSUPPORTED or fault.code is None):
        names.add(fault.param)
    token_name = next((name for name in TOKEN_NAMES if name in names and name in body), None)
    if token_name is not None:
        other = TOKEN_NAMES[1 - TOKEN_NAMES.index(token_name)]
        return replace(dialect, token_name=other, token_name_learned=True)
    # An HTTP status as the code says nothing about why: the value may be the fault.
    if fault.status is not None and not fault.words & _UNSUPPORTED:
        names = set(fault.unknown)
    dropped = frozenset(name for name in _DROPPABLE if name in names and name in body)
    return replace(dialect, dropped=dialect.dropped | dropped) if dropped else None


def _settings(request: Request) -> dict[str, Any]:
    sampling = request.sampling
    named = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "stop": [without_lone_surrogates(text) for text in sampling.stop] or None,
    }
    return {name: value for name, value in named.items() if value is not None}


def _json_value(name: str, value: Any) -> Any:
    """A value as JSON has it: texts that UTF-8 can hold, and no NaN."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise WrongUse(f"the extra parameter {name!r} has a value that JSON cannot hold") from None
    return json.loads(without_lone_surrogates(text))


def _constrained(constraint: Constraint, *, chat: bool) -> dict[str, Any]:
    """GBNF and a completion's schema are llama.cpp's parameters, the chat schema is OpenAI's."""
    if constraint.kind == "gbnf":
        return {"grammar": without_lone_surrogates(constraint.body)}
    try:
        schema = json.loads(constraint.body)
    except ValueError as error:
        raise WrongUse(f"the JSON schema of the request is no JSON: {error}") from None
    if not chat:
        return {"json_schema": schema}
    form = {"name": "answer", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": form}}
