"""The published rules of the PaperPersiChat authors, for those who need their behaviour.

Restated from the notebook "Dialogue Dataset Preprocessing" of the paper_persi_chat repository;
its faults are kept on purpose: an unlabelled line is a turn of its own, labels are deleted
wherever they occur, and only English labels with an ASCII colon are known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .model import Dialogue, Rejection, Speaker, Turn

_BOT = ("Me", "You", "Answer")
_PERSON = ("Person", "Other person", "Other")
_WINDOW = 10
"""A label counts when it begins within this many characters of its line."""


@dataclass(frozen=True, slots=True)
class OriginalParse:
    """What the published parser and its filter make of a text.

    `correct_order` is false when a label contradicted the alternation. `rejection` is the
    filter's: an odd number of turns, no turns, or a speaker out of place; None when the record
    would be kept. The filter reads neither the summary nor `correct_order`.
    """

    dialogue: Dialogue
    correct_order: bool
    rejection: Rejection | None = None


def parse_dialogue_original(raw: str) -> OriginalParse:
    """Parse and filter as published. Never raises; spans are not kept."""
    bot, person = _labels(raw)
    every = (*bot, *person, "Summary", "summary")
    text = raw
    for label in every:
        text = re.sub(rf"{re.escape(label)}:[ \t]*\n+[ \t]*", f"{label}: ", text)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    at = _summary_line(lines, bot, person)
    summary = _without_labels(lines[at], every) if at is not None else ""
    turns: list[Turn] = []
    correct = True
    parity = 0
    for number, line in enumerate(lines[at + 1 :] if at is not None else lines):
        speaker: Speaker = "person" if (number + parity) % 2 == 0 else "bot"
        stated = _stated(line, bot, person)
        if stated is not None and stated != speaker:
            speaker, parity, correct = stated, parity + 1, False
        turns.append(Turn(speaker, _without_labels(line, every)))
    dialogue = Dialogue(summary, tuple(turns))
    return OriginalParse(dialogue, correct, _filtered(dialogue))


def _labels(raw: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bot and person labels; "Person 1" and "Person 2" join them by who is named first."""
    lowered = raw.lower()
    first, second = lowered.find("person 1:"), lowered.find("person 2:")
    if first >= 0 and second >= 0:
        if first < second:
            return (*_BOT, "Person 2"), ("Person 1", *_PERSON)
        return (*_BOT, "Person 1"), ("Person 2", *_PERSON)
    if second >= 0:
        return _BOT, ("Person 2", *_PERSON)
    return _BOT, _PERSON


def _summary_line(lines: list[str], bot: tuple[str, ...], person: tuple[str, ...]) -> int | None:
    for at, line in enumerate(lines):
        if "summary:" in line.lower():
            return at
    for at, line in enumerate(lines):
        stated = _stated(line, bot, person)
        if stated == "bot":
            return at
        if stated == "person":
            return None
    return None


def _stated(line: str, bot: tuple[str, ...], person: tuple[str, ...]) -> Speaker | None:
    """The speaker a line names in its first ten characters, in any case and inside words too."""
    head = line[: _WINDOW + max(map(len, (*bot, *person))) + 1].lower()
    found: list[tuple[int, int, Speaker]] = []
    labels: tuple[tuple[Speaker, tuple[str, ...]], ...] = (("person", person), ("bot", bot))
    for speaker, words in labels:
        for word in words:
            at = head.find(f"{word.lower()}:")
            if 0 <= at < _WINDOW:
                found.append((at, -len(word), speaker))
    return min(found)[2] if found else None


def _without_labels(line: str, labels: tuple[str, ...]) -> str:
    for label in sorted(labels, key=len, reverse=True):
        line = line.replace(f"{label}:", "")
    return line.strip()


def _filtered(dialogue: Dialogue) -> Rejection | None:
    turns = dialogue.turns
    if not turns:
        return Rejection("too_few_turns", "no turns", None, dialogue)
    for at, turn in enumerate(turns):
        if turn.speaker != ("person", "bot")[at % 2]:
            code = "wrong_order" if at == 0 else "same_speaker_twice"
            return Rejection(code, f"turn {at + 1} is the {turn.speaker}'s", None, dialogue)
    if len(turns) % 2:
        return Rejection("odd_turn_count", "an odd number of turns", None, dialogue)
    return None
