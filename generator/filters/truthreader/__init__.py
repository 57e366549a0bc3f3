"""Filters for answers that cite numbered documents, and for refusals where these lack the answer.

    verdict = judge_truthreader(TruthReaderSample(...), TruthReaderFilterSettings())

All pure, all with their measures whether they refuse or not. What can only be told beside the
other records of a corpus is `duplicate_question`, over `new_question_index`.
"""

from __future__ import annotations

from generator.filters.truthreader.codes import TRUTHREADER_CODES
from generator.filters.truthreader.corpus import duplicate_question, new_question_index
from generator.filters.truthreader.elsewhere import answers_elsewhere
from generator.filters.truthreader.measures import truthreader_measures
from generator.filters.truthreader.run import (
    TRUTHREADER_FILTERS,
    TruthReaderFilter,
    judge_truthreader,
)
from generator.filters.truthreader.sample import SpanSupport, TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings
from generator.filters.truthreader.summary import (
    PUBLISHED,
    SummaryRow,
    TruthReaderSummary,
    summarise_truthreader,
)

__all__ = [
    "PUBLISHED",
    "TRUTHREADER_CODES",
    "TRUTHREADER_FILTERS",
    "SpanSupport",
    "SummaryRow",
    "TruthReaderFilter",
    "TruthReaderFilterSettings",
    "TruthReaderSample",
    "TruthReaderSummary",
    "answers_elsewhere",
    "duplicate_question",
    "judge_truthreader",
    "new_question_index",
    "summarise_truthreader",
    "truthreader_measures",
]
