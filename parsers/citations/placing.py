"""Where a group of markers belongs: right behind what it vouches for, before the closing mark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from parsers.citations.edits import Edit
from parsers.citations.forms import Written
from parsers.citations.surroundings import (
    CLOSERS,
    COLONS,
    MARKS,
    PAUSES,
    SENTENCE_ENDS,
    WIDE_MARKS,
    abbreviated,
    before_blanks,
    next_character,
    opens_line,
    skip_blanks,
)

_BETWEEN = re.compile(r"\s{0,3}(?:(?:[,，、;；&/]|\band\b|和|及|与|與|以及)\s{0,3})?")
_LISTED = frozenset([",", "，", "、", ";", "；", "&", "/"])


class Group(NamedTuple):
    """Citations side by side, to be written as one group of markers."""

    start: int
    end: int
    numbers: tuple[int, ...]


def grouped(text: str, found: Iterable[Written], documents: int) -> Iterator[Group]:
    """Neighbouring citations as one group, each number once, in the order they were written."""
    current: Group | None = None
    for written in found:
        numbers = _single(written, documents)
        if current is not None and _joins(text, current.end, written):
            merged = dict.fromkeys((*current.numbers, *numbers))
            current = Group(current.start, written.end, tuple(merged))
            continue
        if current is not None:
            yield current
        current = Group(written.start, written.end, tuple(dict.fromkeys(numbers)))
    if current is not None:
        yield current


def _single(written: Written, documents: int) -> tuple[int, ...]:
    """The numbers; superscript digits that are no number in range are one number each."""
    if written.form == "superscript" and written.numbers[0] > documents:
        return tuple(int(digit) for digit in str(written.numbers[0]))
    return written.numbers


def _joins(text: str, end: int, written: Written) -> bool:
    if written.start - end > 10:
        return False
    between = text[end : written.start]
    if _BETWEEN.fullmatch(between) is None:
        return False
    said = between.strip()
    if not said:
        return True
    # "[1], [2]." is one group; in "[1], [2] and so" the comma may part two clauses.
    following = next_character(text, written.end)
    return following in ("", "\n") or following in MARKS + "[［【〔(（" or said not in _LISTED


def placed(text: str, groups: Sequence[Group]) -> list[Edit]:
    """The edits that write every group in the published form where it belongs."""
    edits: list[Edit] = []
    lowest = 0
    for group in groups:
        edit = _placed(text, group, lowest)
        lowest = group.end
        if edit is not None:
            lowest = max(lowest, edit.end)
            if text[edit.start : edit.end] != edit.new:
                edits.append(edit)
    return edits


def _placed(text: str, group: Group, lowest: int) -> Edit | None:
    markers = "".join(f"[{number}]" for number in group.numbers)
    start = before_blanks(text, group.start, lowest)
    if opens_line(text, group.start):
        # Alone on its line it belongs to the line before; before other words it numbers them.
        rest = skip_blanks(text, group.end)
        if rest < len(text) and text[rest] in MARKS:
            rest = skip_blanks(text, rest + 1)
        if rest < len(text) and text[rest] != "\n":
            return None
        while start > lowest and text[start - 1].isspace():
            start -= 1
    if start == lowest and (start == 0 or text[start - 1] != "]"):
        return None if start == 0 else Edit(start, group.end, markers)
    if start and text[start - 1] in "([{（［【《〈「『“‘":
        return Edit(group.start, group.end, markers)
    anchor = _anchor(text, start, group.end, lowest)
    if anchor is None:
        return Edit(start, group.end, markers)
    moved = text[anchor:start]
    following = text[group.end : group.end + 1]
    end = group.end
    if following and following == moved[:1] and following in MARKS:
        # The same mark before and after: once is enough.
        return Edit(anchor, group.end + 1, markers + moved)
    gap = text[start : group.start]
    if following and not following.isspace() and following not in MARKS + CLOSERS:
        moved += gap or (" " if _needs_space(moved, following) else "")
    return Edit(anchor, end, markers + moved)


def _needs_space(moved: str, following: str) -> bool:
    return moved[-1:] in ".!?,;:" and following.isascii() and following.isalpha()


def _anchor(text: str, start: int, end: int, lowest: int) -> int | None:
    """Where the marks begin behind which the group stands, or None when it stands well."""
    position = start
    while position > lowest and text[position - 1] in CLOSERS:
        position -= 1
    closers = start > position
    stop = position
    while position > lowest and text[position - 1] in MARKS:
        position -= 1
    if position == stop or position == 0:
        return None
    mark, following = text[stop - 1], next_character(text, end)
    if following and following in MARKS:
        adjacent = text[end : end + 1] == following
        same = following == mark and adjacent and stop - position == 1
        return position if same and (mark != "." or not abbreviated(text, stop - 1)) else None
    at_end = following in ("", "\n", "\r")
    if mark in COLONS or mark == "、":
        return position if at_end else None
    if mark in WIDE_MARKS:
        return position
    if mark in PAUSES:
        return position
    if mark not in SENTENCE_ENDS:
        return None
    if mark == "." and stop - position == 1:
        sure = abbreviated(text, stop - 1)
        if sure == "never" or (sure and (at_end is False and not following.isupper())):
            return None
    if closers and following.islower() and following.isascii():
        return None
    return position
