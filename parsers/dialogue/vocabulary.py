"""Which words announce whom: the vocabulary a parse works with, and how to extend it.

vocabulary = DEFAULT_VOCABULARY.with_labels(person=("Reviewer",), bot=("Rebuttal",))
parse_dialogue(raw, vocabulary=vocabulary)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from .patterns import check_pattern
from .words import DEFAULT_LANGUAGES, LanguageWords

Kind = Literal[
    "person",
    "bot",
    "question",
    "answer",
    "asker",
    "teller",
    "speaker",
    "summary",
    "narration",
    "field",
    "note",
    "header",
    "dialogue",
    "prompt",
    "topic",
    "name",
]
"""What a label announces. `name` is a word no vocabulary holds that may be somebody's name."""

RoleWord = Literal["person", "bot", "summary", "question", "answer", "narration"]
"""The roles a user can add words or patterns for."""

# The first kind that claims a word keeps it, so what settles a speaker comes before what
# merely may stand before a colon.
_KINDS_BY_WEIGHT: tuple[Kind, ...] = (
    "person",
    "bot",
    "summary",
    "question",
    "answer",
    "speaker",
    "asker",
    "teller",
    "dialogue",
    "header",
    "prompt",
    "narration",
    "field",
    "note",
    "topic",
)

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad"))


def fold_label(text: str) -> str:
    """A label as it is compared: NFKC, case folded, one space between words, none around."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    return " ".join(
        text.casefold().replace("_", " ").replace("’", "'").replace(" & ", " and ").split()
    )


@dataclass(frozen=True, eq=True)
class Vocabulary:
    """Label words by language and role, and patterns for labels that no list can hold.

    `languages` are read in order and the first claim on a word wins, so words added with
    `with_labels` come first. `patterns` are pairs of role and regular expression; one that
    matches a whole label (folded: lower case, single spaces) gives it that role. Raises
    `ValueError` for a pattern that `check_pattern` refuses.
    """

    languages: tuple[LanguageWords, ...] = DEFAULT_LANGUAGES
    patterns: tuple[tuple[RoleWord, str], ...] = field(default=())

    def __post_init__(self) -> None:
        for role, pattern in self.patterns:
            try:
                check_pattern(pattern)
            except ValueError as fault:
                raise ValueError(f"the {role} pattern {pattern!r} is not valid: {fault}") from None

    def __reduce__(self) -> tuple[type[Vocabulary], tuple[object, ...]]:
        """Pickled by its words alone: what is derived from them is derived again."""
        return Vocabulary, (self.languages, self.patterns)

    def with_labels(
        self,
        *,
        person: tuple[str, ...] = (),
        bot: tuple[str, ...] = (),
        summary: tuple[str, ...] = (),
        question: tuple[str, ...] = (),
        answer: tuple[str, ...] = (),
        narration: tuple[str, ...] = (),
    ) -> Vocabulary:
        """A vocabulary that also knows these words; they win over the built-in meaning."""
        added = LanguageWords(
            language="custom",
            person=tuple(person),
            bot=tuple(bot),
            summary=tuple(summary),
            question=tuple(question),
            answer=tuple(answer),
            narration=tuple(narration),
        )
        return Vocabulary((added, *self.languages), self.patterns)

    def with_patterns(self, **patterns: tuple[str, ...]) -> Vocabulary:
        """A vocabulary with further patterns by role: `with_patterns(person=(r"reviewer \\d+",))`.

        Raises `ValueError` for an unknown role or a pattern that is no regular expression.
        """
        known: dict[str, RoleWord] = {
            "person": "person",
            "bot": "bot",
            "summary": "summary",
            "question": "question",
            "answer": "answer",
            "narration": "narration",
        }
        added: list[tuple[RoleWord, str]] = []
        for name, expressions in patterns.items():
            if name not in known:
                raise ValueError(f"no such role: {name!r}; choose one of {', '.join(known)}")
            added.extend((known[name], expression) for expression in expressions)
        return Vocabulary(self.languages, (*added, *self.patterns))

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every known label word, folded, with what it announces."""
        claimed: dict[str, Kind] = {}
        customs = [words for words in self.languages if words.language == "custom"]
        shipped = [words for words in self.languages if words.language != "custom"]
        for group in (*([one] for one in customs), shipped):
            for kind in _KINDS_BY_WEIGHT:
                for words in group:
                    for word in getattr(words, kind):
                        claimed.setdefault(fold_label(word), kind)
        return MappingProxyType(claimed)

    @cached_property
    def spellings(self) -> Mapping[str, tuple[str, Kind]]:
        """The known words as they are mostly written: lower case, capitalised, in capitals.

        Each gives the folded word and its kind.
        """
        written: dict[str, tuple[str, Kind]] = {}
        for word, kind in self.kinds.items():
            for spelling in (word.upper(), word.title(), word.capitalize(), word):
                if fold_label(spelling) == word:
                    written.setdefault(spelling, (word, kind))
        return MappingProxyType(written)

    @cached_property
    def expressions(self) -> tuple[tuple[RoleWord, re.Pattern[str]], ...]:
        """The patterns, compiled."""
        return tuple((role, re.compile(pattern)) for role, pattern in self.patterns)


DEFAULT_VOCABULARY = Vocabulary()
