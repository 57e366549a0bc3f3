"""Which measures are numbers, and which of these are lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_LENGTHS = frozenset(("turns", "pairs", "rounds", "summary_parts", "sentences", "history"))
_UNITS = ("_tokens", "_chars", "_tokens_mean", "_tokens_max", "_chars_mean", "_chars_max")


def numbers(measures: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The measures that are numbers, with their names. Texts and lists are left out."""
    for name, value in measures.items():
        if not isinstance(value, bool) and isinstance(value, int | float):
            yield name, value


def is_length(name: str) -> bool:
    """True for a measure in tokens, characters or turns, false for shares and fault counts."""
    return name in _LENGTHS or name.endswith(_UNITS)
