"""What a pattern for speaker labels may hold, so that no pattern can make a parse slow or fail.

Python's regular expressions try one way after another, and some patterns have more ways than
there is time. Here the ways are counted before a pattern is used.
"""

from __future__ import annotations

import re

MOST_WAYS = 3_000
"""Ways in which a pattern may match one label, at most: two open repetitions have 2,401."""

LONGEST_PATTERN = 200
"""Characters of a pattern, at most."""

_LABEL = 48
"""Characters of the longest label, so the most rounds of a repetition."""

_CLASSES = frozenset("dDwWsSbB")
_RESERVED = re.compile(r"\[\^?\[|--|&&|~~|\|\|")
"""Python keeps these for later, and warns of them."""

_COUNTS = re.compile(r"\{(\d*)(,?)(\d*)\}")


def check_pattern(pattern: str) -> None:
    """Raise `ValueError` unless `pattern` is a regular expression with few ways to match a label.

    Allowed are characters, `.`, classes (`[a-z]`, `\\d`, `\\w`, `\\s`), groups, `|`, `?`, `*`,
    `+`, `{m,n}` and `^`, `$`, `\\b`. Look-around, references and flags are not, nor
    upper-case letters, since a label is compared in lower case.
    """
    if not pattern.strip():
        raise ValueError("it is empty")
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(f"it has {len(pattern)} characters, at most {LONGEST_PATTERN}")
    if (reserved := _RESERVED.search(pattern)) is not None:
        raise ValueError(f"“{reserved[0]}” is not allowed in it; put a backslash before the second")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as fault:
        raise ValueError(f"it is no regular expression: {fault}") from None
    if _Scan(pattern).ways() > MOST_WAYS:
        raise ValueError(
            "it has too many ways to match; use fewer open repetitions (*, +, ?) and none "
            "inside another"
        )


def required_text(pattern: str) -> str:
    """The longest run of plain characters that every match of a checked pattern holds; "" if none.

    >>> required_text(r"reviewer \\d+")
    'reviewer '
    """
    scan = _Scan(pattern)
    scan.ways()
    return "" if scan.branched else max(scan.runs, key=len)


class _Scan:
    """One reading of a pattern, character by character."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0
        self.runs = [""]
        """Runs of plain characters outside groups."""
        self.branched = False
        """Whether the whole pattern is a choice, so that no run must occur."""

    def ways(self) -> int:
        return self._alternatives()[0]

    def _alternatives(self) -> tuple[int, int]:
        """In how many ways it can match, and the fewest characters of a match."""
        ways, width = self._sequence()
        while self._peek() == "|":
            self._at += 1
            more, other = self._sequence()
            ways, width = ways + more, min(width, other)
            self.branched |= not self._depth
        return ways, width

    def _sequence(self) -> tuple[int, int]:
        ways, width = 1, 0
        while self._peek() not in ("", "|", ")"):
            one, size, plain = self._atom()
            low, high = self._repetition()
            repeated = _repeated(one, size, low, high)
            ways = min(ways * repeated, MOST_WAYS + 1)
            width += size * low
            if not self._depth:
                self._note(plain if (low, high) == (1, 1) else "")
        return ways, width

    def _note(self, plain: str) -> None:
        if plain:
            self.runs[-1] += plain
        else:
            self.runs.append("")

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _atom(self) -> tuple[int, int, str]:
        """Ways, fewest characters, and the character itself where it is a plain one."""
        sign = self._peek()
        self._at += 1
        if sign == "(":
            return self._group()
        if sign == "[":
            self._class()
            return 1, 1, ""
        if sign == "\\":
            return self._escape()
        if sign in "^$":
            return 1, 0, ""
        if sign == ".":
            return 1, 1, ""
        return 1, 1, _lower(sign)

    def _group(self) -> tuple[int, int, str]:
        if self._peek() == "?":
            if self._pattern[self._at : self._at + 2] != "?:":
                raise ValueError("look-around, names and flags (“(?…”) are not allowed in it")
            self._at += 2
        self._depth += 1
        ways, width = self._alternatives()
        self._depth -= 1
        self._at += 1
        return ways, width, ""

    def _class(self) -> None:
        if self._peek() == "^":
            self._at += 1
        first = True
        while first or self._peek() != "]":
            first = False
            if self._peek() == "\\":
                self._at += 1
                self._known(self._peek())
            else:
                _lower(self._peek())
            self._at += 1
        self._at += 1

    def _escape(self) -> tuple[int, int, str]:
        sign = self._peek()
        self._at += 1
        self._known(sign)
        if sign in _CLASSES:
            return 1, int(sign not in "bB"), ""
        return 1, 1, sign

    def _known(self, sign: str) -> None:
        if sign.isalnum() and sign not in _CLASSES:
            raise ValueError(f"“\\{sign}” is not allowed in it; of these there are \\d \\w \\s \\b")

    def _repetition(self) -> tuple[int, int]:
        low, high = 1, 1
        sign = self._peek()
        counts = _COUNTS.match(self._pattern, self._at)
        if sign in ("*", "+", "?") and sign:
            low, high = {"*": (0, _LABEL), "+": (1, _LABEL), "?": (0, 1)}[sign]
            self._at += 1
        elif counts is not None and (counts[1] or counts[3]):
            low = min(int(counts[1] or 0), _LABEL)
            high = min(int(counts[3]) if counts[3] else _LABEL, _LABEL) if counts[2] else low
            self._at = counts.end()
        else:
            return low, high
        if self._peek() in ("?", "+"):
            self._at += 1
        return low, high


def _repeated(ways: int, width: int, low: int, high: int) -> int:
    """The ways of `low` to `high` rounds of something that has `ways` of its own."""
    if (low, high) == (1, 1):
        return ways
    high = max(low, min(high, _LABEL // max(1, width)))
    total = 0
    for rounds in range(low, high + 1):
        total += ways**rounds
        if total > MOST_WAYS:
            return MOST_WAYS + 1
    # Rounds that match nothing can be put in anywhere.
    return total if width or high <= 1 else MOST_WAYS + 1


def _lower(sign: str) -> str:
    if sign != sign.casefold():
        raise ValueError(f"“{sign}” is never found: labels are compared in lower case")
    return sign
