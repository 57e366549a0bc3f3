"""Texts of a corpus cut to what a reader can take in, and made harmless."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.report.figures import Example
from generator.report.show import harmless

_AROUND = 1_500
_MARKED = 1_500
"""Characters of raw text shown before and after a fault, and of the fault itself."""
_TEXTS = 9
_LONGEST_LINE = 400
_GAP = " […] "


def shown_text(text: Any, longest: int = _LONGEST_LINE) -> str:
    """A short text: cut, and without characters that would turn the text around it."""
    whole = str(text)
    return harmless(whole[:longest]) + ("…" if len(whole) > longest else "")


def shown_example(example: Example) -> Mapping[str, Any]:
    """A refused sample as the page shows it: each text in three parts, the fault in the middle."""
    several = len(example.raw) > 1
    span = example.reason["span"]
    return {
        "id": shown_text(example.id),
        "source": shown_text(
            example.source if example.line is None else f"{example.source}:{example.line}"
        ),
        "detail": shown_text(example.reason["detail"]),
        "texts": [
            {
                "role": shown_text(role) if several else "",
                **excerpt(text, span if n == example.spans_in else None),
            }
            for n, (role, text) in enumerate(example.raw[:_TEXTS])
        ],
        "more": max(0, len(example.raw) - _TEXTS),
    }


def excerpt(text: str, span: list[int] | None) -> dict[str, str]:
    """The text around a fault, and the fault; the beginning where no place is known."""
    start, end = (0, 0) if span is None else (min(span[0], len(text)), min(span[1], len(text)))
    before, marked, after = text[:start], text[start:end], text[end:]
    room = _AROUND if span is not None else 2 * _AROUND
    if len(marked) > _MARKED:
        marked = marked[: _MARKED // 2] + _GAP + marked[-_MARKED // 2 :]
    return {
        "before": (_GAP if len(before) > room else "") + _lines(before[-room:]),
        "marked": _lines(marked),
        "after": _lines(after[:room]) + (_GAP if len(after) > room else ""),
    }


def _lines(text: str) -> str:
    return harmless(text.replace("\r\n", "\n"))
