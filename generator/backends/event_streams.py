"""An answer that came as a stream of events though none was asked for, put together.

Some gateways stream whatever the request says. The answer is paid for and whole,
and asking again would bring another stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from generator.backends.error_layers import error_in

_TEXTS = ("content", "reasoning_content", "reasoning", "thinking", "refusal")
_BEGINS = (b"data:", b"event:", b"id:", b"retry:", b":")


def looks_like_a_stream(body: bytes) -> bool:
    """Whether a body that is no JSON may be server-sent events."""
    return body.lstrip(b"\xef\xbb\xbf \r\n").startswith(_BEGINS)


def whole_answer(body: bytes) -> Mapping[str, Any] | None:
    """The stream's first choice as an answer that was not streamed; None when it broke off.

    An event that is an error is given back as it is: it is the answer then.
    """
    choice: dict[str, Any] = {}
    answer: dict[str, Any] = {"choices": [choice]}
    parts: dict[str, list[str]] = {}
    finished = False
    for data in _events(body):
        if data == b"[DONE]":
            finished = True
            break
        event = _object(data)
        if event is None:
            return None
        if error_in(event) is not None:
            return event
        answer.update({name: event[name] for name in ("model", "usage") if event.get(name)})
        for part in _first_choices(event):
            if part.get("finish_reason") is not None:
                choice["finish_reason"] = part["finish_reason"]
            _collect(part, parts)
    if "finish_reason" not in choice and not (finished and parts):
        return None
    if "text" in parts:
        choice["text"] = "".join(parts.pop("text"))
    choice["message"] = {name: "".join(texts) for name, texts in parts.items()}
    return answer


def _events(body: bytes) -> Iterator[bytes]:
    """The data of each event; its lines are joined, comments and other fields left out."""
    lines: list[bytes] = []
    for line in (*body.replace(b"\r\n", b"\n").split(b"\n"), b""):
        if line.startswith(b"data:"):
            lines.append(line[5:].strip())
        elif not line and lines:
            yield b"\n".join(lines)
            lines = []


def _object(data: bytes) -> Mapping[str, Any] | None:
    try:
        event = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return event if isinstance(event, Mapping) else None


def _first_choices(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    choices = event.get("choices")
    for part in choices if isinstance(choices, list) else ():
        if isinstance(part, Mapping) and part.get("index") in (0, None):
            yield part


def _collect(part: Mapping[str, Any], parts: dict[str, list[str]]) -> None:
    if isinstance(part.get("text"), str):
        parts.setdefault("text", []).append(part["text"])
    delta = part.get("delta")
    if isinstance(delta, Mapping):
        for name in _TEXTS:
            if isinstance(delta.get(name), str):
                parts.setdefault(name, []).append(delta[name])
