"""Output constraints for backends that enforce them: GBNF grammars and a JSON schema. Pure."""

from __future__ import annotations

from generator.grammar.cited_forms import (
    cited_answer,
    refusal_form,
    subject_question,
    verdict_form,
)
from generator.grammar.dialogue_forms import dialogue_json_schema, free_grammar
from generator.grammar.sentence_grammar import (
    TooFewSentences,
    sentence_grammar,
    usable_sentences,
)
from generator.grammar.turn_forms import (
    answer_from_text,
    question_about,
    question_form,
    summary_from_text,
)

__all__ = [
    "TooFewSentences",
    "answer_from_text",
    "cited_answer",
    "dialogue_json_schema",
    "free_grammar",
    "question_about",
    "question_form",
    "refusal_form",
    "sentence_grammar",
    "subject_question",
    "summary_from_text",
    "usable_sentences",
    "verdict_form",
]
