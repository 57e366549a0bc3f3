"""Speaker labels and patterns that a user adds to the parser, as settings of a run."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from parsers.dialogue.vocabulary import DEFAULT_VOCABULARY, RoleWord, Vocabulary, fold_label

PATTERN_ROLES: tuple[RoleWord, ...] = (
    "person",
    "bot",
    "summary",
    "question",
    "answer",
    "narration",
)
_LONGEST_LABEL = 48
_MOST = 200
# A comma may stand inside a pattern ("\d{1,2}"): only one before a role parts two patterns.
_BETWEEN = re.compile(rf",(?=\s*(?:{'|'.join(PATTERN_ROLES)}):)")


@dataclass(frozen=True, slots=True)
class ParserWords:
    """Words the parser takes for labels beside those it knows; the settings group `parser`.

    `person_labels`, `bot_labels` and `summary_labels` are words in any script, in any case;
    they win over the built-in meaning. `patterns` are `ROLE:EXPRESSION`, for example
    `person:reviewer \\d+`: an expression that matches a whole label, in lower case, gives it
    that role (one of `PATTERN_ROLES`). Raises `ValueError` for a word that can be no label
    and for a pattern that is none, or that could be slow.
    """

    person_labels: tuple[str, ...] = ()
    bot_labels: tuple[str, ...] = ()
    summary_labels: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        owners: dict[str, str] = {}
        for name in ("person_labels", "bot_labels", "summary_labels"):
            for label in self._texts(name):
                self._check_label(name, label, owners)
        for pattern in self._texts("patterns"):
            role, _, expression = pattern.partition(":")
            if role.strip() not in PATTERN_ROLES or not expression.strip():
                raise ValueError(
                    f"the pattern {pattern!r} must be ROLE:EXPRESSION, the role one of "
                    f"{', '.join(PATTERN_ROLES)}; for example person:reviewer \\d+"
                )
        self.vocabulary()

    def _texts(self, name: str) -> tuple[str, ...]:
        values = getattr(self, name)
        if not isinstance(values, tuple) or not all(isinstance(v, str) for v in values):
            raise ValueError(f"{name} must be a list of texts, not {values!r}")
        if len(values) > _MOST:
            raise ValueError(f"{name} holds {len(values)} entries, at most {_MOST}")
        return values

    def _check_label(self, name: str, label: str, owners: dict[str, str]) -> None:
        folded = fold_label(label)
        if not any(map(str.isalnum, folded)) or len(label) > _LONGEST_LABEL:
            raise ValueError(
                f"{label!r} can be no label: it needs a letter or digit and at most "
                f"{_LONGEST_LABEL} characters"
            )
        if any(sign in label for sign in ":：\n\r"):
            raise ValueError(f"{label!r} can be no label: write it without colon or line break")
        if owners.setdefault(folded, name) != name:
            raise ValueError(f"{label!r} stands in {owners[folded]} and in {name}")

    def __bool__(self) -> bool:
        """True when anything was added."""
        return any(getattr(self, f.name) for f in fields(self))

    def vocabulary(self) -> Vocabulary:
        """The default vocabulary with these words; the default itself where there are none."""
        if not self:
            return DEFAULT_VOCABULARY
        words = DEFAULT_VOCABULARY.with_labels(
            person=self.person_labels, bot=self.bot_labels, summary=self.summary_labels
        )
        for pattern in reversed(self.patterns):
            role, _, expression = pattern.partition(":")
            words = words.with_patterns(**{role.strip(): (expression.strip(),)})
        return words


def split_patterns(text: str) -> list[str]:
    """`"person:rev \\d{1,2},bot:reb"` → one text a pattern; commas inside patterns stay."""
    return [pattern.strip() for pattern in _BETWEEN.split(text) if pattern.strip()]
