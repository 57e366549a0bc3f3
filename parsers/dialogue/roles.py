"""Gives the speakers their roles by evidence, and lays out summary and turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .labels import SPEAKING, Label
from .model import Span, Speaker
from .utterance import Utterance

_QUESTION_SIGNS = "?？؟;՞"
_REQUEST = re.compile(
    r"\W*(?:(?:and|so|but|ok(?:ay)?|thanks|great|hi|hello|well|please|also|then|i see|"
    r"interesting)[,.! ]+){0,3}"
    r"(?:tell me|explain|describe|please|could you|can you|would you|what\b|how\b|why\b|which\b|"
    r"who\b|when\b|where\b|"
    r"is (?:it|there|this|that|the)\b|are (?:there|they|the)\b|does\b|do (?:you|they|the)\b|"
    r"did\b|give me|show me|walk me|elaborate|"
    r"clarify|i(?:'d| would)? (?:like|want) to (?:know|ask|hear|understand)|i wonder|i'm "
    r"curious|i am curious|"
    r"请|請|什么|什麼|怎么|怎麼|为什么|為什麼|如何|哪|能否|是否|谁|能不能|可以.{0,12}吗|"
    r"расскажи|объясни|что|как|почему|erkläre|erklär|was\b|wie\b|warum|expliqu|dis-moi|pourquoi|"
    r"comment\b|explica|explíca|dime|"
    r"spiega|dimmi|教えて|説明して|알려|설명해)",
    re.IGNORECASE,
)
_ASKING_END = re.compile(r"(?:吗|呢|吧|嗎|か|ですか|ますか|까|나요|가요|죠)[。.!！\s]*$")


_DOUBLED = {("question", "person"), ("person", "question"), ("answer", "bot"), ("bot", "answer")}


def asks(text: str) -> bool:
    """Whether an utterance asks something: a question sign, an asking ending, a request."""
    if "?" in text:
        return True
    ascii_only = text.isascii()
    if not ascii_only and ("？" in text or "؟" in text or "՞" in text or text[-1] == ";"):
        return True
    if _REQUEST.match(text) is not None:
        return True
    return not ascii_only and _ASKING_END.search(text[-12:]) is not None


class Said(NamedTuple):
    """A turn as laid out: who, what, where it stands, where label and text stand, its number."""

    speaker: Speaker
    text: str
    span: Span | None
    at: Span | None
    number: int | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Summary and turns with their places; `fault` when the roles cannot be told."""

    summary: str
    summary_span: Span | None
    summary_at: Span | None
    turns: tuple[Said, ...]
    fault: str | None = None
    detail: str = ""


def lay_out(utterances: Sequence[Utterance], keys: Sequence[str]) -> Layout:
    """Find the summary, decide who asks and who answers, and order explicitly numbered pairs.

    `keys` name the speaker of each utterance ("" where none is named). The one who gives the
    summary is the bot; the one who asks is the person; words with a role settle it, and when the
    evidence is missing or contradictory the layout carries a fault.
    """
    summary, rest, rest_keys, explicit = _take_summary(*_merge_empty(utterances, keys))
    sides, fault = _sides(rest, rest_keys, summary, explicit)
    if fault is not None:
        return Layout(*_parts(summary), (), *fault)
    bot_opens = bool(rest) and sides.get(rest_keys[0]) == "bot"
    if summary is None and bot_opens:
        opening = rest[0]
        if _is_summary_like(opening.text) or len(rest) == 1 or not opening.text:
            summary, rest, rest_keys = opening, rest[1:], rest_keys[1:]
    elif not explicit and summary is not None and bot_opens and len(rest) > 1:
        # loose text before a bot's opening announces it; the opening is the summary
        summary, rest, rest_keys = rest[0], rest[1:], rest_keys[1:]
    turns = [
        Said(sides[key], text, span, at, label.number if label else None)
        for (label, text, span, at), key in zip(rest, rest_keys, strict=True)
        if key in sides
    ]
    return Layout(*_parts(summary), _by_number(tuple(turns)))


def _parts(summary: Utterance | None) -> tuple[str, Span | None, Span | None]:
    return (summary.text, summary.span, summary.at) if summary else ("", None, None)


def _merge_empty(
    utterances: Sequence[Utterance], keys: Sequence[str]
) -> tuple[list[Utterance], list[str]]:
    """Join a label without text to the next one when both announce the same speaker."""
    if "" not in [one.text for one in utterances]:
        return list(utterances), list(keys)
    made: list[Utterance] = []
    made_keys: list[str] = []
    for one, key in zip(utterances, keys, strict=True):
        if made and not made[-1].text and made[-1].label is not None and one.label is not None:
            before = made[-1].label
            same = made_keys[-1] == key and key != ""
            if same or (before.kind, one.label.kind) in _DOUBLED:
                number = one.label.number if one.label.number is not None else before.number
                label = one.label._replace(
                    number=number, summary=one.label.summary or before.summary
                )
                made[-1], made_keys[-1] = one._replace(label=label), key
                continue
            if (
                one.label.summary
                and one.label.kind == "summary"
                and key == ""
                and before.kind in SPEAKING
            ):
                made[-1] = one._replace(label=before._replace(summary=True))
                continue
        made.append(one)
        made_keys.append(key)
    return made, made_keys


