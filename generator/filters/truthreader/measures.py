"""One record in numbers, the way the published sample was measured."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean, median
from typing import Any

from generator.filters.model import Measure, rounded
from generator.filters.truthreader.sample import TruthReaderSample
from parsers.citations import HIGH, LOW
from parsers.text.question_types import question_type
from parsers.text.scripts import has_han
from parsers.text.tokens import tokens


def truthreader_measures(record: Mapping[str, Any], lang: str | None = None) -> dict[str, Measure]:
    """The measures of one record `{question, history, documents, answer}` of the published shape.

    Lengths in tokens (alphanumeric words or CJK characters) and characters, counts, and shares of
    the cited spans: ROUGE-1 precision against what they cite (`support_…`) and against the best
    document that they do not (`uncited_…`). Measures of spans are left out where there are none.
    `lang` is told by the question's script when it is None ("zh" with a Han character, else "en").
    """
    return record_measures(measured_sample(record, lang))


def measured_sample(record: Mapping[str, Any], lang: str | None = None) -> TruthReaderSample:
    """A record as a sample of which the gold documents are not known."""
    documents = tuple((entry["title"], entry["document"]) for entry in record["documents"])
    question = record["question"]
    if lang is None:
        lang = "zh" if has_han(question) else "en"
    return TruthReaderSample(
        question, tuple(record["history"]), documents, record["answer"], lang=lang
    )


def record_measures(sample: TruthReaderSample) -> dict[str, Measure]:
    """`truthreader_measures` of a sample; `…_sum` are there to be summed up over records."""
    documents, groups, cited = sample.documents, sample.groups, sample.cited
    lengths = [len(tokens(text)) for _, text in documents]
    measures: dict[str, Measure] = {
        "lang": sample.lang,
        "question_tokens": len(sample.question_tokens),
        "question_type": question_type(sample.question, sample.lang),
        "history_strings": len(sample.history),
        "documents": len(documents),
        "documents_uncited": len(documents) - len(cited),
        "empty_titles": sum(not title.strip() for title, _ in documents),
        "document_tokens_sum": sum(lengths),
        "document_characters_sum": sum(len(text) for _, text in documents),
        "answer_tokens": len(sample.answer_tokens),
        "answer_characters": len(sample.answer),
        "refusal": int(sample.refuses),
        "groups": len(groups),
        "multi_groups": sum(len(group.numbers) > 1 for group in groups),
        "cites_several": int(len(cited) > 1),
        "cited_to_the_end": int(bool(groups) and bool(sample.sentences[-1].numbers)),
    }
    supports = [span.support for span in sample.spans]
    if supports:
        measures["support_mean"] = rounded(fmean(supports))
        measures["support_median"] = rounded(median(supports))
        measures["support_sum"] = rounded(sum(supports))
        measures["spans_high"] = sum(share >= HIGH for share in supports)
        measures["spans_low"] = sum(share < LOW for share in supports)
    uncited = [span.uncited for span in sample.spans if span.uncited is not None]
    if uncited:
        measures["uncited_mean"] = rounded(fmean(uncited))
        measures["uncited_sum"] = rounded(sum(uncited))
        measures["spans_compared"] = len(uncited)
    return measures
