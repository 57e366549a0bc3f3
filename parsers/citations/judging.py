"""Which of the things written like a citation are citations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parsers.citations.forms import Written, written_citations
from parsers.citations.numbers import LARGEST
from parsers.citations.ordinary import (
    is_index,
    is_interval,
    is_named,
    is_raised_citation,
    is_round_citation,
)
from parsers.citations.protected import Protected, Quoted
from parsers.citations.surroundings import (
    MARKS,
    next_character,
    opens_line,
)

_SECOND_LINE = re.compile(r"\n[ \t>*•-]{0,6}[\[［【]\s?[2２]\s?[\]］】]")
_LONGEST_ITEM = 1000
_ENUMERATED_AFTER = re.compile(r"[:：]\s{0,3}$")


def citations(text: str, documents: int | None) -> Iterator[Written]:
    """The citations of a text, in order. `documents`: how many there are, if that is known.

    Only what is in the published form counts when it is not: `[1]` and nothing else.
    """
    protected, quoted = Protected(text), Quoted(text)
    listed = _Enumeration()
    previous: Written | None = None
    accepted = False
    for written in written_citations(text):
        follows = previous is not None and previous.end == written.start
        inside = follows and not accepted and written.form == "square"
        listed.see(text, written)
        accepted = (
            not inside
            and not protected.touches(written.start, written.end)
            and not listed.holds(written)
            and _is_citation(text, written, documents, quoted, joined=follows and accepted)
        )
        previous = written
        if accepted:
            yield written


def _is_citation(
    text: str, written: Written, documents: int | None, quoted: Quoted, *, joined: bool
) -> bool:
    if documents is None and not written.exact:
        return False
    start, end, numbers = written.start, written.end, written.numbers
    if text[end : end + 1] == ":" and opens_line(text, start):
        return False
    if (
        written.form in ("square", "named")
        and text[start - 1 : start] in ("]", "］")
        and not joined
    ):
        # The second half of a Markdown reference, [text][1].
        return False
    if written.form == "named":
        return True
    within = documents is None or any(1 <= number <= documents for number in numbers)
    if written.form == "superscript":
        return _fits(numbers, documents) and is_raised_citation(text, start, end)
    if written.form == "round":
        return _all_within(numbers, documents) and is_round_citation(text, written)
    if (
        is_index(text, start, end)
        or is_interval(text, start, numbers)
        or is_named(text, start, end)
    ):
        return False
    if within:
        return True
    # A number that no document has: the model's mistake, or a reference of what it quotes.
    if quoted.holds(start) or max(numbers) > LARGEST:
        return False
    return next_character(text, end) in MARKS + "\n"


def _fits(numbers: tuple[int, ...], documents: int | None) -> bool:
    """Whether superscript digits are a number in range, or several one-digit numbers."""
    if documents is None:
        return False
    if _all_within(numbers, documents):
        return True
    return all(1 <= int(digit) <= documents for digit in str(numbers[0]))


def _all_within(numbers: tuple[int, ...], documents: int | None) -> bool:
    return documents is not None and all(1 <= number <= documents for number in numbers)


class _Enumeration:
    """A list inside a sentence: ": [1] apples, [2] pears, and [3] plums", "(1) first … (2) …"."""

    def __init__(self) -> None:
        self._expected: dict[str, int] = {}
        self._last: Written | None = None

    def see(self, text: str, written: Written) -> None:
        """Read the next candidate; they come in order."""
        self._last = None
        if len(written.numbers) != 1 or written.form not in ("square", "round"):
            return
        number = written.numbers[0]
        following = next_character(text, written.end)
        goes_on = following not in ("", "\n") and following not in MARKS + "[［【〔(（"
        before = text[max(0, written.start - 4) : written.start]
        if number == 1 and goes_on and _opens_list(text, written, before):
            self._expected[written.form] = 2
            self._last = written
        elif goes_on and self._expected.get(written.form) == number and _next_item(before):
            self._expected[written.form] = number + 1
            self._last = written

    def holds(self, written: Written) -> bool:
        """Whether the candidate that was read last numbers an item."""
        return self._last is written


def _opens_list(text: str, written: Written, before: str) -> bool:
    if _ENUMERATED_AFTER.search(before) is not None:
        return True
    if written.form != "square" or not opens_line(text, written.start):
        return False
    return _SECOND_LINE.search(text, written.end, written.end + _LONGEST_ITEM) is not None


def _next_item(before: str) -> bool:
    stripped = before.rstrip(" \t")
    return stripped.endswith((",", "，", ";", "；", "、", "\n", "and", "和", "及", ".", "。")) or (
        not stripped
    )
