"""The filters of a dialogue, in the order in which their reasons are listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from generator.filters.grounding import grounding, summary_coverage
from generator.filters.language import declining, questions_asked, wrong_language
from generator.filters.leaks import example_leak, prompt_echo
from generator.filters.model import FilterResult, Measure, Reason, Verdict
from generator.filters.repetition import echoes, loops, repeated_answers, repeated_questions
from generator.filters.residue import residue
from generator.filters.sample import DialogueSample
from generator.filters.settings import FilterSettings
from generator.filters.structure import lengths, structure

DialogueFilter = Callable[[DialogueSample, FilterSettings], FilterResult]
"""A pure function: the same sample and settings give the same result, whatever ran before."""

DIALOGUE_FILTERS: tuple[DialogueFilter, ...] = (
    structure,
    lengths,
    residue,
    declining,
    wrong_language,
    questions_asked,
    loops,
    echoes,
    repeated_questions,
    repeated_answers,
    example_leak,
    prompt_echo,
    grounding,
    summary_coverage,
)


def run_filters(
    sample: DialogueSample,
    settings: FilterSettings | None = None,
    filters: Sequence[DialogueFilter] = DIALOGUE_FILTERS,
) -> Verdict:
    """Every filter's reasons and measures. All filters run, so that all reasons are known."""
    settings = FilterSettings() if settings is None else settings
    reasons: list[Reason] = []
    measures: dict[str, Measure] = {}
    for check in filters:
        found, measured = check(sample, settings)
        if found:
            reasons.extend(found)
        if measured:
            measures.update(measured)
    if settings.off:
        reasons = [reason for reason in reasons if reason.code not in settings.off]
    return Verdict(not reasons, tuple(reasons), measures)
