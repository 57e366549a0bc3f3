"""Which script a text is written in, as far as two languages need it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+")
_NO_ASCII_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class ScriptCounts:
    """Letters of a text: Han characters, Latin letters, and all letters."""

    han: int
    latin: int
    letters: int


def count_scripts(text: str) -> ScriptCounts:
    """Count the letters of `text` by script; digits and marks are no letters."""
    letters = sum(map(len, _LETTERS.findall(text)))
    if text.isascii():
        return ScriptCounts(0, letters, letters)
    han = sum(map(len, _HAN.findall(text)))
    return ScriptCounts(han, sum(map(len, _LATIN.findall(text))), letters)


def least_letters(text: str, script: Literal["han", "latin"]) -> int:
    """No more letters of a script than `text` has; quicker than counting all.

    Of Latin the ASCII letters are counted, which are most of them in any text.
    """
    if script == "han":
        return sum(map(len, _HAN.findall(text)))
    return len(text.encode("ascii", "ignore").translate(None, _NO_ASCII_LETTERS))


def has_han(text: str) -> bool:
    """Whether the text has at least one Han character."""
    return not text.isascii() and _HAN.search(text) is not None


def has_latin(text: str) -> bool:
    """Whether the text has at least one Latin letter."""
    return _LATIN.search(text) is not None
