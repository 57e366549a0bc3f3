"""Error answers of OpenAI-compatible servers, and what each means.

Decided by the HTTP status and by the error object's `code`, `type` and `param`;
its message is shown and never searched. The code names come from the servers'
documentation and sources: OpenAI, Azure, Gemini, vLLM, llama.cpp, Ollama, TGI, Mistral,
OpenRouter, LiteLLM, New API, Groq, DashScope, Moonshot, Zhipu.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from generator.backends.error_layers import error_layers, said_texts
from generator.backends.waits import span_s

BODY_LIMIT = 20_000
"""Characters of an answer that are kept with an error."""

_SHOWN = 300
_MOST_TEXTS = 2
_CODES = ("code", "type", "status", "error_type", "error_code")
_STATUS = ("code", "status", "statusCode", "status_code")
_OWN = frozenset(("code", "message", "param"))

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class FaultObject:
    """The error object of an answer in normal form.

    `words` are its codes and types in lower case, inner ones included; `code`
    is its own code, None when it has none or only repeats the HTTP status.
    `wait_s` is how long it asks to be left alone (seconds). `unknown` are parameters
    a validation error lists as not allowed.
    """

    message: str = ""
    code: str | None = None
    status: int | None = None
    param: str | None = None
    words: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    flagged: bool = False
    prompt_tokens: int | None = None
    context_tokens: int | None = None
    wait_s: float | None = None
    present: bool = False


def read_fault(value: Any) -> FaultObject:
    """The error in a decoded answer, wherever the server puts it; empty when there is none."""
    layers = error_layers(value)
    if not layers:
        return FaultObject()
    main = next((layer for layer in layers if not _OWN.isdisjoint(layer)), layers[-1])
    code = main.get("code")
    return FaultObject(
        message=_message(layers),
        code=code if isinstance(code, str) and code and not code.isdigit() else None,
        status=_first(_status(layer.get(name)) for layer in layers for name in _STATUS),
        param=_first(_text_or_none(layer.get("param")) for layer in layers),
        words=frozenset(word.lower() for layer in layers for word in _words(layer)),
        unknown=frozenset(name for layer in layers for name in _unknown_parameters(layer)),
        flagged=any(_is_flagged(layer) for layer in layers),
        prompt_tokens=_first(_int_or_none(layer.get("n_prompt_tokens")) for layer in layers),
        context_tokens=_first(_int_or_none(layer.get("n_ctx")) for layer in layers),
        wait_s=_first(_retry_delay_s(layer) for layer in layers),
        present=any(layers),
    )


def kept_body(body: bytes, secrets: tuple[str, ...]) -> str:
    """The answer as text for inspection: bounded, and without the key should it be in there."""
    text = body[: 4 * BODY_LIMIT].decode("utf-8", "replace")
    return scrubbed(text, secrets)[:BODY_LIMIT]


def scrubbed(text: str, secrets: tuple[str, ...]) -> str:
    """The text with every secret in it replaced, also as JSON and URLs may escape it."""
    for secret in secrets:
        text = re.sub("".join(map(_escaped_or_not, secret)), "[key]", text)
    return text


def _escaped_or_not(character: str) -> str:
    number = ord(character)
    plain = rf"\\{{0,3}}{re.escape(character)}"
    return rf"(?:{plain}|\\{{1,3}}u(?i:{number:04x})|%(?i:{number:02x}))"


def shown(text: str, secrets: tuple[str, ...]) -> str:
    """Words of a server on one line, bounded, without the key and without control characters."""
    text = scrubbed(text[: 20 * _SHOWN], secrets)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def _message(layers: tuple[Mapping[str, Any], ...]) -> str:
    """What the server says, the words of the server behind it included; JSON when not a text."""
    texts = dict.fromkeys(text for layer in layers for text in said_texts(layer))
    if texts:
        return ": ".join(tuple(texts)[:_MOST_TEXTS])
    others = [layer.get(name) for layer in layers for name in ("message", "detail")]
    others += [error for layer in layers if isinstance(error := layer.get("error"), list)]
    found = next((other for other in others if other), "")
    try:
        return json.dumps(found, ensure_ascii=True) if found else ""
    except RecursionError:
        return ""


def _words(layer: Mapping[str, Any]) -> Iterator[str]:
    """Codes and types of one layer."""
    yield from (word for name in _CODES if isinstance(word := layer.get(name), str) and word)
    error = layer.get("error")
    if isinstance(error, str) and len(error.split()) == 1:
        # OAuth's way: the code stands where others have a text.
        yield error
    yield from (word for detail in _details(layer) if isinstance(word := detail.get("reason"), str))


def _details(layer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Google's `details`: one with a `reason`, one with a `retryDelay`."""
    details = layer.get("details")
    return (d for d in (details if isinstance(details, list) else ()) if isinstance(d, Mapping))


def _retry_delay_s(layer: Mapping[str, Any]) -> float | None:
    delays = (detail.get("retryDelay") for detail in _details(layer))
    return _first(span_s(delay) for delay in delays if isinstance(delay, str))


def _is_flagged(layer: Mapping[str, Any]) -> bool:
    metadata = layer.get("metadata")
    return isinstance(metadata, Mapping) and "flagged_input" in metadata


def _unknown_parameters(layer: Mapping[str, Any]) -> Iterator[str]:
    message = layer.get("message")
    nested = message.get("detail") if isinstance(message, Mapping) else None
    for details in (layer.get("detail"), nested):
        for detail in details if isinstance(details, list) else ():
            if not isinstance(detail, Mapping) or detail.get("type") != "extra_forbidden":
                continue
            place = detail.get("loc")
            if isinstance(place, list) and place and isinstance(place[-1], str):
                yield place[-1]


def _status(code: Any) -> int | None:
    """An error code that is an HTTP status in truth."""
    number = int(code) if isinstance(code, str) and code.isdecimal() and len(code) == 3 else code
    return number if isinstance(number, int) and 400 <= number <= 599 else None


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _int_or_none(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _first(values: Iterable[Found | None]) -> Found | None:
    return next((value for value in values if value is not None), None)
