"""The thresholds of the dialogue filters, each with its unit and where it comes from."""

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
class FilterSettings:
    """Thresholds and switches. Token: an alphanumeric word or one CJK character.

    A value equal to a threshold passes; only what lies beyond it is rejected.
    """

    off: frozenset[str] = frozenset()
    """Codes that are switched off: such a reason is dropped, its measures are still recorded."""

    min_pairs: int = 2
    """Question/answer pairs a dialogue must have. PaperPersiChat keeps a self-play dialogue from
    two finished rounds on."""

    min_summary_tokens: int = 5
    """Tokens of the shortest summary. Own choice: below it stands a title or a fragment."""

    max_summary_tokens: int = 400
    """Tokens of the longest summary. PaperPersiChat's have 60 on average, 99 at the 95th
    percentile; four times that is no summary any more."""

    max_summary_coverage: float = 0.8
    """Share of the segment's different words that the summary may hold. Own choice: above it the
    summary is the text, and the person has read it. Not applied to texts under 50 words."""

    max_question_tokens: int = 120
    """Tokens of the longest person turn. SimQuAC allows 25 words; five times that leaves room for
    Chinese, where every character counts."""

    max_answer_tokens: int = 512
    """Tokens of the longest bot turn: PaperPersiChat's cap for one utterance in self-play."""

    max_loop_share: float = 0.3
    """Share of the six-word (ten-character in Chinese) sequences that are repeats, in one turn or
    over all turns. Measured on raw outputs of small models: above 0.3 they were loops."""

    max_run_tokens: int = 12
    """Tokens of the longest block said three or more times in a row. Own choice: a longer one is
    a loop even where most of the turn is sound."""

    max_echo: float = 0.6
    """Word overlap (Jaccard) of a person turn with the bot turn before it or the summary, and of
    an answer without a new content word with its question."""

    max_question_answer_overlap: float = 0.8
    """Word overlap (Jaccard) of a question with its own answer. Looser than `max_echo`: an answer
    taken from the text word by word may share most words with the question made from it."""

    max_question_similarity: float = 0.7
    """ROUGE-L F1 of two questions of a dialogue, the bound of Self-Instruct. Together with
    `max_content_overlap`, since short questions of one form are not the same question."""

    max_content_overlap: float = 0.8
    """Content-unit overlap (Jaccard) of two questions or two answers; the later is a repeat when it
    lies beyond this bound and that of similarity. Own choice: up to nine content words, one
    exchanged word makes another question."""

    max_answer_similarity: float = 0.8
    """ROUGE-L F1 of two answers of a dialogue, with `max_content_overlap`. Own choice, looser than
    for questions: answers may share a subject and a frame. Answers that say the text lacks the
    answer are not compared."""

    min_grounding: float = 0.3
    """Share of an answer's content units that occur in the segment. Below 0.3 TruthReader's
    application marks a sentence as unsupported. Not applied under `min_grounding_units`."""

    min_grounding_units: int = 3
    """Content units an answer must have to be judged by `min_grounding` ("Yes, two.")."""

    max_example_leaks: int = 1
    """Pairs of content words and names that stand in the example, not in the segment, and yet in
    the output. Own choice: one may be chance."""

    min_prompt_echo_tokens: int = 10
    """Tokens in a row, shared with the instruction, that count as an echo of the prompt."""

    min_language_share: float = 0.1
    """Share of the letters that must be of the language's script (Han for zh, Latin for en).
    Low on purpose: names, terms and formulas are Latin in any language."""

    min_language_letters: int = 20
    """Letters a text must have before its language is judged."""

    def __post_init__(self) -> None:
        check_thresholds(self)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values in a fixed order; `from_json` gives the same settings back."""
        return thresholds_to_json(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> FilterSettings:
        """Settings from JSON values; what is not named keeps its default.

        Raises `ValueError` for an unknown name or a value that the setting cannot have.
        """
        return thresholds_from_json(cls, values, called="filter setting")
