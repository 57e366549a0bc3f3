"""The filters of a cited answer, in the order in which their reasons are listed."""

from __future__ import annotations

from collections.abc import Callable

from generator.filters.model import FilterResult, Measure, Reason, Verdict
from generator.filters.truthreader.form import form, language, residue
from generator.filters.truthreader.grounding import copying, gold_cited, grounding
from generator.filters.truthreader.markers import coverage, markers
from generator.filters.truthreader.question import history, question, title_answers
from generator.filters.truthreader.refusals import refusals
from generator.filters.truthreader.sample import TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings

TruthReaderFilter = Callable[[TruthReaderSample, TruthReaderFilterSettings], FilterResult]
"""A pure function: the same sample and settings give the same result, whatever ran before."""

TRUTHREADER_FILTERS: tuple[TruthReaderFilter, ...] = (
    question,
    history,
    form,
    residue,
    language,
    markers,
    coverage,
    refusals,
    grounding,
    gold_cited,
    copying,
    title_answers,
)


def judge_truthreader(
    sample: TruthReaderSample, settings: TruthReaderFilterSettings | None = None
) -> Verdict:
    """Every filter's reasons and measures. All filters run, so that all reasons are known."""
    settings = TruthReaderFilterSettings() if settings is None else settings
    reasons: list[Reason] = []
    measures: dict[str, Measure] = {}
    for check in TRUTHREADER_FILTERS:
        result = check(sample, settings)
        reasons.extend(reason for reason in result.reasons if reason.code not in settings.off)
        measures.update(result.measures)
    return Verdict(not reasons, tuple(reasons), measures)
