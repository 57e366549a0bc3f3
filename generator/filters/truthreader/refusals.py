"""Refusals: given where the documents lack the answer and nowhere else, and complete."""

from __future__ import annotations

from generator.filters.model import FilterResult, Reason, rounded
from generator.filters.truthreader.sample import TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings
from parsers.citations import refusal_parts
from parsers.citations.support import unit_support
from parsers.text.content import content_units


def refusals(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """A refusal has no marker, says sorry, what is missing, and what the documents cover."""
    measures: dict[str, float | int | str] = {"refusal": int(sample.refuses)}
    if not sample.refuses:
        if sample.answerable or not sample.answer_tokens:
            return FilterResult((), measures)
        detail = "the documents lack the answer, and yet there is one"
        return FilterResult((Reason("filter", "answered_without_gold", detail),), measures)
    reasons: list[Reason] = []
    if sample.answerable:
        detail = "the answer says that the documents lack what one of them has"
        reasons.append(Reason("filter", "refusal_with_gold", detail))
    if sample.groups:
        group = sample.groups[0]
        marker = sample.answer[group.start : group.end]
        place = sample.place(group.start, group.end)
        detail = f"the answer refuses and cites {marker}"
        reasons.append(Reason("filter", "refusal_with_marker", detail, place))
    parts = refusal_parts(sample.answer)
    if not parts.apologises:
        reasons.append(
            Reason("filter", "refusal_without_apology", "the refusal does not say sorry")
        )
    if not parts.says_missing:
        detail = "the refusal does not name what is missing"
        reasons.append(Reason("filter", "refusal_without_reason", detail))
    if not parts.says_covered:
        detail = "the refusal does not say what the documents are about"
        reasons.append(Reason("filter", "refusal_without_coverage", detail))
    elif sample.documents:
        # What a refusal says is in the question or in the documents; the rest is its own wording.
        units = content_units(sample.plain_answer) - content_units(sample.question)
        share = unit_support(units, sample.read_documents)
        measures["refusal_support"] = rounded(share)
    return FilterResult(tuple(reasons), measures)
