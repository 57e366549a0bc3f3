"""Reads case files: one raw output a line, with the dialogue or the reject code it must give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from parsers.dialogue import Dialogue, Rejection

Case = dict[str, Any]

OWN_CASES = Path(__file__).resolve().parent / "cases.jsonl"
SHARED_CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "raw_dialogue_cases.jsonl"


def read_cases(path: Path) -> list[Case]:
    """The cases of a file in order; none when the file is absent."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def as_expected(result: Dialogue | Rejection) -> dict[str, Any]:
    """A result in the form the case files state it."""
    if isinstance(result, Rejection):
        return {"reject": result.code}
    turns = [{"speaker": turn.speaker, "text": turn.text} for turn in result.turns]
    return {"summary": result.summary, "turns": turns}
