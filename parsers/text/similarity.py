"""How much two texts share: Jaccard, precision, ROUGE-L. All are shares from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

MAX_SEQUENCE = 512
"""Tokens of each side that ROUGE-L reads. A longer text is compared by its start,
which keeps the measure linear in the length of the text."""


def jaccard(left: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Shared members over all members; 0 when both are empty."""
    shared = len(left & right)
    if not shared:
        return 0.0
    return shared / (len(left) + len(right) - shared)


def precision(part: AbstractSet[str], whole: AbstractSet[str]) -> float:
    """The share of `part` that occurs in `whole`; 0 when `part` is empty."""
    if not part:
        return 0.0
    return len(part & whole) / len(part)


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence, in tokens.

    Bit-parallel (Hyyrö 2004): one big-integer step a token of `right`.
    """
    positions: dict[str, int] = {}
    bit = 1
    for token in left:
        positions[token] = positions.get(token, 0) | bit
        bit <<= 1
    every = bit - 1
    state = every
    for token in right:
        matches = positions.get(token)
        if matches is not None:
            matched = state & matches
            state = ((state + matched) | (state - matched)) & every
    return len(left) - state.bit_count()


def rouge_l_f(left: Sequence[str], right: Sequence[str]) -> float:
    """ROUGE-L F1 of two token sequences: the novelty measure of Self-Instruct.

    Only the first `MAX_SEQUENCE` tokens of each side are read; 0 when either is empty.
    """
    left, right = left[:MAX_SEQUENCE], right[:MAX_SEQUENCE]
    if not left or not right:
        return 0.0
    return 2 * lcs_length(left, right) / (len(left) + len(right))
