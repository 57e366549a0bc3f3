"""Where in a text labels stand, at the beginning of lines and within them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from parsers.dialogue.fences import look_at_fences
from parsers.dialogue.labels import LabelReader
from parsers.dialogue.lines import Candidate, read_at

_MOST = 200
"""Labels that are looked at: the utterance ends long before the two-hundredth."""

_REST = 300
"""Characters after a label within a line that are read."""

_MARKS = "[ \t\u3000*_#|/-]"
_WITHIN = re.compile(
    rf"(?<=[.!?。！？…؟\"”」』»’)）\]>*]){_MARKS}{{0,6}}"
    r"(?P<head>[^\W\d_][^\n:：.!?。！？,，;；\"“”()（）]{0,30})[*_]{0,3}[:：][*_]{0,3}"
    r"(?!//)[ \t\u3000]*"
)


def labelled_lines(body: str, reader: LabelReader) -> list[Candidate]:
    """The lines of `body` that begin with something label-like, in order; none inside a fence."""
    fences = look_at_fences(body).pairs
    found: list[Candidate] = []
    position = 0
    while position <= len(body) and len(found) < _MOST:
        end = body.find("\n", position)
        end = len(body) if end < 0 else end
        candidate = read_at(body, position, end, reader)
        if candidate is not None:
            at = bisect_right(fences, (position, len(body))) - 1
            if at < 0 or position >= fences[at][1]:
                found.append(candidate)
        position = end + 1
    return found


def labels_within(body: str, reader: LabelReader) -> Iterator[Candidate]:
    """The known labels that follow the end of a sentence on the same line, in order.

    `line` is where the label's word begins; `start` and `end` hold what follows on
    the line, 300 characters at most.
    """
    if ":" not in body and "：" not in body:
        return
    for match in _WITHIN.finditer(body):
        label = reader.known(match["head"])
        if label is not None:
            furthest = min(len(body), match.end() + _REST)
            end = body.find("\n", match.end(), furthest)
            end = furthest if end < 0 else end
            yield Candidate(match.start("head"), match.end(), end, label, "", "colon")
