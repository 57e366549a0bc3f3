"""Output constraints for backends that enforce them: GBNF grammars and a JSON schema. Pure."""

from __future__ import annotations

from generator.grammar.dialogue_forms import dialogue_json_schema, free_grammar
from generator.grammar.sentence_grammar import (
    TooFewSentences,
    sentence_grammar,
    usable_sentences,
)

__all__ = [
    "TooFewSentences",
    "dialogue_json_schema",
    "free_grammar",
    "sentence_grammar",
    "usable_sentences",
]
