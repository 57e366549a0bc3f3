"""The self-play filters, in the order in which their reasons are listed."""

from __future__ import annotations

from collections.abc import Callable

from generator.filters.dialogue import DialogueFilter
from generator.filters.model import FilterResult
from generator.filters.sample import DialogueSample
from generator.filters.selfplay.asked import several_questions
from generator.filters.selfplay.generic import generic_questions
from generator.filters.selfplay.leak import leak
from generator.filters.selfplay.settings import SelfPlayFilterSettings
from generator.filters.selfplay.unanswerable import unanswerable
from generator.filters.settings import FilterSettings

SelfPlayFilter = Callable[[DialogueSample, SelfPlayFilterSettings], FilterResult]
"""A pure function: the same sample and settings give the same result, whatever ran before."""

SELFPLAY_FILTERS: tuple[SelfPlayFilter, ...] = (
    leak,
    generic_questions,
    several_questions,
    unanswerable,
)


def selfplay_filters(settings: SelfPlayFilterSettings) -> tuple[DialogueFilter, ...]:
    """The filters with their own settings filled in, to be run with those of any dialogue."""
    return tuple(_bound(check, settings) for check in SELFPLAY_FILTERS)


def _bound(check: SelfPlayFilter, settings: SelfPlayFilterSettings) -> DialogueFilter:
    def bound(sample: DialogueSample, _: FilterSettings) -> FilterResult:
        return check(sample, settings)

    return bound
