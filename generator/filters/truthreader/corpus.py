"""A question that was asked before in the corpus."""

from __future__ import annotations

from collections.abc import Sequence

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason
from generator.filters.selfplay.question_index import QuestionIndex, QuestionMatch
from generator.filters.truthreader.settings import TruthReaderFilterSettings


def new_question_index(settings: TruthReaderFilterSettings) -> QuestionIndex:
    """An empty index for the questions of a corpus; remember that of each record that is kept."""
    return QuestionIndex(settings.min_corpus_units)


def duplicate_question(
    question: str, matches: Sequence[QuestionMatch], earlier: str | None = None
) -> FilterResult:
    """Judge what `QuestionIndex.find([question])` said. `earlier` names the record it matches.

    The same content words in any order and inflection, or one more. Order decides: the first
    record keeps its question.
    """
    if not matches:
        return NOTHING_FOUND
    where = f"record {matches[0].dialogue + 1}" if earlier is None else earlier
    detail = f"the question stands in {where} already: “{question[:80]}”"
    return FilterResult((Reason("corpus", "duplicate_question", detail),))
