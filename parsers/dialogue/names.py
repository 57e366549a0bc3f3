"""Tells by its shape whether an unknown word before a colon may be somebody's name."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

NameShape = Literal["name", "faint"]
"""A name, or a word that is one only if it keeps coming back."""

_STOPPERS = frozenset('?!。？！;；,，、…=+&/\\"“”<>()[]{}|（）【】')
_PARTICLES = frozenset("von van de der den la le el al bin ben da di du dos del y e of the".split())
_ABSTRACT = re.compile(
    r".{3,}(?:tion|sion|ment|ness|ity|ance|ency|ism|ology|ing|ics|ngs|ions|ities)$"
)


def name_shape(key: str, shown: str) -> NameShape | None:
    """Whether an unknown word may be a speaker's name, by its shape alone; None when it cannot."""
    if len(key) > 30 or not _STOPPERS.isdisjoint(key) or not any(map(str.isalpha, key)):
        return _symbol(shown)
    words = shown.split()
    if not words or len(words) > 4:
        return None
    if not shown.isascii() and not any(letter.isupper() or letter.islower() for letter in shown):
        longest = 24 if len(words) > 1 or not _ideographic(shown[0]) else 8
        return "name" if len(shown) <= longest and len(words) <= 3 else None
    if any("." in word[:-1] and len(word) > 4 for word in words):
        return None
    for word in words:
        if not (word[0].isupper() or word[0].isdigit() or word.casefold() in _PARTICLES):
            if len(words) == 1 and word.islower() and word.isalpha() and 2 <= len(word) <= 15:
                return "faint"
            return None
    if words[0].casefold() in _PARTICLES and len(words) == 1:
        return "faint"
    return "faint" if _ABSTRACT.match(key) else "name"


def _ideographic(letter: str) -> bool:
    return "\u2e80" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af"


def _symbol(shown: str) -> NameShape | None:
    """A lone emoji or symbol used as a label."""
    if 0 < len(shown) <= 3 and unicodedata.category(shown[0]) == "So":
        return "faint"
    return None
