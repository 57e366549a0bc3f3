"""Signs at the ends of an utterance that lay out the page or count the words, and are not said."""

from __future__ import annotations

import re

from .model import Span

_QUOTE_MARK = "> "
_SENTENCE_ENDS = frozenset(".!?。！？…")
_COUNT = re.compile(
    r"[(（\[]\s*(?:(?:approx(?:imately|\.)?|about|~|total:?)?\s*\d{1,4}\s(?:words|tokens|characters)"
    r"|(?:word|token|character) count\s?[:：]?\s*~?\d{1,4}(?: words| tokens| characters)?"
    r"|(?:共|约|約)?\s?\d{1,4}\s?字|字[数數]\s?[:：]\s?\d{1,4})\s*\.?[)）\]]",
    re.IGNORECASE,
)
_LONGEST_COUNT = 40


def without_leftovers(text: str, start: int, end: int) -> Span:
    """Narrow a span without white space at its ends past what is not said.

    That is the mark of a quoted line ("> Why?") when it is all there is, a backslash that
    breaks the line, and a count of the words after the last sentence ("… (9 words)").
    """
    if (
        text.startswith(_QUOTE_MARK, start, end)
        and text[start + 2 : start + 3].isalpha()
        and text.find("\n", start, end) < 0
    ):
        start += len(_QUOTE_MARK)
    if end - start > 2 and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = _last(text, start, end - 1)
    if end - start > 2 and text[end - 1] in ")）]":
        opener = max(text.rfind(sign, max(start, end - _LONGEST_COUNT), end) for sign in "(（[")
        if opener > start and _COUNT.fullmatch(text, opener, end):
            before = _last(text, start, opener)
            if before > start and text[before - 1] in _SENTENCE_ENDS:
                end = before
    return start, end


def _last(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
