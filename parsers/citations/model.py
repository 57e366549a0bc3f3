"""What is known of an answer's citations: plain values, no text processing but the map of edits."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]
"""Start and end (exclusive) in code points."""


@dataclass(frozen=True, slots=True)
class Change:
    """One stretch that was written anew: where it stood, where it stands, and both texts."""

    old: Span
    new: Span
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text that was written anew in places, and every stretch that differs.

    Outside of `changes`, which are in order and do not overlap, both texts are the same.
    """

    text: str
    changes: tuple[Change, ...]

    def old_span(self, start: int, end: int) -> Span:
        """Where `text[start:end]` came from; a place inside of a change is all of that change."""
        return self._old(start, 0), self._old(end, 1)

    def _old(self, position: int, side: int) -> int:
        shift = 0
        for change in self.changes:
            if position < change.new[0] or (position == change.new[0] and side):
                break
            if position < change.new[1] or (position == change.new[1] and side):
                return change.old[side]
            shift = change.old[1] - change.new[1]
        return position + shift


@dataclass(frozen=True, slots=True)
class Normalised(Rewritten):
    """An answer with its citations in the published form."""


@dataclass(frozen=True, slots=True)
class CitationGroup:
    """Adjacent markers, `[1][2]`: where they stand, and their numbers (from 1) in order."""

    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """What a group of markers vouches for: the text since the group before it."""

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence, its place, and the different numbers cited in it, in order."""

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """A marker that was set: in which stretch, what stood there before, and how sure it is.

    `span` is the place of the cited words in the text before the repair. `support` is the share of
    their content units that the document of `new` has, `margin` how much more that is than the best
    of the documents that are not cited there, or were cited before.
    """

    span: Span
    old: tuple[int, ...]
    new: tuple[int, ...]
    support: float
    margin: float

    def to_json(self) -> dict[str, object]:
        """Plain JSON values, for a record of what was repaired."""
        return {
            "span": list(self.span),
            "old": list(self.old),
            "new": list(self.new),
            "support": self.support,
            "margin": self.margin,
        }


@dataclass(frozen=True, slots=True)
class Repaired(Rewritten):
    """An answer with its markers repaired, and every repair in order."""

    repairs: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class RefusalParts:
    """The three things a refusal must say: sorry, what is missing, and what there is instead."""

    apologises: bool
    says_missing: bool
    says_covered: bool

    @property
    def complete(self) -> bool:
        """Whether all three are said."""
        return self.apologises and self.says_missing and self.says_covered
