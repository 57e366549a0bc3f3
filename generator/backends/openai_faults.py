"""Error answers of OpenAI-compatible servers, and what each means.

Decided by the HTTP status and by the error object's `code`, `type` and `param`;
its message is shown and never searched. The code names come from the servers'
documentation and sources: OpenAI, Azure, vLLM, llama.cpp, Ollama, Mistral,
OpenRouter, DashScope, Moonshot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

BODY_LIMIT = 20_000
"""Characters of an answer that are kept with an error."""

_SHOWN = 300


@dataclass(frozen=True, slots=True)
class FaultObject:
    """The error object of an answer in normal form.

    `words` are its codes and types in lower case, inner ones included; `code`
    is its own code, None when it has none or only repeats the HTTP status.
    `unknown` are parameters a validation error lists as not allowed.
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
    present: bool = False


def read_fault(value: Any) -> FaultObject:
    """The error object in a decoded answer, wherever the server puts it; empty when there is none.

    Shapes: `{"error": {…}}`, `{"error": "text"}`, the object itself (vLLM,
    Mistral), a list around one (Gemini), `{"detail": [{"loc", "type"}]}` (FastAPI).
    """
    if isinstance(value, list):
        value = next((part for part in value if isinstance(part, Mapping)), None)
    if not isinstance(value, Mapping):
        return FaultObject()
    error = value.get("error", value)
    if isinstance(error, str):
        return FaultObject(message=error, present=True)
    if not isinstance(error, Mapping):
        return FaultObject()
    code = error.get("code")
    metadata = error.get("metadata")
    return FaultObject(
        message=_message(error),
        code=code if isinstance(code, str) and code and not code.isdigit() else None,
        status=_status(code),
        param=_text_or_none(error.get("param")),
        words=frozenset(_words(error)),
        unknown=frozenset(_unknown_parameters(error)),
        flagged=isinstance(metadata, Mapping) and "flagged_input" in metadata,
        prompt_tokens=_int_or_none(error.get("n_prompt_tokens")),
        context_tokens=_int_or_none(error.get("n_ctx")),
        present=bool(error),
    )


def kept_body(body: bytes, secrets: tuple[str, ...]) -> str:
    """The answer as text for inspection: bounded, and without the key should it be in there."""
    text = body[: 4 * BODY_LIMIT].decode("utf-8", "replace")
    return scrubbed(text, secrets)[:BODY_LIMIT]


def scrubbed(text: str, secrets: tuple[str, ...]) -> str:
    """The text with every secret in it replaced."""
    for secret in secrets:
        text = text.replace(secret, "[key]")
    return text


def shown_message(fault: FaultObject, secrets: tuple[str, ...]) -> str:
    """The server's own words on one line, bounded; empty when it said nothing."""
    line = " ".join(scrubbed(fault.message, secrets).split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def _message(error: Mapping[str, Any]) -> str:
    message = error.get("message", error.get("detail", ""))
    return message if isinstance(message, str) else json.dumps(message, ensure_ascii=True)


def _words(error: Mapping[str, Any]) -> Iterator[str]:
    """Codes and types of the object and of Azure's inner errors."""
    for _ in range(4):
        for name in ("code", "type"):
            word = error.get(name)
            if isinstance(word, str) and word:
                yield word.lower()
        inner = error.get("innererror", error.get("inner_error"))
        if not isinstance(inner, Mapping):
            return
        error = inner


def _unknown_parameters(error: Mapping[str, Any]) -> Iterator[str]:
    message = error.get("message")
    nested = message.get("detail") if isinstance(message, Mapping) else None
    for details in (error.get("detail"), nested):
        for detail in details if isinstance(details, list) else ():
            if not isinstance(detail, Mapping) or detail.get("type") != "extra_forbidden":
                continue
            place = detail.get("loc")
            if isinstance(place, list) and place and isinstance(place[-1], str):
                yield place[-1]


def _status(code: Any) -> int | None:
    """An error code that is an HTTP status in truth."""
    number = int(code) if isinstance(code, str) and code.isdigit() and len(code) == 3 else code
    return number if isinstance(number, int) and 400 <= number <= 599 else None


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _int_or_none(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
