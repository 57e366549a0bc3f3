"""A text of the prompt that must not come back in the output: an example, an instruction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from parsers.text.content import content_runs, content_units
from parsers.text.stopwords import ENGLISH_STOP_WORDS
from parsers.text.tokens import tokens

_QUESTION_WORDS = frozenset(
    ["what", "how", "why", "which", "who", "whom", "whose", "when", "where"]
)
_FUNCTION = ENGLISH_STOP_WORDS | _QUESTION_WORDS
# A capital after the first letter, or letters mixed with digits: a coined name.
_NAME = re.compile(r"\b(?:[^\W\d_]+[A-Z]\w*|[^\W\d_]+\d\w*|\d+[^\W\d_]\w*)")

_MIN_UNSPACED_SIGN = 4
"""Characters in a row that are a sign in an unspaced script, as two words are in a spaced one."""


@dataclass(frozen=True)
class ReferenceText:
    """What a text can be known by: its tokens and content, neighbouring content words, names."""

    tokens: tuple[str, ...]
    words: frozenset[str]
    content: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    names: frozenset[str]
    followers: Mapping[str, frozenset[str]]
    """By the first word of a pair, the second words: tells soon that a text can have no pair."""

    @classmethod
    def of(cls, *texts: str) -> ReferenceText:
        """Read one or several texts (an example paper and its dialogue, say) as one."""
        found = [tokens(text) for text in texts]
        joined = tuple(token for part in found for token in part)
        names = {name for text in texts for match in _NAME.findall(text) for name in tokens(match)}
        content = frozenset(unit for text in texts for unit in content_units(text))
        pairs = frozenset(pair for part in found for pair in _content_pairs(part))
        followers: dict[str, set[str]] = {}
        for first, second in pairs:
            followers.setdefault(first, set()).add(second)
        return cls(
            joined,
            frozenset(joined),
            content - _QUESTION_WORDS,
            pairs,
            frozenset(names),
            {first: frozenset(seconds) for first, seconds in followers.items()},
        )

    def signs_in(self, text: str, found: Sequence[str], foreign: frozenset[str]) -> frozenset[str]:
        """What of this text stands in `text`, whose tokens are `found`.

        `foreign` are the units that count: those `text` shares with this text
        and that its own source does not have. A sign is a coined name, a pair
        of neighbouring content words, or four neighbouring characters of an
        unspaced script (more of them in a row are one sign).
        """
        signs = set(foreign & self.names)
        if self._may_pair(foreign):
            pairs = self.pairs.intersection(_content_pairs(found))
            signs.update(" ".join(pair) for pair in pairs if foreign.issuperset(pair))
        for run in content_runs(text):
            signs.update(_foreign_stretches(run, foreign))
        return frozenset(signs)

    def _may_pair(self, foreign: frozenset[str]) -> bool:
        for first in foreign:
            seconds = self.followers.get(first)
            if seconds is not None and not foreign.isdisjoint(seconds):
                return True
        return False


def _content_pairs(found: Sequence[str]) -> list[tuple[str, str]]:
    return list(pairwise([token for token in found if token not in _FUNCTION]))


def _foreign_stretches(run: str, foreign: frozenset[str]) -> list[str]:
    stretches: list[str] = []
    start = 0
    for i in range(len(run)):
        if run[i : i + 2] not in foreign:
            if i + 1 - start >= _MIN_UNSPACED_SIGN:
                stretches.append(run[start : i + 1])
            start = i + 1
    return stretches
