"""What was read from an output, as utterances, whatever the shape of its record. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def utterances(parsed: Any) -> list[tuple[str, str]]:
    """Speaker and text of each utterance: the turns of a dialogue, or the earlier strings, the
    question and the answer of a cited one. Empty where nothing was read."""
    if not isinstance(parsed, Mapping):
        return []
    turns = parsed.get("turns")
    if isinstance(turns, list):
        said = [
            (str(turn.get("speaker", "")), turn.get("text"))
            for turn in turns
            if isinstance(turn, Mapping)
        ]
    else:
        history = parsed.get("history")
        strings = [*(history if isinstance(history, list) else []), parsed.get("question")]
        said = [("bot" if n % 2 else "person", text) for n, text in enumerate(strings)]
        said.append(("bot", parsed.get("answer")))
    return [(speaker, text) for speaker, text in said if isinstance(text, str)]
