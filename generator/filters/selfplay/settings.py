"""The thresholds of the self-play filters, each with its unit and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.filters.thresholds import (
    check_thresholds,
    thresholds_from_json,
    thresholds_to_json,
)


@dataclass(frozen=True, slots=True)
class SelfPlayFilterSettings:
    """Thresholds. A unit is a content word, or two neighbouring characters of an unspaced script.

    A value equal to a threshold passes; only what lies beyond it is rejected. A code is switched
    off where the codes of all filters are (`FilterSettings.off`).
    """

    max_leak_share: float = 0.5
    """Share of the different units of all person turns, words that fit any question aside, that
    stand in the text and were never said to the person. Own choice: a good guess uses words of the
    text too. No published recipe checks it."""

    min_leaked_units: int = 4
    """Leaked units a dialogue must have before `max_leak_share` is applied: fewer are chance."""

    max_leaked_numbers: int = 0
    """Different numbers that the person knows from nowhere but the text. Own choice: nobody
    guesses 17.3. Whole numbers up to 10, and 50, 100 and 1000, do not count."""

    max_leaked_phrases: int = 1
    """Different phrases that stand in the text word for word: two leaked words side by side or
    around a third, in unspaced scripts three leaked pairs in a row, which is four characters. Own
    choice: one is a common term."""

    max_generic_questions: int = 1
    """Person turns that would fit any text ("What is the paper about?"). Own choice: one is a poor
    opening, two of four are a dialogue about nothing. PaperPersiChat excluded such questions by a
    list when it built unanswerable ones."""

    max_questions_per_turn: int = 1
    """Separate questions in one person turn. PaperPersiChat's person is told to ask one."""

    max_unanswerable_share: float = 0.5
    """Share of the answers that may say that the text does not hold the answer. In SimQuAC 37 %
    of the simulated and in QuAC 17.5 % of the human questions have none."""

    min_corpus_units: int = 3
    """Units a question must have to be compared across the corpus. Own choice: "How fast is it?"
    is another question in every dialogue."""

    max_corpus_repeats: float = 0.5
    """Share of the questions of a dialogue that may stand in earlier dialogues of the corpus, word
    for word or nearly. Own choice: two dialogues about one paper share a question or two."""

    def __post_init__(self) -> None:
        check_thresholds(self)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values in a fixed order; `from_json` gives the same settings back."""
        return thresholds_to_json(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> SelfPlayFilterSettings:
        """Settings from JSON values; what is not named keeps its default.

        Raises `ValueError` for an unknown name or a value that the setting cannot have.
        """
        return thresholds_from_json(cls, values, called="self-play filter setting")
