"""Words without their endings, so that "measures" and "measuring" are one."""

from __future__ import annotations

_ENDINGS = (
    "ations ation ments ment ingly ings ing edly ions ion ers ors ness ally ies ied er or al ed es "
    "ly e s y".split()
)
_BY_LAST_LETTER = {
    letter: tuple(ending for ending in _ENDINGS if ending[-1] == letter)
    for letter in {ending[-1] for ending in _ENDINGS}
}
_SHORTEST = 3
"""Letters that must be left."""


def stem(word: str) -> str:
    """An English word without its inflection and common derivations; other words as they are.

    Light on purpose: it is for comparing two short texts on one subject, where two words with one
    stem are hardly ever two things.

    >>> stem("caching") == stem("cached") == stem("caches") == stem("cache")
    True
    >>> stem("studies") == stem("study")
    True
    """
    if len(word) <= _SHORTEST or not word.isascii() or word[0].isdigit():
        return word
    for ending in _BY_LAST_LETTER.get(word[-1], ()):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word
