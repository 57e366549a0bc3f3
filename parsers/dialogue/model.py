"""What the dialogue parser gives: a dialogue, or a rejection that says why and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Speaker = Literal["person", "bot"]
Span = tuple[int, int]
"""Start and end (exclusive) in code points of the raw text."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `span` is where its text stands in the raw text, None when it is decoded."""

    speaker: Speaker
    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A summary (the bot's opening, not a turn) and the turns after it, person first."""

    summary: str
    turns: tuple[Turn, ...]
    summary_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a raw text is no dialogue: a documented `code`, a sentence, and the place.

    `partial` is what had been understood when the fault was found, for inspection.
    """

    code: str
    detail: str
    span: Span | None = None
    partial: Dialogue | None = None
