"""Structural checks of a dialogue, whatever parser it came from. Pure, each linear in the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .model import Dialogue, Rejection
from .refusal import is_refusal
from .roles import asks
from .textual import (
    all_words,
    is_garbled,
    is_no_answer,
    is_only_dots,
    loops,
    lost_label,
    merged_question_list,
    unfilled_slot,
)

SUMMARY = -1
"""The place of a fault that lies in the summary."""


class Fault(NamedTuple):
    """A code, a sentence and the turn it concerns (`SUMMARY` for the summary, None for none)."""

    code: str
    detail: str
    turn: int | None


def check_dialogue(dialogue: Dialogue, *, min_pairs: int = 2) -> Rejection | None:
    """The first structural fault of `dialogue`, or None when it is sound.

    Sound means: a summary, then at least `min_pairs` pairs of a person's question and the bot's
    answer in strict alternation; no empty or garbled utterance, no unfilled slot, no list of
    questions in one turn, no repeated turn, no loop of words. The span of the rejection is the
    turn's, `partial` the dialogue itself.
    """
    fault = find_fault(dialogue, min_pairs=min_pairs)
    if fault is None:
        return None
    span = None
    if fault.turn == SUMMARY:
        span = dialogue.summary_span
    elif fault.turn is not None:
        span = dialogue.turns[fault.turn].span
    return Rejection(fault.code, fault.detail, span, dialogue)


def find_fault(dialogue: Dialogue, *, min_pairs: int = 2) -> Fault | None:
    """Like `check_dialogue`, but naming the turn."""
    for check in _CHECKS:
        fault = check(dialogue)
        if fault is not None:
            return fault
    pairs = len(dialogue.turns) // 2
    if pairs < min_pairs:
        return Fault("too_few_turns", f"{pairs} of at least {min_pairs} pairs", None)
    return _loop(dialogue) or _duplicate(dialogue)


def _texts(dialogue: Dialogue) -> list[str]:
    return [dialogue.summary, *[turn.text for turn in dialogue.turns]]


def _no_summary(dialogue: Dialogue) -> Fault | None:
    if not dialogue.summary.strip():
        return Fault("missing_summary", "no summary before the first turn", None)
    if is_refusal(dialogue.summary):
        return Fault("refusal", "in place of the summary the model declines", SUMMARY)
    return None


def _content(dialogue: Dialogue) -> Fault | None:
    """Lost characters and unfilled slots, in the summary or any turn."""
    texts = _texts(dialogue)
    sound = all_words("\n".join(texts))
    for at, text in enumerate(texts, SUMMARY):
        if sound and len(text) > 8 and text[0].isalnum():
            continue
        if is_garbled(text):
            return Fault("garbled_text", "the text holds lost characters or no words", at)
        if is_only_dots(text):
            return Fault("placeholder_text", f"nothing but {text[:20]!r}", at)
        slot = unfilled_slot(text)
        if slot:
            return Fault("placeholder_text", f"unfilled slot {slot[:60]!r}", at)
    return None


def _empty(dialogue: Dialogue) -> Fault | None:
    for at, turn in enumerate(dialogue.turns):
        if not turn.text.strip():
            return Fault("empty_turn", f"turn {at + 1} ({turn.speaker}) has no text", at)
    return None


def _merged(dialogue: Dialogue) -> Fault | None:
    for at, turn in enumerate(dialogue.turns):
        if turn.speaker == "person" and merged_question_list(turn.text):
            return Fault("merged_questions", f"turn {at + 1} lists several questions", at)
    return None


def _order(dialogue: Dialogue) -> Fault | None:
    turns = dialogue.turns
    if turns and turns[0].speaker == "bot" and len(turns) > 1 and turns[1].speaker == "person":
        return Fault("wrong_order", "the bot speaks before the first question", 0)
    for at in range(1, len(turns)):
        if turns[at].speaker == turns[at - 1].speaker:
            return Fault("same_speaker_twice", f"the {turns[at].speaker} speaks twice running", at)
    if turns and turns[0].speaker == "bot":
        return Fault("wrong_order", "the bot speaks before the first question", 0)
    return None


def _swap(dialogue: Dialogue) -> Fault | None:
    """Pairs in which the person states and the bot does nothing but ask."""
    turns = dialogue.turns
    swapped = [
        at
        for at in range(0, len(turns) - 1, 2)
        if _only_asks(turns[at + 1].text) and not asks(turns[at].text)
    ]
    if swapped and 2 * len(swapped) >= len(turns) // 2 and len(swapped) * 2 > 1:
        return Fault("role_swap", "the person answers and the bot asks", swapped[0])
    return None


def _only_asks(text: str) -> bool:
    bare = text.rstrip(" \"”'’*_)")
    return bare[-1:] in {"?", "？", "؟"} and bare.count(".") + bare.count("。") == 0


def _lost(dialogue: Dialogue) -> Fault | None:
    for at, turn in enumerate(dialogue.turns):
        if lost_label(turn.text):
            return Fault("no_speaker_labels", f"turn {at + 1} holds a question and its answer", at)
    return None


def _odd(dialogue: Dialogue) -> Fault | None:
    if len(dialogue.turns) % 2:
        return Fault("odd_turn_count", "the last question has no answer", len(dialogue.turns) - 1)
    return None


def _loop(dialogue: Dialogue) -> Fault | None:
    for at, text in enumerate(_texts(dialogue), SUMMARY):
        if loops(text):
            return Fault("degenerate_repetition", "the same words come over and over", at)
    return None


def _folded(text: str) -> str:
    return text.casefold().strip(" \t\n.,;:!?。？！\"'")


def _duplicate(dialogue: Dialogue) -> Fault | None:
    all_folded = [_folded(turn.text) for turn in dialogue.turns]
    if len(set(all_folded)) == len(all_folded):
        return None
    questions: set[str] = set()
    answers: dict[str, int] = {}
    for at, (turn, folded) in enumerate(zip(dialogue.turns, all_folded, strict=True)):
        if turn.speaker == "person":
            if folded in questions:
                return Fault("duplicate_turns", f"turn {at + 1} repeats an earlier question", at)
            questions.add(folded)
            continue
        answers[folded] = answers.get(folded, 0) + 1
        again = answers[folded] > (1 if _is_long(turn.text) else 2)
        if again and not is_no_answer(turn.text):
            return Fault("duplicate_turns", f"turn {at + 1} repeats an earlier answer", at)
        if folded in questions:
            return Fault("duplicate_turns", f"turn {at + 1} only repeats a question", at)
    return None


def _is_long(text: str) -> bool:
    return len(text.split()) >= 4 or (not text.isascii() and len(text) >= 8)


_CHECKS: Sequence[Callable[[Dialogue], Fault | None]] = (
    _no_summary,
    _content,
    _empty,
    _merged,
    _order,
    _swap,
    _lost,
    _odd,
)
