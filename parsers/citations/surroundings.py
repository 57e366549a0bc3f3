"""What stands right before and after a place: marks, closing quotes, the ends of lines."""

from __future__ import annotations

import re

SENTENCE_ENDS = "。！？．｡.!?…؟۔।॥"
PAUSES = "，；、,;،؛"
COLONS = ":："
MARKS = SENTENCE_ENDS + PAUSES + COLONS
CLOSERS = "\"'”’»)]）］】」』》〉"
WIDE_MARKS = "。！？．｡…，；、：؟۔।॥،؛"
_BLANK = " \t\r\u00a0\u3000\u2009\u202f"

_AHEAD = re.compile(rf"[{_BLANK}]*(?P<next>[^{_BLANK}]?)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"'‘])(?:(?P<never>dr|mrs?|ms|prof|st|vs|figs?|eqs?|secs?|refs?|vols?|pp?|cf|"
    r"e\.g|i\.e|al|approx|ca|viz|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|[A-Z])"
    r"|(?P<seldom>etc|inc|ltd|co|corp|jr|sr|ph\.d|u\.s|u\.k|a\.m|p\.m|dept|univ|b\.c|a\.d))$",
    re.IGNORECASE,
)
_LABEL_LENGTH = 12
_LIST_LABEL = re.compile(
    rf"(?:^|\n)[{_BLANK}]*(?:[-*•·>#+]{{1,3}}|\d{{1,2}}[.)、）]|[a-zA-Z][.)])$"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}$")


def next_character(text: str, position: int) -> str:
    """The first character from `position` on that is no blank; "" at the end of the text."""
    match = _AHEAD.match(text, position)
    return "" if match is None else match["next"]


def skip_blanks(text: str, position: int) -> int:
    """The position of `next_character`."""
    match = _AHEAD.match(text, position)
    return position if match is None else match.start("next")


def before_blanks(text: str, position: int, lowest: int = 0) -> int:
    """Where the blanks that end at `position` begin."""
    while position > lowest and text[position - 1] in _BLANK:
        position -= 1
    return position


def opens_line(text: str, position: int) -> bool:
    """Whether only blanks, a bullet or a list number stand before `position` in its line."""
    start = before_blanks(text, position)
    if start == 0 or text[start - 1] == "\n":
        return True
    label = _LIST_LABEL.search(text[max(0, start - _LABEL_LENGTH) : start])
    return label is not None and (label.start() > 0 or start <= _LABEL_LENGTH)


def abbreviated(text: str, stop: int) -> str:
    """How sure the full stop at `stop` is no end: "never" an end, "seldom" one, or "" (an end)."""
    window = text[max(0, stop - 16) : stop]
    if _LIST_NUMBER.search(window) is not None:
        return "never"
    match = _ABBREVIATION.search(window)
    if match is None:
        return ""
    if match["never"] is None:
        return "seldom"
    # A capital letter is an initial, but for "vitamin C." and "I."
    single = len(match["never"]) == 1
    return "seldom" if single else "never"
