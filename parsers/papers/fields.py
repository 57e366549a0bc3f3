"""Values out of untrusted JSON: what has the wrong type counts as absent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_TAG = re.compile(
    r"</?(?:italic|bold|sub|sup|sc|monospace|underline|overline|roman|i|b|em|strong|xref|"
    r"ext-link|named-content|styled-content|break|title)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING: Mapping[str, Any] = {}


def clean(text: str) -> str:
    """Make text safe to store and send: lone surrogates become U+FFFD, NUL is removed."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = _LONE_SURROGATE.sub("\ufffd", text)
    return text.replace("\0", "") if "\0" in text else text


def text_of(value: object) -> str:
    """Give a string as clean text; anything else (None, NaN, a number, a list) is empty."""
    return clean(value) if isinstance(value, str) else ""


def one_line(value: object) -> str:
    """Give a title or heading: clean, without inline tags, white space collapsed."""
    text = text_of(value)
    if "<" in text:
        text = _TAG.sub("", text)
    return _SPACES.sub(" ", text).strip()


def id_of(*values: object) -> str:
    """Give the first value that can be an id (a non-blank string, or a whole number), or ""."""
    for value in values:
        if isinstance(value, str):
            text = one_line(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            # Hexadecimal beyond 64 bits: str() of a huge int is refused by the interpreter.
            text = str(value) if value.bit_length() <= 64 else hex(value)
        else:
            continue
        if text:
            return text
    return ""


def lines_of(value: object) -> str:
    """Give a string, or a list of strings joined by newline (scipdf's `as_list`)."""
    if isinstance(value, list):
        return "\n".join(text for item in value if (text := text_of(item).strip()))
    return text_of(value)


def mapping_of(value: object) -> Mapping[str, Any]:
    """Give a JSON object; anything else is an empty one."""
    return value if isinstance(value, dict) else _NOTHING


def list_of(value: object) -> Sequence[Any]:
    """Give a JSON list; anything else is an empty one."""
    return value if isinstance(value, list) else ()


def rows_of(value: object) -> Sequence[Mapping[str, Any]]:
    """Give a list of objects, also out of the column layout `{"a": [...], "b": [...]}`.

    The Hugging Face loader turns every list of records into such columns. Items
    that are no objects are left out.
    """
    if isinstance(value, list):
        return [item for item in value if isinstance(item, dict)]
    if isinstance(value, dict):
        columns = {key: column for key, column in value.items() if isinstance(column, list)}
        length = max(map(len, columns.values()), default=0)
        return [
            {key: column[at] for key, column in columns.items() if at < len(column)}
            for at in range(length)
        ]
    return ()
