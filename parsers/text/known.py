"""Which of some units a long text has: the source of a dialogue, read as little as needed."""

from __future__ import annotations

import re

from parsers.text.content import known_units
from parsers.text.tokens import SEPARATOR, UNSPACED_CLASS, fold, runs, spaced_words

_FEW_WORDS = 48
"""Words up to which looking for each in the text is quicker than reading all of its tokens."""

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
        if len(units) > _FEW_WORDS:
            return units.intersection(words.split())
        words = f" {words.replace(SEPARATOR, ' ')} "
        return frozenset([unit for unit in units if f" {unit} " in words])
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
