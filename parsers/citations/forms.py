"""The forms in which a citation may be written, found in a text; what they mean is judged later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from parsers.citations.numbers import read_numbers

Form = Literal["square", "round", "superscript", "named"]


class Written(NamedTuple):
    """Something written like a citation: its place, its numbers, and its form.

    "square" `[1]`, `【1】`; "round" `(1)`; "superscript" `¹`; "named" is any of them in which a
    word or sign says that it is a reference.
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    form: Form
    exact: bool
    """Written as published: `[1]`, one number."""

    ranged: bool = False


_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨"
_TO_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789")
_CANDIDATE = re.compile(
    r"(?P<tag><sup>\s?\[?\^?(?P<tagged>[\d,，、\-– ]{1,20})\]?\s?</sup>)"
    r"|(?P<strong>[*_]{1,2}\[(?P<strongly>[^\[\]\n]{1,80})\][*_]{1,2}(?!\w))"
    r"|(?P<caret>\^\[(?P<lifted>\d{1,3})\])"
    r"|(?P<mixed>\[(?P<within>[^\[\]\n\d]{1,24}\[\d{1,3}\])\s?\])"
    r"|(?P<double>\[\[(?P<inner>[^\[\]\n]{1,80})\]\])"
    r"|(?P<square>[\[［【〔〖](?P<content>[^\[\]［］【】〔〕〖〗\n]{1,80})[\]］】〕〗])"
    r"|(?P<round>[(（](?P<rounded>[^()（）\n]{1,90})[)）])"
    rf"|(?P<circled>[{_CIRCLED}])"
    rf"|(?P<raised>[{_SUPERSCRIPTS}]{{1,4}})"
)
_HAS_DIGIT = re.compile("[0-9０-９一二三四五六七八九十]")
_EXACT = re.compile(r"\[(?:0|[1-9][0-9]{0,2})\]")


def written_citations(text: str) -> Iterator[Written]:
    """Everything that is written like a citation, in order, without overlap."""
    position = 0
    while (match := _CANDIDATE.search(text, position)) is not None:
        found = _read(match)
        if found is not None:
            yield found
            position = match.end()
            continue
        # What stands inside of a bracket that is no citation may be one: "(as said [2])".
        position = match.start() + 1


def _read(match: re.Match[str]) -> Written | None:
    start, end = match.span()
    if match["raised"] is not None:
        digits = match["raised"].translate(_TO_DIGITS)
        return Written(start, end, (int(digits),), "superscript", False)
    if match["circled"] is not None:
        return Written(start, end, (_CIRCLED.index(match["circled"]) + 1,), "round", False)
    square = match["square"]
    if square is not None and _EXACT.fullmatch(square) is not None:
        return Written(start, end, (int(square[1:-1]),), "square", True)
    content = (
        match["tagged"]
        or match["inner"]
        or match["lifted"]
        or match["within"]
        or match["strongly"]
        or match["content"]
        or match["rounded"]
        or ""
    )
    if _HAS_DIGIT.search(content) is None:
        return None
    read = read_numbers(content)
    if read is None:
        return None
    form: Form = "square"
    if any(match[name] is not None for name in ("tag", "double", "caret")):
        form = "named"
    elif match["round"] is not None:
        if read.tail and read.tail[0] not in "\"'“‘「『《" and not read.tail[0].isdigit():
            # Words in parentheses that go on are a remark: "(document 2: a letter)".
            return None
        # "([1])" is a square bracket in round ones.
        form = "named" if read.named else "square" if read.nested else "round"
    elif read.named:
        form = "named"
    return Written(start, end, read.numbers, form, False, read.ranged)