def _take_summary(
    utterances: list[Utterance], keys: list[str]
) -> tuple[Utterance | None, list[Utterance], list[str], bool]:
    """Split off the summary: the labelled one, else loose text that comes first."""
    for at, one in enumerate(utterances[:3]):
        if at == 1 and one.label is not None and not one.label.summary and keys[0]:
            break
        if one.label is not None and one.label.summary:
            rest, rest_keys = utterances[at + 1 :], keys[at + 1 :]
            if not one.text and one.label.kind == "summary" and rest and _speaks_as_teller(rest):
                return rest[0], rest[1:], rest_keys[1:], True
            return one, rest, rest_keys, True
        if one.label is not None and (at or one.label.kind not in {"person", "question", "asker"}):
            break
    if utterances and utterances[0].label is None:
        spoken = [at for at, one in enumerate(utterances) if one.label is not None]
        first = spoken[0] if spoken else len(utterances)
        return utterances[0], utterances[first:], keys[first:], False
    return None, utterances, keys, False


def _speaks_as_teller(rest: Sequence[Utterance]) -> bool:
    """Whether an empty summary heading is followed by a statement and then a question."""
    first = rest[0].label
    return (
        len(rest) > 1
        and first is not None
        and first.kind not in {"person", "question", "asker"}
        and not asks(rest[0].text)
        and asks(rest[1].text)
    )


def _is_summary_like(text: str) -> bool:
    """Whether an opening may be a summary: more than a greeting, and no question."""
    bare = text.rstrip(" \"”'’*_)")
    if bare.endswith(tuple(_QUESTION_SIGNS)) and len(bare) < 300:
        return False
    return len(bare.split()) > 2 or len(bare) > (12 if bare.isascii() else 5)


def _sides(
    rest: Sequence[Utterance],
    keys: Sequence[str],
    summary: Utterance | None,
    explicit: bool,
) -> tuple[dict[str, Speaker], tuple[str, str] | None]:
    words: dict[str, Label] = {}
    for one, key in zip(rest, keys, strict=True):
        if key and key not in words and one.label is not None:
            words[key] = one.label
    order = list(words)
    if not order:
        return {}, None
    giver = summary.label if summary is not None and explicit else None
    sided: dict[str, Speaker] = {}
    for key in order:
        side = _side_of(key, words[key])
        if side is not None:
            sided[key] = side
    if len(sided) == len(order) and (len(order) == 1 or len(set(sided.values())) == 2):
        return sided, None
    if len(order) == 1:
        return {order[0]: "person" if summary is not None else "bot"}, None
    if len(order) > 2:
        third = [key for key in order if key not in sided] or order[2:]
        return _guess_for_inspection(order), (
            "unknown_speaker",
            f"more than two speakers, among them {_shown(third[0])}",
        )
    first, second = order
    if len(sided) == 1:
        ((key, side),) = sided.items()
        other = second if key == first else first
        return {key: side, other: "bot" if side == "person" else "person"}, None
    if giver is not None and giver.kind in SPEAKING:
        for key in order:
            if words[key].base == giver.base and words[key].ident == giver.ident:
                other = second if key == first else first
                return {key: "bot", other: "person"}, None
    return _by_evidence(rest, keys, first, second, words, summary)


def _side_of(key: str, label: Label) -> Speaker | None:
    if "\n" in key:
        return None
    if label.kind in {"person", "question"}:
        return "person"
    return "bot" if label.kind in {"bot", "answer"} else None


def _guess_for_inspection(order: Sequence[str]) -> dict[str, Speaker]:
    return {key: "person" if at % 2 == 0 else "bot" for at, key in enumerate(order)}


def _by_evidence(
    rest: Sequence[Utterance],
    keys: Sequence[str],
    first: str,
    second: str,
    words: dict[str, Label],
    summary: Utterance | None,
) -> tuple[dict[str, Speaker], tuple[str, str] | None]:
    """Tell two names apart: who asks more is the person, who opens with a statement the bot."""
    opening = summary is None
    rates: dict[str, float] = {}
    for key in (first, second):
        texts = [one.text for one, k in zip(rest, keys, strict=True) if k == key]
        if opening and key == first:
            texts = texts[1:]
        rates[key] = sum(map(asks, texts)) / len(texts) if texts else 0.0
    asker: str | None = None
    if rates[first] > rates[second]:
        asker = first
    elif rates[second] > rates[first]:
        asker = second
    hints = {key: words[key].kind for key in (first, second)}
    if asker is None and set(hints.values()) == {"asker", "teller"}:
        asker = first if hints[first] == "asker" else second
    if opening and asks(rest[0].text) and rates[second] <= rates[first]:
        asker = first
    if asker is None and opening and len(rest) <= 2:
        asker = second if not asks(rest[0].text) else first
    if asker is None:
        names = f"{_shown(first)} and {_shown(second)}"
        return {}, ("unknown_speaker", f"nothing tells who of {names} asks and who answers")
    if rates[asker] < 0.5 and hints[asker] != "asker":
        return {}, ("unknown_speaker", f"{_shown(asker)} asks too seldom to be the asker")
    other = second if asker == first else first
    return {asker: "person", other: "bot"}, None


def _shown(key: str) -> str:
    return repr(key.replace("\n", " "))


def _by_number(turns: tuple[Said, ...]) -> tuple[Said, ...]:
    """Order turns by their numbers when every number has one question and one answer."""
    if not turns or None in [turn.number for turn in turns]:
        return turns
    seen = {(turn.number, turn.speaker) for turn in turns}
    numbers = {turn.number for turn in turns}
    if len(seen) != len(turns) or len(turns) != 2 * len(numbers):
        return turns
    return tuple(sorted(turns, key=lambda turn: (turn.number or 0, turn.speaker == "bot")))
