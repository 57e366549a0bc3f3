"""Tells code fences around a dialogue from code inside an answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from .model import Span

_FENCE = re.compile(
    r"^(?:[^\n`~]{0,60}[:：][ \t]*)?[ \t>]{0,12}(?:`{3,}|~{3,})[\w+.-]{0,20}[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Fenced:
    """The part of the text to read, the fenced stretches in it, and those that are code."""

    start: int
    end: int
    pairs: tuple[Span, ...] = ()
    code: tuple[Span, ...] = ()

    def hides(self, line: int) -> bool:
        """Whether a line lies inside code, where labels are only quoted."""
        at = bisect_right(self.code, (line, line)) - 1
        return at >= 0 and self.code[at][0] <= line < self.code[at][1]

    def around(self, labels: Sequence[int]) -> Fenced:
        """Narrow to the fence that holds all the labels; fences after the first label are code."""
        if not labels:
            return self
        at = bisect_right(self.pairs, (labels[0], len(self.pairs) + self.end)) - 1
        if at < 0 or labels[0] >= self.pairs[at][1]:
            return Fenced(self.start, self.end, self.pairs, self.pairs)
        start, end = self.pairs[at]
        if labels[-1] < end:
            return Fenced(start, end)
        return Fenced(self.start, self.end, self.pairs)


def look_at_fences(text: str) -> Fenced:
    """Pair the fences of `text` in order; a lone last one is left out of the part to read."""
    if "```" not in text and "~~~" not in text:
        return Fenced(0, len(text))
    lines = [(found.start(), found.end()) for found in _FENCE.finditer(text)]
    pairs = tuple((lines[at][1], lines[at + 1][0]) for at in range(0, len(lines) - 1, 2))
    end = len(text)
    if len(lines) % 2:
        last_start, last_end = lines[-1]
        if not text[last_end:].strip():
            end = last_start
        elif len(lines) == 1:
            pairs = ((last_end, end),)
    return Fenced(0, end, pairs)
