"""Which measures are numbers, and which of these are lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_LENGTHS = frozenset(("turns", "pairs", "rounds", "summary_parts", "sentences", "documents"))
_UNITS = ("_tokens", "_chars", "_characters", "_strings", "_tokens_mean", "_tokens_max")


def numbers(measures: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The measures that are numbers, with their names. Texts and lists are left out."""
    for name, value in measures.items():
        if not isinstance(value, bool) and isinstance(value, int | float):
            yield name, value


def is_length(name: str) -> bool:
    """True for a measure in tokens, characters or turns, false for shares and fault counts."""
    return name in _LENGTHS or name.endswith(_UNITS)


MEANINGS: Mapping[str, str] = {
    "turns": "turns of a dialogue",
    "pairs": "questions with an answer right after them",
    "rounds": "finished rounds",
    "summary_chars": "characters of the summary",
    "summary_tokens": "tokens of the summary",
    "question_tokens_mean": "mean length of the questions",
    "answer_tokens_mean": "mean length of the answers",
    "answer_tokens_max": "longest answer",
    "question_share": "person turns that ask something",
    "loop_share": "six-word sequences that occurred before",
    "distinct_1": "different tokens over all tokens",
    "echo_max": "largest word overlap of a person turn with what was said before it",
    "question_answer_overlap_max": "largest word overlap of a question with its answer",
    "question_overlap_max": "largest content overlap of two questions",
    "answer_overlap_max": "largest content overlap of two answers",
    "answers_missing": "answers saying that the text lacks the answer",
    "answers_judged": "answers whose grounding was measured",
    "grounding_min": "least grounded answer: share of its content words in the segment",
    "grounding_mean": "content words of the answers that occur in the segment",
    "summary_grounding": "content words of the summary that occur in the segment",
    "summary_share": "characters of the summary over those of the segment",
    "example_leaks": "traces of the few-shot example",
    "retried_turns": "turns that were asked again",
    "summary_parts": "parts in which the text was summarised",
    "leak_share": "what the person says of the text that it was never told",
    "generic_share": "questions that would fit any text",
    "questions_per_turn_max": "most questions in one person turn",
    "unanswerable_share": "answers saying that the text lacks the answer",
    "corpus_repeat_share": "questions that stand in earlier dialogues of the corpus",
    "trimmed_chars": "characters cut off to fit the context",
    "question_tokens": "tokens of the question",
    "answer_tokens": "tokens of the answer, markers left out",
    "answer_characters": "characters of the answer, markers left out",
    "history_strings": "earlier utterances",
    "documents": "documents of the record",
    "sentences": "sentences of the answer",
    "citation_groups": "places with citations",
    "multi_citation_groups": "places that cite several documents",
    "documents_cited": "documents that are cited",
    "uncited_sentences": "sentences that claim something without a citation",
    "refusal": "the answer refuses (1) or not (0)",
    "answerable": "the documents hold the answer (1) or not (0)",
    "gold_cited_share": "gold documents that are cited",
    "span_support_mean": "precision of the cited spans against what they cite",
    "span_support_min": "least supported span",
    "span_share_high": "spans with a precision from 0.65 on",
    "span_share_low": "spans with a precision below 0.30",
    "span_uncited_mean": "the same spans against the best uncited document",
    "span_margin_mean": "how far the best uncited document is behind",
    "copied_share_max": "largest share of a document that was copied",
    "title_share": "what the answer adds to the question that stands in the cited titles",
    "repaired": "citations that were put right",
    "asked_again": "turns that were asked again",
    "judge_recall": "sentences that the judge finds entailed by what they cite",
    "judge_precision": "markers that the judge finds needed",
    "judge_agreement": "sentences of which judge and word overlap say the same",
    "normalised": "citations that were brought to the published form",
}
"""What the measures of dialogues say, in a few words; docs/formats.md has them in full."""
