"""A text of the prompt that must not come back in the output: an example, an instruction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from parsers.text.stopwords import CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS
from parsers.text.tokens import tokens

_QUESTION_WORDS = frozenset("what how why which who whom whose when where".split())
_FUNCTION = ENGLISH_STOP_WORDS | _QUESTION_WORDS | frozenset(CHINESE_STOP_CHARACTERS)
# A capital after the first letter, or letters mixed with digits: a coined name.
_NAME = re.compile(r"\b(?:[^\W\d_]+[A-Z]\w*|[^\W\d_]+\d\w*|\d+[^\W\d_]\w*)")

ContentPair = tuple[str, str]


@dataclass(frozen=True)
class ReferenceText:
    """What a text can be known by: neighbouring content tokens, coined names, its words."""

    tokens: tuple[str, ...]
    words: frozenset[str]
    pairs: frozenset[ContentPair]
    names: frozenset[str]

    @classmethod
    def of(cls, *texts: str) -> ReferenceText:
        """Read one or several texts (an example paper and its dialogue, say) as one."""
        found = [tokens(text) for text in texts]
        names = {name for text in texts for match in _NAME.findall(text) for name in tokens(match)}
        joined = tuple(token for part in found for token in part)
        return cls(
            joined,
            frozenset(joined),
            frozenset(pair for part in found for pair in content_pairs(part)),
            frozenset(names),
        )


def content_pairs(found: Sequence[str]) -> list[ContentPair]:
    """Neighbouring content tokens, function words between them left out."""
    return list(pairwise([token for token in found if token not in _FUNCTION]))
