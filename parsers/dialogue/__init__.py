"""Raw model text in, a dialogue or a reason out.

    result = parse_dialogue(raw)
    if isinstance(result, Rejection):
        print(result.code, result.detail, result.span)

Pure functions: no I/O, no clock, no randomness, no model. `docs/parser.md` says what is accepted,
how roles are decided and what each code means.
"""

from __future__ import annotations

from .checks import check_dialogue
from .codes import PARSER_CODES
from .model import Dialogue, Rejection, Span, Speaker, Turn
from .original import OriginalParse, parse_dialogue_original
from .pipeline import parse_dialogue
from .printed import format_dialogue
from .refusal import is_refusal
from .thinking import ThinkingStripped, strip_thinking
from .vocabulary import DEFAULT_VOCABULARY, Vocabulary
from .words import LanguageWords

__all__ = [
    "DEFAULT_VOCABULARY",
    "PARSER_CODES",
    "Dialogue",
    "LanguageWords",
    "OriginalParse",
    "Rejection",
    "Span",
    "Speaker",
    "ThinkingStripped",
    "Turn",
    "Vocabulary",
    "check_dialogue",
    "format_dialogue",
    "is_refusal",
    "parse_dialogue",
    "parse_dialogue_original",
    "strip_thinking",
]
