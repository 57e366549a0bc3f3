"""Which filter setting bounds which measure. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

BOUNDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "pairs": ("min_pairs",),
        "summary_tokens": ("min_summary_tokens", "max_summary_tokens"),
        "answer_tokens_max": ("max_answer_tokens",),
        "loop_share": ("max_loop_share",),
        "echo_max": ("max_echo",),
        "question_answer_overlap_max": ("max_question_answer_overlap",),
        "question_overlap_max": ("max_question_similarity",),
        "answer_overlap_max": ("max_answer_similarity",),
        "grounding_min": ("min_grounding",),
        "example_leaks": ("max_example_leaks",),
        "leak_share": ("max_leak_share",),
        "leaked_numbers": ("max_leaked_numbers",),
        "leaked_phrases": ("max_leaked_phrases",),
        "generic_questions": ("max_generic_questions",),
        "questions_per_turn_max": ("max_questions_per_turn",),
        "unanswerable_share": ("max_unanswerable_share",),
        "corpus_repeat_share": ("max_corpus_repeats",),
        "documents": ("max_documents",),
        "history_strings": ("max_history",),
        "question_tokens": ("min_question_tokens_{lang}", "max_question_tokens_{lang}"),
        "answer_tokens": ("min_answer_tokens_{lang}", "max_answer_tokens_{lang}"),
        "uncited_sentences": ("max_uncited_sentences",),
        "span_support_min": ("min_span_support",),
        "span_share_high": ("min_high_share",),
        "span_margin_mean": ("min_margin",),
        "copied_share_max": ("max_copied_share",),
        "title_share": ("max_title_share",),
        "answer_loop_share": ("max_loop_share",),
    }
)
"""Settings by the measure they bound; `min_…` is the least that passes, `max_…` the most. `{lang}`
stands for zh, or for en in any other language."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A threshold: the setting's name, its value, and whether it is the least that passes."""

    setting: str
    value: float
    least: bool

    def passes(self, measured: float) -> bool:
        """Whether a measured value is within; one equal to the threshold is."""
        return measured >= self.value if self.least else measured <= self.value


def bounds_of(measure: str, settings: Mapping[str, Any]) -> tuple[Bound, ...]:
    """The thresholds of a measure under a manifest's settings (filters and the recipe's own)."""
    options = settings.get("options")
    own = options.get("filters") if isinstance(options, Mapping) else None
    known = {**settings.get("filters", {}), **(own if isinstance(own, Mapping) else {})}
    lang = "zh" if settings.get("lang") == "zh" else "en"
    names = (name.format(lang=lang) for name in BOUNDS.get(measure, ()))
    return tuple(
        Bound(name, float(known[name]), name.startswith("min_"))
        for name in names
        if isinstance(known.get(name), int | float)
    )
