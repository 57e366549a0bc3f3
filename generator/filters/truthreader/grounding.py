"""Whether the cited documents say what the answer says, and say it better than the others."""

from __future__ import annotations

from statistics import fmean, median

from generator.filters.model import NOTHING_FOUND, FilterResult, Measure, Reason, rounded
from generator.filters.truthreader.sample import SpanSupport, TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings
from parsers.citations import HIGH, LOW
from parsers.text.content import sequence_length
from parsers.text.scripts import has_han
from parsers.text.tokens import tokens


def grounding(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """ROUGE-1 precision of every cited span, as the application has it, and the margin."""
    if sample.refuses:
        return NOTHING_FOUND
    spans = [span for span in sample.spans if span.length >= settings.min_span_tokens]
    if not spans:
        return NOTHING_FOUND
    supports = [span.support for span in spans]
    high = sum(share >= HIGH for share in supports) / len(spans)
    measures: dict[str, Measure] = {
        "spans_judged": len(spans),
        "span_support_mean": rounded(fmean(supports)),
        "span_support_median": rounded(median(supports)),
        "span_support_min": rounded(min(supports)),
        "span_share_high": rounded(high),
        "span_share_low": rounded(sum(share < LOW for share in supports) / len(spans)),
    }
    reasons: list[Reason] = []
    weak = min(spans, key=lambda span: span.support)
    if weak.support < settings.min_span_support:
        detail = (
            f"{weak.support:.0%} of the words before {_shown(weak)} stand in what it cites, at "
            f"least {settings.min_span_support:.0%}"
        )
        reasons.append(_reason(sample, weak, "ungrounded_span", detail))
    if high < settings.min_high_share:
        detail = (
            f"{high:.0%} of the cited spans reach {HIGH:.2f}, at least "
            f"{settings.min_high_share:.0%}"
        )
        reasons.append(Reason("filter", "weak_grounding", detail))
    reasons += _margins(sample, settings, spans, measures)
    reasons += _idle_markers(sample, settings, spans)
    return FilterResult(tuple(reasons), measures)


def _margins(
    sample: TruthReaderSample,
    settings: TruthReaderFilterSettings,
    spans: list[SpanSupport],
    measures: dict[str, Measure],
) -> list[Reason]:
    uncited = [span.uncited for span in spans if span.uncited is not None]
    if uncited:
        measures["span_uncited_mean"] = rounded(fmean(uncited))
    compared = [
        (span.content - span.content_uncited, span)
        for span in spans
        if span.content_uncited is not None
    ]
    if not compared:
        return []
    margin = fmean(margin for margin, _ in compared)
    measures["span_margin_mean"] = rounded(margin)
    reasons: list[Reason] = []
    worst, span = min(compared, key=lambda pair: pair[0])
    if -worst > settings.max_elsewhere:
        best = max(range(len(span.each)), key=lambda index: span.each[index])
        detail = (
            f"document {best + 1} has {span.each[best]:.0%} of the content before {_shown(span)}, "
            f"which has {span.content:.0%}; at most {settings.max_elsewhere:.0%} more"
        )
        reasons.append(_reason(sample, span, "wrong_document", detail))
    if margin < settings.min_margin:
        detail = (
            f"what is cited has {margin:.0%} more of the content than the best of the other "
            f"documents, on average; at least {settings.min_margin:.0%}"
        )
        reasons.append(Reason("filter", "thin_margin", detail))
    return reasons


def _idle_markers(
    sample: TruthReaderSample, settings: TruthReaderFilterSettings, spans: list[SpanSupport]
) -> list[Reason]:
    for span in spans:
        shares = {n: span.each[n - 1] for n in span.numbers if 1 <= n <= len(span.each)}
        if len(shares) < 2 or max(shares.values()) < HIGH:
            continue
        number = min(shares, key=lambda n: shares[n])
        if shares[number] < settings.min_marker_support:
            detail = (
                f"document {number} has {shares[number]:.0%} of the content before {_shown(span)}, "
                f"at least {settings.min_marker_support:.0%}"
            )
            return [_reason(sample, span, "idle_marker", detail)]
    return []


def gold_cited(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """An answer cites at least one of the documents that its question was made from."""
    if sample.refuses or not sample.gold or not sample.groups:
        return NOTHING_FOUND
    measures = {"gold_cited_share": rounded(len(sample.gold & sample.cited) / len(sample.gold))}
    if sample.gold & sample.cited:
        return FilterResult((), measures)
    names = ", ".join(str(index + 1) for index in sorted(sample.gold))
    detail = f"none of the documents the question was made from is cited ({names})"
    return FilterResult((Reason("filter", "gold_uncited", detail),), measures)


def copying(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """A document that stands in the answer word for word, from beginning to end."""
    if not sample.answer_tokens:
        return NOTHING_FOUND
    said = sample.answer_tokens
    highest, copied = 0.0, -1
    for index, (_, text) in enumerate(sample.documents):
        # A document longer than the answer cannot stand in it.
        found = tokens(text) if len(text) <= 2 * len(sample.answer) else []
        if len(found) < settings.min_copied_tokens:
            continue
        length = sequence_length(len(found), len(found) if has_han(text) else 0, 0)
        known = {tuple(said[at : at + length]) for at in range(len(said) - length + 1)}
        total = len(found) - length + 1
        share = sum(tuple(found[at : at + length]) in known for at in range(total)) / total
        if share > highest:
            highest, copied = share, index
    measures = {"copied_share_max": rounded(highest)}
    if highest <= settings.max_copied_share:
        return FilterResult((), measures)
    detail = (
        f"the answer holds {highest:.0%} of document {copied + 1} word for word, at most "
        f"{settings.max_copied_share:.0%}"
    )
    return FilterResult((Reason("filter", "copied_document", detail),), measures)


def _shown(span: SpanSupport) -> str:
    return "".join(f"[{number}]" for number in span.numbers)


def _reason(sample: TruthReaderSample, span: SpanSupport, code: str, detail: str) -> Reason:
    return Reason("filter", code, detail, sample.place(span.start, span.end))
