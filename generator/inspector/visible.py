"""Corpus text as markup: escaped, with faults marked and what cannot be seen made visible. Pure."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from markupsafe import Markup, escape

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters but tab and newline, those that steer direction, and invisible ones. The
joiners U+200C and U+200D belong to Persian, Hindi and emoji and are left alone."""

_C0 = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB"
    " CAN EM SUB ESC FS GS RS US"
).split()
_SHORT = MappingProxyType(
    {**dict(enumerate(_C0)), 0x7F: "DEL", 0x200B: "ZWSP", 0x200E: "LRM", 0x200F: "RLM",
     0xFEFF: "BOM"}
)  # fmt: skip
"""What people call them; fonts have signs for few."""

MOST_SHOWN = 12_000
"""Characters of a text that are shown before somebody asks for all."""

_AROUND_FAULT = 1_500
_CHUNK = 20_000


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a text (code points, end exclusive) and the numbers of the reasons it is for."""

    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as markup; `hidden` counts the characters that are not in it."""

    markup: Markup
    chars: int
    hidden: int


def visible(text: str) -> Markup:
    """The text escaped, unseen characters as their names in small boxes."""
    pieces: list[str] = []
    end = 0
    for met in _UNSEEN.finditer(text):
        pieces += [escape(text[end : met.start()]), _boxed(met.group())]
        end = met.end()
    pieces.append(escape(text[end:]))
    return Markup("").join(Markup(piece) for piece in pieces)


def plain(text: str) -> str:
    """The text with unseen characters as codes, for places that take no markup."""
    return _UNSEEN.sub(lambda met: f"\\u{{{ord(met.group()):x}}}", text)


def without_unseen(text: str) -> str:
    """The text without characters that cannot be seen: what a person is given to edit."""
    return _UNSEEN.sub("", text)


def escaped_json(value: Any) -> str:
    """JSON with unseen characters as `\\u` escapes: the same value, all of it visible."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _UNSEEN.sub(lambda met: json.dumps(met.group())[1:-1], text)


def _boxed(character: str) -> Markup:
    number = ord(character)
    name = unicodedata.name(character, "CONTROL CHARACTER")
    short = _SHORT.get(number, f"U+{number:04X}")
    return Markup('<span class="unseen" title="U+{:04X} {}">{}</span>').format(number, name, short)


def shown(text: str, marks: Sequence[Mark] = (), *, whole: bool = False) -> Shown:
    """The text with its faults marked; a long one cut to its beginning and around the faults."""
    marks = _fitting(marks, len(text))
    if whole:
        return Shown(_in_chunks(text, marks), len(text), 0)
    windows = _windows(len(text), marks)
    pieces: list[Markup] = []
    hidden = end = 0
    for start, stop in windows:
        if start > end:
            pieces.append(_gap(start - end))
            hidden += start - end
        pieces.extend(_marked(text, start, stop, marks))
        end = stop
    if end < len(text):
        pieces.append(_gap(len(text) - end))
        hidden += len(text) - end
    return Shown(Markup("").join(pieces), len(text), hidden)


def excerpt(text: str, span: tuple[int, int] | None, around: int = 90) -> Markup:
    """One line of a text, about its fault or its beginning."""
    if span is None:
        return _one_line(text[: 2 * around]) + ("…" if len(text) > 2 * around else "")
    start, end = max(0, min(span[0], len(text))), max(0, min(span[1], len(text)))
    end = min(end, start + 2 * around)
    before = max(0, start - around)
    return Markup("{}{}<mark>{}</mark>{}{}").format(
        "…" if before else "",
        _one_line(text[before:start]),
        _one_line(text[start:end]) or "⌶",
        _one_line(text[end : end + around]),
        "…" if end + around < len(text) else "",
    )


def _one_line(text: str) -> Markup:
    return visible(re.sub(r"\s*\n\s*", " ⏎ ", text).replace("\t", " "))


def _in_chunks(text: str, marks: Sequence[Mark]) -> Markup:
    """All of the text; a long one in blocks, so that a browser lays out what is looked at alone."""
    if len(text) <= 2 * _CHUNK:
        return Markup("").join(_marked(text, 0, len(text), marks))
    pieces: list[Markup] = []
    start = 0
    while start < len(text):
        end = min(start + _CHUNK, len(text))
        if end < len(text):
            near = max(text.rfind("\n", start, end), start + _CHUNK // 2)
            space = text.rfind(" ", near, end)
            end = (near if text[near] == "\n" else space if space > 0 else end - 1) + 1
        pieces.append(
            Markup('<span class="chunk">{}</span>').format(
                Markup("").join(_marked(text, start, end, marks))
            )
        )
        start = end
    return Markup("").join(pieces)


def _gap(count: int) -> Markup:
    return Markup('<span class="gap">… {:,} characters not shown …</span>').format(count)


def _fitting(marks: Sequence[Mark], length: int) -> list[Mark]:
    """The marks inside the text, in order, overlapping ones parted at their borders."""
    inside = [
        Mark(max(0, m.start), min(m.end, length), m.numbers)
        for m in marks
        if 0 <= m.start <= length and m.end >= m.start
    ]
    empty = [m for m in inside if m.start == m.end]
    borders = sorted({b for m in inside if m.start < m.end for b in (m.start, m.end)})
    parts = []
    for start, end in pairwise(borders):
        numbers = [n for m in inside if m.start <= start and end <= m.end for n in m.numbers]
        if numbers:
            parts.append(Mark(start, end, tuple(dict.fromkeys(numbers))))
    return sorted([*parts, *empty], key=lambda m: (m.start, m.end))


def _windows(length: int, marks: Sequence[Mark]) -> list[tuple[int, int]]:
    if length <= MOST_SHOWN:
        return [(0, length)]
    windows = [(0, MOST_SHOWN - 2 * _AROUND_FAULT)]
    for mark in marks:
        start = max(0, mark.start - _AROUND_FAULT)
        end = min(length, min(mark.end, mark.start + _AROUND_FAULT) + _AROUND_FAULT)
        if start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(windows[-1][1], end))
        else:
            windows.append((start, end))
    return windows


def _marked(text: str, start: int, stop: int, marks: Sequence[Mark]) -> Iterator[Markup]:
    end = start
    for mark in marks:
        at_the_end = mark.start == stop == len(text)
        if (mark.start >= stop and not at_the_end) or (mark.end <= start and mark.start < start):
            continue
        yield visible(text[end : max(end, mark.start)])
        first = mark.numbers[0] if mark.numbers else 0
        inside = visible(text[max(end, mark.start) : min(mark.end, stop)]) or Markup("⌶")
        yield Markup('<mark class="fault" data-reason="{}" title="{}">{}</mark>').format(
            first, "reason " + ", ".join(map(str, mark.numbers)), inside
        )
        end = max(end, min(mark.end, stop))
    yield visible(text[end:stop])
