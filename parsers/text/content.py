"""Content units: what a text is about, as a set that two texts can be compared by.

In spaced scripts a unit is a word that is no function word. In unspaced scripts
it is a pair of neighbouring characters (bigram), cut at function characters,
since single characters are shared by nearly any two Chinese texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import add
from typing import NamedTuple

from parsers.text.repetition import repeated_pairs
from parsers.text.stopwords import CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS
from parsers.text.tokens import (
    SEPARATOR,
    fold,
    has_full_width,
    runs,
    spaced_tokens,
    spaced_words,
    tokens,
)

SIX_WORDS = 6
_SIX_WORDS_IN_HAN = 10
_SIX_WORDS_IN_THAI = 24

_NO_CONTENT = ENGLISH_STOP_WORDS | frozenset(CHINESE_STOP_CHARACTERS)
_STOP_CHARACTER = re.compile(f"[{CHINESE_STOP_CHARACTERS}]")


class TextView(NamedTuple):
    """One text, tokenised once. (A tuple, since a corpus makes millions of them.)

    `tokens` in order; `words` the distinct words (bigrams in unspaced scripts,
    whose alphabets are too small to compare texts by single characters);
    `content` the distinct content units; `sequence` the number of tokens that
    six words make in this script; `repeats` no fewer than the pairs of tokens that
    were there before (an upper bound that costs little; -1 where no token was).
    """

    text: str
    tokens: list[str]
    words: frozenset[str]
    content: frozenset[str]
    sequence: int
    repeats: int


def view(text: str) -> TextView:
    """Tokenise a short text (a turn, a summary) for every measure at once."""
    return views([text])[0]


def views(texts: Sequence[str]) -> list[TextView]:
    """The view of every text; for many short texts quicker than one call each."""
    joined = SEPARATOR.join(texts)
    words = spaced_words(joined)
    parts = [] if words is None else words.split(SEPARATOR)
    if len(parts) == len(texts):
        return _spaced_views(texts, [part.split() for part in parts])
    # An unspaced script, or a separator inside a text.
    parts = joined.casefold().split(SEPARATOR)
    if len(parts) != len(texts) or has_full_width(joined):
        # What `fold` does to a text with full-width letters, it must not do to the others.
        parts = [fold(text) for text in texts]
    return [
        _spaced_views([text], [tokens(text)])[0] if text.isascii() else _any_view(text, folded)
        for text, folded in zip(texts, parts, strict=True)
    ]


def _spaced_views(texts: Sequence[str], tokens_of: Sequence[list[str]]) -> list[TextView]:
    made: list[TextView] = []
    for text, found in zip(texts, tokens_of, strict=True):
        words = frozenset(found)
        # In a repeated pair both words are repeated, and the next pair needs one word more.
        repeats = len(found) - len(words) - 1
        made.append(TextView(text, found, words, words - ENGLISH_STOP_WORDS, SIX_WORDS, repeats))
    return made


def _any_view(text: str, folded: str) -> TextView:
    found: list[str] = []
    units: set[str] = set()
    content: set[str] = set()
    words: list[str] = []
    han = other = 0
    for unspaced, word in runs(folded):
        if not unspaced:
            found.append(word)
            words.append(word)
            continue
        found.extend(unspaced)
        if unspaced >= "\u3000":
            han += len(unspaced)
        else:
            other += len(unspaced)
        if len(unspaced) == 1:
            words.append(unspaced)
            continue
        units.update(map(add, unspaced, unspaced[1:]))
        for piece in _STOP_CHARACTER.split(unspaced):
            if len(piece) > 1:
                content.update(map(add, piece, piece[1:]))
    # Without words, there are at least as many different pairs as units of two characters.
    repeats = repeated_pairs(found) if words else len(found) - 1 - len(units)
    units.update(words)
    content.update([word for word in words if word not in _NO_CONTENT])
    length = sequence_length(len(found), han, other) if found else SIX_WORDS
    return TextView(text, found, frozenset(units), frozenset(content), length, repeats)


def sequence_length(found: int, han: int, other: int) -> int:
    """How many tokens six words make: 6 words, 10 Han or Kana, 24 Thai characters.

    Of `found` tokens `han` are Han or Kana, `other` of other unspaced scripts.
    """
    if 2 * (han + other) < found:
        return SIX_WORDS
    return _SIX_WORDS_IN_HAN if han >= other else _SIX_WORDS_IN_THAI


def content_units(text: str) -> frozenset[str]:
    """The content units of a text.

    >>> sorted(content_units("The cache is split. 缓存的窗口"))
    ['cache', 'split', '窗口', '缓存']
    """
    return view(text).content


def known_units(text: str) -> frozenset[str]:
    """Every unit that `content_units` of a text taken from this one could hold, and more.

    For the long side of a comparison (the source text): nothing is left out as
    a function word, which is quicker.
    """
    found = spaced_tokens(text)
    if found is not None:
        return frozenset(found)
    units: set[str] = set()
    for unspaced, word in runs(fold(text)):
        if unspaced:
            _add_units(units, unspaced)
        else:
            units.add(word)
    return frozenset(units)


def content_runs(text: str) -> list[str]:
    """The stretches of unspaced characters in `text`, cut at function characters."""
    if text.isascii() or spaced_tokens(text) is not None:
        return []
    return [
        piece
        for unspaced, _ in runs(fold(text))
        for piece in _STOP_CHARACTER.split(unspaced)
        if piece
    ]


def _add_units(units: set[str], unspaced: str) -> None:
    if len(unspaced) > 1:
        units.update(map(add, unspaced, unspaced[1:]))
    elif unspaced:
        units.add(unspaced)
