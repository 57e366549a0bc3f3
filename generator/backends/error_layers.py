"""Where in a decoded answer an error is said, whichever way its server wraps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

_INNER = ("error", "errors", "detail", "innererror", "inner_error", "base_resp")
_DEEPEST = 6
_TEXTS = ("message", "msg", "error", "detail", "status_msg")


def error_layers(value: Any) -> tuple[Mapping[str, Any], ...]:
    """The objects an error is said in, the outermost first; empty when there is none.

    Shapes: `{"error": {…}}`, `{"error": "text"}`, the object itself (vLLM,
    Mistral), lists around one (Gemini, LiteLLM), `{"errors": […]}` (Cloudflare),
    `{"detail": …}` (FastAPI), Azure's `innererror`, MiniMax's `base_resp`, and the
    answer of another server in `metadata.raw` (OpenRouter).
    """
    return tuple(_layers(value, 0))


def said_texts(layer: Mapping[str, Any]) -> Iterator[str]:
    """The texts of one layer that tell people what happened."""
    return (text for name in _TEXTS if isinstance(text := layer.get(name), str) and text.strip())


def error_in(value: Mapping[str, Any]) -> Any:
    """What is wrong in an answer that came as a success, or None when it may be one.

    An error object without any content (some gateways put one beside every answer)
    says nothing. Without choices, the answer itself may be the error object.
    """
    error = value.get("error")
    if error and (not isinstance(error, Mapping) or any(error.values())):
        return {"error": error}
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(first, Mapping):
        # OpenRouter puts it there.
        return {"error": first["error"]} if first.get("error") else None
    says_so = any(any(said_texts(layer)) for layer in error_layers(value))
    return value if says_so and not choices else None


def _layers(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth == _DEEPEST:
        return
    if isinstance(value, list):
        value = next((part for part in value if isinstance(part, Mapping)), None)
    if not isinstance(value, Mapping):
        return
    yield value
    metadata = value.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    for inner in (*(value.get(name) for name in _INNER), _decoded(raw)):
        yield from _layers(inner, depth + 1)


def _decoded(raw: Any) -> Any:
    if not isinstance(raw, str):
        return raw
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
