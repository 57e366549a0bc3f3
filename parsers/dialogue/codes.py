"""Every code a dialogue can be rejected with, and what it means in one line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PARSER_CODES: Mapping[str, str] = MappingProxyType(
    {
        "empty": "Nothing is left once white space and thinking blocks are gone.",
        "refusal": "The model declined the task instead of writing a dialogue.",
        "prompt_echo": "The output repeats the instruction or a field of the prompt.",
        "not_a_dialogue": "The text is prose, an error page or anything else without speakers.",
        "no_speaker_labels": "There are questions and answers, but nothing says who speaks.",
        "unknown_speaker": "A third speaker appears, or who asks and who answers cannot be told.",
        "missing_summary": "No summary comes before the first question.",
        "too_few_turns": "Fewer question and answer pairs than required.",
        "odd_turn_count": "The last question has no answer.",
        "wrong_order": "The answer comes before its question, or the summary after the turns.",
        "same_speaker_twice": "One speaker has two turns running.",
        "role_swap": "The one labelled as the asker answers, and the other asks.",
        "empty_turn": "A label has no text.",
        "merged_questions": "One turn holds a numbered list of questions.",
        "duplicate_turns": "The same question or the same answer comes again.",
        "multiple_dialogues": "A second dialogue begins in the same output.",
        "placeholder_text": "A slot of a template was left unfilled.",
        "truncated": "The output ends in the middle.",
        "malformed_markup": "JSON, tags or code that cannot be read with certainty.",
        "garbled_text": "Characters were lost: replacement characters or no words at all.",
        "degenerate_repetition": "The model fell into a loop of the same words.",
    }
)
