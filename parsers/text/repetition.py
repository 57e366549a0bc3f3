"""Text that repeats itself: shares of repeated n-grams, and blocks said over and over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

MIN_LOOP_TOKENS = 6
"""Shorter texts have no loop share: two or three words repeat by chance."""

_LONGEST_PERIOD = 60


@dataclass(frozen=True, slots=True)
class Run:
    """A block of tokens said `rounds` times in a row, `length` tokens in all, from `start` on."""

    start: int
    length: int
    rounds: int


def repeated_share(tokens: Sequence[str], n: int) -> float:
    """The share of `n`-token sequences that occurred before in the same text; 0 when too short."""
    total = len(tokens) - n + 1
    return 1 - _different(tokens, n) / total if total > 0 else 0.0


def repeated_pairs(tokens: Sequence[str]) -> int:
    """How many pairs of neighbouring tokens occurred before in the same text."""
    return max(0, len(tokens) - 1 - _different(tokens, 2))


def _different(tokens: Sequence[str], n: int) -> int:
    """How many different sequences of `n` tokens there are."""
    if tokens and len(tokens[0]) == 1 and len(joined := "".join(tokens)) == len(tokens):
        # One character each, as in Chinese: slices of a string are the quicker sequences.
        return len({joined[i : i + n] for i in range(len(joined) - n + 1)})
    if n == 2:
        return len(set(pairwise(tokens)))
    return len(set(zip(*[tokens[i:] for i in range(n)], strict=False)))


def loop_share(tokens: Sequence[str], sequence: int = 6) -> float:
    """`repeated_share` with sequences fitted to the length of the text.

    `sequence` tokens in a long text; in a short one a quarter of the text, at
    least two, so that a turn which says its one sentence twice counts as well.
    """
    if len(tokens) < MIN_LOOP_TOKENS:
        return 0.0
    return repeated_share(tokens, sequence_in(len(tokens), sequence))


def sequence_in(length: int, sequence: int) -> int:
    """Tokens of a sequence in a text of `length` tokens: `sequence`, fewer in a short text."""
    return min(sequence, max(2, length // 4))


def longest_run(tokens: Sequence[str], *, min_rounds: int = 3, min_length: int = 12) -> Run | None:
    """The longest block that is said at least `min_rounds` times in a row, or None.

    `min_length` is in tokens over all rounds. A block is at most 60 tokens.
    """
    last: dict[str, int] = {}
    best: Run | None = None
    period = start = 0
    for i, token in enumerate(tokens):
        before = last.get(token)
        last[token] = i
        distance = 0 if before is None else i - before
        if period and token == tokens[i - period]:
            continue
        if period:
            best = _longer(best, start, i, period, min_rounds, min_length)
        period = distance if 0 < distance <= _LONGEST_PERIOD else 0
        start = i - period
        # A token that stands twice in a block hides where its first round begins.
        while (
            period
            and 0 < start > i - 2 * period
            and tokens[start - 1] == tokens[start - 1 + period]
        ):
            start -= 1
    if period:
        best = _longer(best, start, len(tokens), period, min_rounds, min_length)
    return best


def _longer(
    best: Run | None, start: int, end: int, period: int, min_rounds: int, min_length: int
) -> Run | None:
    length = end - start
    if length < min_length or length < period * min_rounds:
        return best
    if best is not None and length <= best.length:
        return best
    return Run(start, length, length // period)
