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
_WIDEST_RANGE = 20
# Before these a bracket is the subject of what follows, not the end of what went before.
_SUBJECT = re.compile(
    r"(?:states?|says?|mentions?|notes?|describes?|explains?|reports?|shows?|indicates?|discusses|"
    r"provides?|gives?|suggests?|argues?|claims?|contains?|covers?|is|are|was|were|has|have|also|"
    r"does|do)\b|(?:中|里|裡|则|則|还|還|也)?"
    "(?:指出|介绍|介紹|提到|提及|描述|认为|認為|表明|显示|顯示|说明|說明|讨论|討論|记载|記載|给出|給出|表示)"
)
# After these it is a noun: "see [2]", "as in [3]".
_PREPOSITION = re.compile(
    r"\b(?:see|cf\.?|in|of|from|by|to|per|with|than|on|under|via|using|between)[ \u00a0]{1,2}$",
    re.IGNORECASE,
)
_DASHES = ("-", "–", "—")
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
        if current is not None and _is_range(text, current, written):
            numbers = (*range(current.numbers[-1] + 1, written.numbers[0]), *numbers)
            merged = dict.fromkeys((*current.numbers, *numbers))
            current = Group(current.start, written.end, tuple(merged))
            continue
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


def _is_range(text: str, group: Group, written: Written) -> bool:
    """Whether two brackets are the ends of a range: "[1]-[3]"."""
    return (
        text[group.end : written.start] in ("-", "–", "—", "~", "～", "至")
        and len(written.numbers) == 1
        and group.numbers[-1] < written.numbers[0] <= group.numbers[-1] + _WIDEST_RANGE
    )


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
    if text[start - 1 : start] in _DASHES and text[start - 2 : start - 1] == " ":
        # "… in 1931 - [1]." has a dash for the marker alone.
        following = text[group.end : group.end + 1]
        if not following or following in SENTENCE_ENDS + "\n":
            start = before_blanks(text, start - 1, lowest)
    if start == lowest and (start == 0 or text[start - 1] != "]"):
        return None if start == 0 else Edit(start, group.end, markers)
    if _PREPOSITION.search(text[max(0, group.start - 12) : group.start]) is not None:
        return Edit(group.start, group.end, markers)
    if (
        text[start - 1 : start] in SENTENCE_ENDS
        and start
        and _SUBJECT.match(text, skip_blanks(text, group.end)) is not None
    ):
        return Edit(group.start, group.end, markers)
    if start and text[start - 1] in COLONS and next_character(text, group.end) not in ("", "\n"):
        return Edit(group.start, group.end, markers)
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
