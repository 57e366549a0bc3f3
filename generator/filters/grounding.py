"""Whether the answers come from the segment."""

from __future__ import annotations

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, rounded
from generator.filters.sample import DialogueSample
from generator.filters.settings import FilterSettings
from parsers.text.content import view
from parsers.text.similarity import precision

_MIN_COVERED_WORDS = 50


def grounding(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """The share of each answer's content units that occur in the segment.

    Unigram precision without function words, the cheap half of what
    TruthReader's application shows as its factual score. It does not tell true
    from false: it finds answers that have nothing to do with the text. Answers
    that say the text lacks the answer, and very short ones, are not judged.
    """
    unsupported = sample.unsupported
    shares: list[float] = []
    reasons: list[Reason] = []
    missing = 0
    for pair in sample.pairs:
        if pair.answer_is_missing:
            missing += 1
            continue
        content = pair.answer.content
        if len(content) < settings.min_grounding_units:
            continue
        share = _share(content, unsupported)
        shares.append(share)
        if share < settings.min_grounding:
            detail = (
                f"turn {pair.answer_index + 1}: {share:.0%} of the answer's content words occur in "
                f"the text, at least {settings.min_grounding:.0%}"
            )
            reasons.append(Reason("filter", "ungrounded", detail, sample.place(pair.answer_index)))
    measures: dict[str, float | int | str] = {
        "answers_missing": missing,
        "answers_judged": len(shares),
        "summary_grounding": rounded(_share(sample.summary.content, unsupported)),
    }
    if shares:
        measures["grounding_min"] = rounded(min(shares))
        measures["grounding_mean"] = rounded(sum(shares) / len(shares))
    return FilterResult(tuple(reasons), measures)


def _share(content: frozenset[str], unsupported: frozenset[str]) -> float:
    if not content:
        return 0.0
    return (len(content) - len(content & unsupported)) / len(content)


def summary_coverage(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """A summary that holds nearly all words of the segment is the segment itself."""
    if not sample.text:
        return NOTHING_FOUND
    length = len(sample.dialogue.summary) / len(sample.text)
    measures = {"summary_share": rounded(length)}
    # A text this much shorter cannot hold nearly all words; the check is for the rest.
    if length < 0.5:
        return FilterResult((), measures)
    words = view(sample.text).words
    if len(words) < _MIN_COVERED_WORDS:
        return FilterResult((), measures)
    coverage = precision(words, sample.summary.words)
    if coverage <= settings.max_summary_coverage:
        return FilterResult((), measures)
    detail = f"the summary holds {coverage:.0%} of the words of the text"
    return FilterResult(
        (Reason("filter", "summary_copies_text", detail, sample.place(None)),), measures
    )
