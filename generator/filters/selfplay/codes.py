"""The reject codes of the self-play filters. `docs/reject-codes.md` has examples."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from generator.filters.codes import CodeInfo

SELFPLAY_CODES: Mapping[str, CodeInfo] = MappingProxyType(
    {
        "leak": CodeInfo(
            ("filter",), "The person knows what stands in the text and was never said to it."
        ),
        "generic_questions": CodeInfo(
            ("filter",), "More than `max_generic_questions` questions would fit any text."
        ),
        "merged_questions": CodeInfo(
            ("filter",), "A person turn asks more than `max_questions_per_turn` questions."
        ),
        "too_many_unanswerable": CodeInfo(
            ("filter",), "More than `max_unanswerable_share` of the answers say the text lacks it."
        ),
        "all_unanswerable": CodeInfo(
            ("filter",), "Every answer says that the text lacks the answer."
        ),
        "repeated_in_corpus": CodeInfo(
            ("corpus",),
            "More than `max_corpus_repeats` of the questions stand in earlier dialogues.",
        ),
    }
)
