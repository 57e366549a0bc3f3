"""Lone surrogates: what JSON can smuggle in and UTF-8 cannot hold."""

from __future__ import annotations

REPLACED_NOTE = "lone surrogates replaced by U+FFFD"


def without_lone_surrogates(text: str) -> str:
    """The text itself when UTF-8 can hold it; else pairs joined and lone ones made U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
