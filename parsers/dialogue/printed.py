"""The printed form of a dialogue, which parses back to the same dialogue."""

from __future__ import annotations

import json

from .model import Dialogue
from .pipeline import parse_dialogue
from .vocabulary import DEFAULT_VOCABULARY, Vocabulary

_NAMES = {"person": "Person", "bot": "Bot"}


def format_dialogue(dialogue: Dialogue, *, vocabulary: Vocabulary = DEFAULT_VOCABULARY) -> str:
    """Print as "Summary: …", then "Person: …" and "Bot: …" lines.

    Where that form would be read differently (a line inside a turn that looks like a label, a
    text wrapped in marks), a JSON object with the same content is given instead, marked so that
    its texts are taken verbatim. Either form, given to `parse_dialogue`, gives the dialogue back,
    spans aside, if `parse_dialogue` made it.
    """
    lines = [f"Summary: {dialogue.summary}", ""]
    lines.extend(f"{_NAMES[turn.speaker]}: {turn.text}" for turn in dialogue.turns)
    plain = "\n".join(lines) + "\n"
    read = parse_dialogue(plain, vocabulary=vocabulary, finish_reason="stop", min_pairs=1)
    same = isinstance(read, Dialogue) and _content(read) == _content(dialogue)
    if same and isinstance(parse_dialogue(plain, vocabulary=vocabulary, min_pairs=1), Dialogue):
        return plain
    content = {
        "format": "dialogsmith",
        "summary": dialogue.summary,
        "turns": [{"speaker": turn.speaker, "text": turn.text} for turn in dialogue.turns],
    }
    # "<" and "&" are escaped so that no text is taken for a tag or a thinking block
    return json.dumps(content).replace("<", "\\u003c").replace("&", "\\u0026") + "\n"


def _content(dialogue: Dialogue) -> tuple[str, tuple[tuple[str, str], ...]]:
    return dialogue.summary, tuple((turn.speaker, turn.text) for turn in dialogue.turns)
