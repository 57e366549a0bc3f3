"""Which of some units a long text has: the source of a dialogue, read as little as needed."""

from __future__ import annotations

import re

from parsers.text.content import known_units
from parsers.text.tokens import SEPARATOR, UNSPACED_CLASS, fold, runs, spaced_words

_FEW_WORDS = 12
"""Words up to which looking for each in the text is quicker than reading the text's tokens."""

_FIRST_TOKENS = 128
"""Tokens that are read before looking again at what is still missing."""

_FEW_PAIRS = 240
"""The same for unspaced scripts, where a token is one character, not five or six."""

_PAIR = re.compile(rf"(?<!\S)[{UNSPACED_CLASS}]{{2}}(?!\S)")


def known_among(units: frozenset[str], text: str) -> frozenset[str]:
    """Those of `units` (content units of other texts) that `known_units(text)` has.

    >>> sorted(known_among(frozenset(["cache", "split", "窗口"]), "The Cache 的窗口"))
    ['cache', '窗口']
    """
    words = spaced_words(text)
    if words is not None:
        return units - _not_among_words(units, words)
    return _among_any(units, text)


def lacking_in(units: frozenset[str], text: str) -> frozenset[str]:
    """Those of `units` that `known_among` leaves out.

    >>> sorted(lacking_in(frozenset(["cache", "split", "窗口"]), "The Cache 的窗口"))
    ['split']
    """
    words = spaced_words(text)
    if words is not None:
        return _not_among_words(units, words)
    return units - _among_any(units, text)


def _among_any(units: frozenset[str], text: str) -> frozenset[str]:
    if len(units) > _FEW_PAIRS:
        return units & known_units(text)
    folded = fold(text)
    found = frozenset([unit for unit in units if unit in folded])
    # Two unspaced characters side by side are a unit wherever they stand; a word
    # or a single character is one only where nothing is joined to it.
    known = frozenset(_PAIR.findall(" ".join(found)))
    rest = found - known
    if not rest:
        return known
    return known | rest.intersection([unspaced or word for unspaced, word in runs(folded)])


def _not_among_words(units: frozenset[str], words: str) -> frozenset[str]:
    """What a dialogue shares with its source is mostly found early; then the rest is searched."""
    missing = units
    step = _FIRST_TOKENS
    while len(missing) > _FEW_WORDS:
        read = words.split(None, step)
        words = read.pop() if len(read) > step else ""
        missing = missing.difference(read)
        if not words:
            return missing
        step *= 2  # The end is copied at every step: few steps, however long the text.
    if not missing:
        return missing
    words = f" {words.replace(SEPARATOR, ' ')} "
    return frozenset([unit for unit in missing if f" {unit} " not in words])
