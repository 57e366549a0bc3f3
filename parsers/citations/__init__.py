"""Citations of an answer: brought to one form, read, repaired, and measured against the documents.

Pure. Documents are numbered from 1, as the markers `[n]` are.
"""

from __future__ import annotations

from parsers.citations.connective import is_connective
from parsers.citations.model import (
    AnswerSentence,
    Change,
    CitationGroup,
    CitedSpan,
    Normalised,
    RefusalParts,
    Repair,
    Repaired,
    Rewritten,
)
from parsers.citations.normalise import normalise_citations
from parsers.citations.reading import answer_sentences, citation_groups, cited_spans
from parsers.citations.refusal import is_refusal, refusal_parts, says_missing
from parsers.citations.repair import MIN_MARGIN, MIN_SUPPORT, repair_citations
from parsers.citations.support import HIGH, LOW, content_support, support

__all__ = [
    "HIGH",
    "LOW",
    "MIN_MARGIN",
    "MIN_SUPPORT",
    "AnswerSentence",
    "Change",
    "CitationGroup",
    "CitedSpan",
    "Normalised",
    "RefusalParts",
    "Repair",
    "Repaired",
    "Rewritten",
    "answer_sentences",
    "citation_groups",
    "cited_spans",
    "content_support",
    "is_connective",
    "is_refusal",
    "normalise_citations",
    "refusal_parts",
    "repair_citations",
    "says_missing",
    "support",
]
