"""Finds labels inside a line, for dialogues whose line breaks were lost."""

from __future__ import annotations

import re
from collections import Counter

from .labels import SPEAKING, LabelReader
from .lines import Candidate

_INLINE = re.compile(
    r"(?:(?<=[.!?。！？…\"”」)\]>*])|(?<=^)|(?<=\n))(?P<gap>[ \t\u3000*_|/-]{0,6})"
    r"(?P<head>[^\W\d_](?:[^\n:：.!?。！？,，;；\"“”()（）]|(?<=Dr|Mr|"
    r"Ms)\.){0,30})(?P<close>[*_]{0,3})[:：](?P<end>[*_]{0,3})(?!//)"
)


def find_inline(text: str, reader: LabelReader, start: int, end: int, most: int) -> list[Candidate]:
    """Labels that follow the end of a sentence within a line, with line-initial ones, in order.

    Words of the vocabulary count, and names that come at least twice.
    """
    found: list[Candidate] = []
    for match in _INLINE.finditer(text, start, end):
        label = reader.read(match["head"])
        if label is None or label.kind not in SPEAKING | {"summary"}:
            continue
        if len(found) >= most:
            return []
        position = match.end()
        while position < end and text[position] in " \t\u3000":
            position += 1
        line_end = text.find("\n", position, min(end, position + 200))
        found.append(
            Candidate(
                match.start("gap"),
                position,
                min(end, position + 200) if line_end < 0 else line_end,
                label,
                match["gap"],
                "colon",
            )
        )
    counts = Counter(c.label.base for c in found if c.label.kind == "name")
    return [c for c in found if c.label.kind != "name" or counts[c.label.base] > 1]
