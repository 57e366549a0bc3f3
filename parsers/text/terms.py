"""Search terms: what a document can be found by, in any script."""

from __future__ import annotations

import re
from operator import add

from parsers.text.stopwords import CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS
from parsers.text.tokens import fold, runs, spaced_tokens

_STOP_CHARACTER = re.compile(f"[{CHINESE_STOP_CHARACTERS}]")


def search_terms(text: str) -> list[str]:
    """The terms of `text` in order, with repetitions.

    A term is a word that is no function word; in scripts written without spaces
    it is a pair of neighbouring characters, cut at function characters (a
    character alone between two of them is a term too, so that nothing is lost).

    >>> search_terms("The cache is split. 缓存的窗口")
    ['cache', 'split', '缓存', '窗口']
    """
    words = spaced_tokens(text)
    if words is not None:
        return [word for word in words if word not in ENGLISH_STOP_WORDS]
    found: list[str] = []
    for unspaced, word in runs(fold(text)):
        if word:
            if word not in ENGLISH_STOP_WORDS:
                found.append(word)
            continue
        for piece in _STOP_CHARACTER.split(unspaced):
            if len(piece) == 1:
                found.append(piece)
            else:
                found.extend(map(add, piece, piece[1:]))
    return found
