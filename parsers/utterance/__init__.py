"""One raw model output in, one utterance of one speaker out, or the reason why there is none.

    said = parse_utterance(raw, "person", finish_reason="stop")
    if isinstance(said, UtteranceFault):
        print(said.code, said.detail)

For dialogues that two models hold turn by turn: each output should be one turn and often is more
(a label, quotes, narration, the other's answer, a whole further dialogue). Pure functions: no I/O,
no clock, no randomness, no model; time is linear in the length of the text.
"""

from __future__ import annotations

from .farewell import is_farewell
from .model import REMOVED_KINDS, UTTERANCE_CODES, Utterance, UtteranceFault
from .parse import parse_utterance
from .questions import question_count

__all__ = [
    "REMOVED_KINDS",
    "UTTERANCE_CODES",
    "Utterance",
    "UtteranceFault",
    "is_farewell",
    "parse_utterance",
    "question_count",
]
