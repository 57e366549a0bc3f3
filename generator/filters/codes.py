"""Every reject code but the parser's. `docs/reject-codes.md` has examples.

A code that the dialogue parser has as well (`parsers.dialogue`) means the same here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """What a code means, and the stages that give it."""

    stages: tuple[str, ...]
    explanation: str


_FILTER = ("filter",)

REJECT_CODES: Mapping[str, CodeInfo] = MappingProxyType(
    {
        "truncated": CodeInfo(("call",), "The answer reached its token limit."),
        "refusal": CodeInfo(
            ("call", "filter"), "The model refuses the task, or speaks as a language model."
        ),
        "empty_answer": CodeInfo(("call",), "The model answered with nothing."),
        "content_filter": CodeInfo(("call",), "The provider's content filter stopped the call."),
        "too_few_sentences": CodeInfo(
            ("prepare",), "The segment has too few sentences for a grammar made from them."
        ),
        "context_overflow": CodeInfo(
            ("call",), "Prompt and answer do not fit into the model's context."
        ),
        "wrong_order": CodeInfo(_FILTER, "The first turn is the bot's."),
        "same_speaker_twice": CodeInfo(_FILTER, "One speaker has two turns running."),
        "odd_turn_count": CodeInfo(_FILTER, "A question has no answer: the turns are odd."),
        "too_few_turns": CodeInfo(_FILTER, "Fewer question/answer pairs than `min_pairs`."),
        "missing_summary": CodeInfo(_FILTER, "There is no summary, or it holds no word."),
        "short_summary": CodeInfo(_FILTER, "The summary is shorter than `min_summary_tokens`."),
        "overlong_summary": CodeInfo(_FILTER, "The summary is longer than `max_summary_tokens`."),
        "empty_turn": CodeInfo(_FILTER, "A turn is empty or holds no word."),
        "overlong_turn": CodeInfo(
            _FILTER, "A turn is longer than `max_question_tokens` or `max_answer_tokens`."
        ),
        "multiple_dialogues": CodeInfo(
            _FILTER, "A second summary, dialogue or paper begins inside a turn."
        ),
        "label_residue": CodeInfo(_FILTER, "A speaker label is left inside a turn."),
        "markup_residue": CodeInfo(_FILTER, "Markup or a model's control token is left."),
        "placeholder_text": CodeInfo(_FILTER, "A template slot was left unfilled."),
        "garbled_text": CodeInfo(_FILTER, "Control, replacement or half characters."),
        "wrong_language": CodeInfo(_FILTER, "Written in another script than the language's."),
        "no_question": CodeInfo(_FILTER, "No person turn asks anything."),
        "loop": CodeInfo(_FILTER, "The text goes round in circles."),
        "echo": CodeInfo(_FILTER, "A turn says again what was just said to it."),
        "repeated_question": CodeInfo(_FILTER, "A question is asked twice."),
        "repeated_answer": CodeInfo(_FILTER, "An answer is given twice."),
        "example_leak": CodeInfo(_FILTER, "Content of the few-shot example came into the output."),
        "prompt_echo": CodeInfo(_FILTER, "A turn says the instruction again."),
        "ungrounded": CodeInfo(_FILTER, "An answer shares too little with the segment."),
        "summary_copies_text": CodeInfo(_FILTER, "The summary is the segment itself."),
        "duplicate_dialogue": CodeInfo(
            ("corpus",), "The same dialogue stands earlier in the corpus."
        ),
        "refused_by_person": CodeInfo(("person",), "A person refused it."),
    }
)
