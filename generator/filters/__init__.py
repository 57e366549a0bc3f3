"""Filters: pure judgements on a candidate, every reason with a documented code."""

from __future__ import annotations

from generator.filters.calls import call_reasons, failed_call_reason, finished
from generator.filters.codes import REJECT_CODES, CodeInfo
from generator.filters.dialogue import DIALOGUE_FILTERS, DialogueFilter, run_filters
from generator.filters.fingerprint import fingerprint
from generator.filters.model import FilterResult, FilterSettings, Reason, Verdict
from generator.filters.sample import DialogueSample
from parsers.text.reference import ReferenceText

__all__ = [
    "DIALOGUE_FILTERS",
    "REJECT_CODES",
    "CodeInfo",
    "DialogueFilter",
    "DialogueSample",
    "FilterResult",
    "FilterSettings",
    "Reason",
    "ReferenceText",
    "Verdict",
    "call_reasons",
    "failed_call_reason",
    "fingerprint",
    "finished",
    "run_filters",
]
