"""Texts that remember where each of their characters stood in the raw text.

Thinking blocks are cut out, markup and escapes are replaced, and still every place in what is
left can be named in code points of the raw text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise

from .model import Span

Edit = tuple[int, int, str]
"""Replace the text from start to end (exclusive) by a string."""


class MappedText:
    """A text made from another one by edits; `raw_position` leads back to the first of them."""

    __slots__ = ("_parent", "_sources", "_starts", "raw", "text")

    def __init__(
        self,
        text: str,
        parent: MappedText | None = None,
        starts: tuple[int, ...] = (),
        sources: tuple[int, ...] = (),
    ) -> None:
        self.text = text
        self.raw: str = text if parent is None else parent.raw
        self._parent = parent
        self._starts = starts
        self._sources = sources

    def edited(self, edits: Iterable[Edit]) -> MappedText:
        """The text after `edits`, which must be in order and must not overlap."""
        pieces: list[str] = []
        starts: list[int] = [0]
        sources: list[int] = [0]
        length = position = 0
        for start, end, replacement in edits:
            pieces.extend((self.text[position:start], replacement))
            length += start - position
            if replacement:
                starts.append(length)
                sources.append(start)
                length += len(replacement)
            starts.append(length)
            sources.append(end)
            position = end
        if position == 0 and len(starts) == 1:
            return self
        pieces.append(self.text[position:])
        return MappedText("".join(pieces), self, tuple(starts), tuple(sources))

    def raw_position(self, position: int) -> int:
        """Where the character at `position` stood in the raw text."""
        text: MappedText | None = self
        while text is not None and text._parent is not None:
            at = bisect_right(text._starts, position) - 1
            position = text._sources[at] + position - text._starts[at]
            if at + 1 < len(text._sources):
                position = min(position, text._sources[at + 1])
            text = text._parent
        return position

    def raw_span(self, start: int, end: int) -> Span:
        """The raw span of the characters from start to end (exclusive)."""
        if self._parent is None:
            return start, end
        first = self.raw_position(start)
        if end <= start:
            return first, first
        return first, max(first, self.raw_position(end - 1) + 1)


def cut(text: MappedText, spans: Iterable[Span]) -> MappedText:
    """The text without `spans` (in order, apart)."""
    return text.edited((start, end, "") for start, end in spans)


def gaps(length: int, spans: Iterable[Span]) -> tuple[Span, ...]:
    """What lies between `spans` in a text of `length` characters."""
    edges = [0]
    for start, end in spans:
        edges.extend((start, end))
    edges.append(length)
    return tuple((a, b) for a, b in list(pairwise(edges))[::2] if b > a)
