"""Filters for dialogues that two roles hold turn by turn: what a person without the text may say.

    filters = (*DIALOGUE_FILTERS, *selfplay_filters(SelfPlayFilterSettings()))
    verdict = run_filters(sample, FilterSettings(), filters)

All pure, all with their measures whether they refuse or not. What can only be told beside the
other dialogues of a corpus is `QuestionIndex` with `repeated_in_corpus`.
"""

from __future__ import annotations

from generator.filters.selfplay.asked import several_questions
from generator.filters.selfplay.codes import SELFPLAY_CODES
from generator.filters.selfplay.corpus import repeated_in_corpus
from generator.filters.selfplay.generic import generic_questions, is_generic_question
from generator.filters.selfplay.leak import leak
from generator.filters.selfplay.question_index import (
    QuestionIndex,
    QuestionMatch,
    asked_about,
)
from generator.filters.selfplay.run import SELFPLAY_FILTERS, SelfPlayFilter, selfplay_filters
from generator.filters.selfplay.settings import SelfPlayFilterSettings
from generator.filters.selfplay.unanswerable import unanswerable

__all__ = [
    "SELFPLAY_CODES",
    "SELFPLAY_FILTERS",
    "QuestionIndex",
    "QuestionMatch",
    "SelfPlayFilter",
    "SelfPlayFilterSettings",
    "asked_about",
    "generic_questions",
    "is_generic_question",
    "leak",
    "repeated_in_corpus",
    "selfplay_filters",
    "several_questions",
    "unanswerable",
]
