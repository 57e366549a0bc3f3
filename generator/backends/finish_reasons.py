"""Why an answer ended, in the words of OpenAI's API, whichever words its server uses.

What reads answers knows `stop`, `length` and `content_filter`. A cut answer under
another name would be taken for a whole one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

GAVE_UP = frozenset(("error", "network_error", "insufficient_system_resource", "abort"))
"""The server broke the answer off and may not do so again: OpenRouter, Zhipu, DeepSeek, vLLM."""

_SAME: Mapping[str, str] = MappingProxyType(
    {
        # Anthropic, Gemini and Vertex, Cohere, TGI, Mistral's full context, Zhipu.
        "max_tokens": "length",
        "max_output_tokens": "length",
        "max_length": "length",
        "model_length": "length",
        "end_turn": "stop",
        "stop_sequence": "stop",
        "eos": "stop",
        "eos_token": "stop",
        "complete": "stop",
        "safety": "content_filter",
        "recitation": "content_filter",
        "prohibited_content": "content_filter",
        "blocklist": "content_filter",
        "spii": "content_filter",
        "sensitive": "content_filter",
    }
)
_USUAL = frozenset((*_SAME.values(), *GAVE_UP))


def usual_reason(reason: str | None) -> str | None:
    """`stop`, `length` or `content_filter` where the reason means that, else the reason itself."""
    if reason is None or reason == "stop":
        return reason
    word = reason.strip().lower().replace("-", "_")
    return _SAME.get(word, word if word in _USUAL else reason)
