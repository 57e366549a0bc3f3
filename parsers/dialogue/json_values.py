"""Finds the JSON in a text: where it begins, one value after another, and whether it ends."""

from __future__ import annotations

import re
from typing import Any

from .relaxed_json import Members, read_value

_BEGIN = re.compile(r"[\[{]\s*+(?:[\"'“{\[(\]}]|[A-Za-z_]\w{0,40}\s*:|//|/\*|#)")
_LINE_BEGIN = re.compile(
    r"(?m)^[ \t]*+(?:[A-Za-z_]\w{0,40}\s*=\s*|[A-Za-z_\"' ]{0,20}:\s*)?(?=[\[{])"
)
_MOST_TRIES = 4
_MOST_VALUES = 2_000
"""JSON Lines with more values than this are no dialogue."""


def find_values(text: str) -> tuple[list[Any], bool, bool, int, int]:
    """All values that follow each other, and whether the last was cut or bad."""
    values: list[Any] = []
    first = last = -1
    position = 0
    tries = 0
    while tries < _MOST_TRIES:
        begin = _next_begin(text, position)
        if begin < 0:
            break
        if values and text[last:begin].strip(" \t\r\n,;`"):
            break
        parsed = read_value(text, begin)
        if (parsed.bad or parsed.cut) and not values:
            tries += 1
            if parsed.cut or _structured_here(text, begin):
                return (
                    [parsed.value] if parsed.value else [],
                    parsed.cut,
                    not parsed.cut,
                    begin,
                    parsed.end,
                )
            position = begin + 1
            continue
        if parsed.bad or parsed.cut:
            return [*values, parsed.value], parsed.cut, parsed.bad, first, parsed.end
        if not values and not isinstance(parsed.value, Members) and not _promising(parsed.value):
            tries += 1
            position = parsed.end
            continue
        first = begin if first < 0 else first
        if len(values) >= _MOST_VALUES:
            return values, False, True, first, parsed.end
        values.append(parsed.value)
        position = last = parsed.end
    return values, False, False, max(first, 0), max(last, 0)


def _promising(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and (all(isinstance(item, Members | list) for item in value) or len(value) > 1)
    )


def _structured_here(text: str, begin: int) -> bool:
    line = text.rfind("\n", 0, begin) + 1
    before = text[line:begin].strip()
    return not before or before.endswith("=")


def _is_link(text: str, start: int) -> bool:
    """Whether "[[" opens a wiki link and not an array of arrays."""
    return text.startswith("[[", start) and text[start + 2 : start + 3] not in {'"', "'", "{", "["}


def _next_begin(text: str, position: int) -> int:
    for line in _LINE_BEGIN.finditer(text, position):
        if _BEGIN.match(text, line.end()) and not _is_link(text, line.end()):
            return line.end()
    found = _BEGIN.search(text, position)
    return found.start() if found and text[found.start()] == "{" else -1
