"""Constraints that give a dialogue its form only: a JSON schema, and a grammar of free lines."""

from __future__ import annotations

import json

from generator.grammar.gbnf import literal
from generator.values import Constraint

_SPEAKERS = {
    "en": ("Summary: ", "Person: ", "Bot: "),
    "zh": ("摘要：", "提问者：", "回答者："),
}


def dialogue_json_schema(pairs: int = 4) -> Constraint:
    """A JSON schema: `{"summary": str, "turns": [{"speaker": "person" | "bot", "text": str}]}`.

    For servers that take `response_format` of type `json_schema`; every key is
    required and no other allowed, as strict servers ask.
    """
    turn = {
        "type": "object",
        "properties": {
            "speaker": {"type": "string", "enum": ["person", "bot"]},
            "text": {"type": "string"},
        },
        "required": ["speaker", "text"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "turns": {"type": "array", "items": turn, "minItems": 2 * pairs, "maxItems": 2 * pairs},
        },
        "required": ["summary", "turns"],
        "additionalProperties": False,
    }
    return Constraint("json_schema", json.dumps(schema, ensure_ascii=False))


def free_grammar(lang: str, pairs: int = 4) -> Constraint:
    """A GBNF grammar of labelled lines whose text is free: form only, the content is the model's.

    `lang` is "en" or "zh"; the person asks and the bot answers `pairs` times.
    """
    summary, person, bot = _SPEAKERS[lang]
    return Constraint(
        "gbnf",
        f"root ::= {literal(summary)} summary "
        f"({literal(person)} question {literal(bot)} answer){{{pairs}}}\n"
        'summary ::= [^ \\n] [^\\n]{20,400} "\\n"\n'
        'question ::= [^ \\n?？] [^\\n?？]{4,160} [?？] "\\n"\n'
        'answer ::= [^ \\n] [^\\n]{1,240} "\\n"\n',
    )
