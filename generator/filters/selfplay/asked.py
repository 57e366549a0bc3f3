"""How much one person turn asks."""

from __future__ import annotations

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason
from generator.filters.sample import DialogueSample
from generator.filters.selfplay.settings import SelfPlayFilterSettings
from parsers.utterance.questions import question_count


def several_questions(sample: DialogueSample, settings: SelfPlayFilterSettings) -> FilterResult:
    """One short question a turn: a second one is answered badly, or not at all."""
    if not sample.questions:
        return NOTHING_FOUND
    counts = [(index, question_count(seen.text)) for index, seen in sample.questions]
    reasons = tuple(
        Reason(
            "filter",
            "merged_questions",
            f"turn {index + 1} asks {count} questions, at most {settings.max_questions_per_turn}",
            sample.place(index),
        )
        for index, count in counts
        if count > settings.max_questions_per_turn
    )
    return FilterResult(reasons, {"questions_per_turn_max": max(count for _, count in counts)})
