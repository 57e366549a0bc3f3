"""Reads a dialogue out of JSON, JSON Lines or a Python literal, whatever its keys are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .edges import tidy_text
from .json_texts import TEXT_KEYS, is_text, only_text, parallel_lists, text_of
from .json_values import find_values
from .labels import SPEAKING, Label, LabelReader
from .plain import read_lead
from .relaxed_json import Members
from .utterance import Reading, Utterance
from .vocabulary import fold_label

_SPEAKER_KEYS = frozenset(
    "speaker role from name author who character participant sender agent by actor party voice "
    "speakername speakerid 说话人 角色 发言人 说话者 角色名 話者 화자".split()
) | {"speaker name", "speaker id"}
_TYPES = frozenset({"summary", "question", "answer", "person", "bot", "user", "assistant"})
_BARE_MEMBERS = re.compile(r'\s*"[^"\n]{1,40}"\s*:\s*["\[{]')
_VERBATIM = "dialogsmith"


def read_json(text: str, reader: LabelReader) -> Reading | None:
    """The utterances a JSON value in `text` holds, or None when there is none.

    A value that holds no utterances is no reading either: the braces were part of prose.
    """
    length = len(text)
    if _BARE_MEMBERS.match(text):
        # the members of an object whose braces were left out
        text = "{" + text + "}"
    elif "{" not in text and "[" not in text:
        return None
    values, cut, bad, start, end = find_values(text)
    if not values and not cut and not bad:
        return None
    place = (min(start, length), min(max(end, start), length))
    walk = _Walk(reader)
    for value in values:
        walk.visit(value, 0)
    if walk.exact:
        return Reading(tuple(walk.made), exact=True)
    if cut:
        return Reading(
            tuple(walk.made), "truncated", "the JSON value never ends", (place[0], length)
        )
    if bad:
        if not walk.made and not _looks_like_structure(text, start):
            return None
        return Reading(tuple(walk.made), "malformed_markup", "this JSON cannot be read", place)
    if walk.dialogues > 1:
        return Reading(
            tuple(walk.made), "multiple_dialogues", "several dialogues in one JSON value", place
        )
    if (plain := walk.plain_text()) is not None:
        return Reading((Utterance(None, plain),), "plain", "", place)
    if walk.made:
        return Reading((*read_lead(text, start, reader), *walk.made), place=place)
    if walk.listed > 1 and end - start > len(text) // 2:
        return Reading((), "no_speaker_labels", "JSON strings without speakers", place)
    whole = not text[:start].strip() or end - start > len(text) * 2 // 3
    return Reading((), "not_a_dialogue", "JSON without a dialogue", place) if whole else None


def _looks_like_structure(text: str, start: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start].strip()
    return (not before or before.endswith("=")) and text[start : start + 2] != "[["


class _Walk:
    """Goes through a value and collects utterances in order."""

    def __init__(self, reader: LabelReader) -> None:
        self.reader = reader
        self.made: list[Utterance] = []
        self.listed = 0
        self.plain: str | None = None
        self.dialogues = 0
        self.exact = False

    def plain_text(self) -> str | None:
        """The dialogue, when a single string of the value holds all of it."""
        plain = self.plain
        if plain is None and len(self.made) == 1 and self._holds_lines(self.made[0].text):
            return self.made[0].text
        if plain is not None and len(self.made) == 1:
            first = self.made[0]
            if first.label is not None and first.label.summary:
                return f"Summary: {first.text}\n\n{plain}"
        return plain

    def visit(self, value: Any, depth: int) -> None:
        if depth > 8:
            return
        if isinstance(value, Members):
            self._object(value, depth)
        elif isinstance(value, list):
            self._list(value, depth)

    def _list(self, items: Sequence[Any], depth: int) -> None:
        if (
            len(items) == 2
            and isinstance(items[0], str)
            and is_text(items[1])
            and (label := self._label(items[0], whole=True))
            and not (isinstance(items[1], str) and self._label(items[1], whole=True))
        ):
            self._say(label, items[1])
            return
        if items and all(isinstance(item, str) for item in items):
            labelled = sum(1 for item in items if self._leading_label(item))
            if labelled * 2 > len(items):
                self.plain = "\n".join(item.strip() for item in items)
            else:
                self.listed += len(items)
            return
        for item in items:
            self.visit(item, depth + 1)

    def _leading_label(self, item: str) -> bool:
        head, colon, _ = item.replace("：", ":", 1).partition(":")
        return bool(colon) and len(head) < 48 and self.reader.read(head) is not None

    def _object(self, members: Members, depth: int) -> None:
        folded = [(fold_label(key), key, value) for key, value in members]
        if any(key == "format" and value == _VERBATIM for key, _, value in folded):
            self._verbatim(members)
            return
        speaker = next(
            (v for k, _, v in folded if k in _SPEAKER_KEYS and isinstance(v, str | Members)), None
        )
        if speaker is None:
            speaker = next((v for k, _, v in folded if k == "type" and v in _TYPES), None)
        said = next(((True, v) for k, _, v in folded if k in TEXT_KEYS and is_text(v)), None)
        if isinstance(speaker, Members):
            speaker = next(
                (v for k, v in speaker if fold_label(k) in _SPEAKER_KEYS and isinstance(v, str)),
                None,
            )
        if speaker is not None and said is not None:
            self._say(self._named(speaker), said[1])
            return
        self._members(folded, depth)

    def _members(self, folded: list[tuple[str, str, Any]], depth: int) -> None:
        parallel = parallel_lists(folded)
        numbers = [
            int(str(v))
            for k, _, v in folded
            if k in {"index", "number", "id", "turn"} and str(v).isdecimal() and len(str(v)) < 4
        ]
        pair: dict[str, int | None] = {}
        for key, shown, value in folded:
            if parallel and key in parallel:
                self._parallel(parallel, key)
                continue
            label = self._label(shown, whole=False) if not isinstance(value, Members) else None
            if isinstance(value, Members) and (inner := only_text(value)) is not None:
                label, value = self._label(shown, whole=False), inner
            if label is None and isinstance(value, Members | list):
                self.visit(value, depth + 1)
            elif label is not None and is_text(value):
                if label.summary:
                    self.dialogues += 1
                if label.number is None and numbers and label.kind in SPEAKING:
                    label = label._replace(number=numbers[0])
                pair[label.kind] = label.number
                self._say(label, value)
            elif label is not None and isinstance(value, list) and not label.summary:
                self.visit(value, depth + 1)
            elif label is not None and value is None:
                self._say(label, "")
            elif (
                isinstance(value, str)
                and (len(value) > 40 or "\n" in value)
                and key not in {"scratchpad", "thinking", "reasoning"}
            ):
                self._maybe_plain(value)
        self._pair_up(pair)

    def _pair_up(self, pair: dict[str, int | None]) -> None:
        """An object with one question and one answer is one pair, whichever comes first."""
        if len(self.made) < 2:
            return
        first, second = self.made[-2], self.made[-1]
        if first.label is None or second.label is None or len(pair) != 2:
            return
        if first.label.kind in {"bot", "answer"} and second.label.kind in {"person", "question"}:
            self.made[-2:] = [second, first]

    def _maybe_plain(self, value: str) -> None:
        if self._holds_lines(value):
            self.plain = value

    def _holds_lines(self, value: str) -> bool:
        lines = [line for line in value.replace("\\n", "\n").split("\n") if line.strip()][:200]
        return len(lines) > 2 and sum(self._leading_label(line) for line in lines) >= 3

    def _parallel(self, parallel: dict[str, list[Any]], key: str) -> None:
        (question_key, questions), (_, answers) = parallel.items()
        if key != question_key:
            return
        ask = self._label("question", whole=True)
        reply = self._label("answer", whole=True)
        for question, answer in zip(questions, answers, strict=True):
            self._say(ask, question)
            self._say(reply, answer)

    def _verbatim(self, members: Members) -> None:
        fields = dict(members)
        turns = fields.get("turns")
        if not isinstance(fields.get("summary"), str) or not isinstance(turns, list):
            return
        self.exact = True
        made = [Utterance(Label("summary", "summary", summary=True), fields["summary"])]
        for turn in turns:
            one = dict(turn) if isinstance(turn, Members) else {}
            speaker, said = one.get("speaker"), one.get("text")
            if speaker not in {"person", "bot"} or not isinstance(said, str):
                self.exact = False
                return
            made.append(Utterance(Label(speaker, speaker), said))
        self.made = made

    def _label(self, shown: str, *, whole: bool) -> Label | None:
        spaced = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", shown)
        label = self.reader.read(shown) or self.reader.read(spaced)
        if label is None:
            return None
        if label.kind in {
            "name",
            "topic",
            "narration",
            "field",
            "note",
            "header",
            "dialogue",
            "prompt",
        }:
            return label if whole and label.kind == "name" else None
        return label

    def _named(self, speaker: str) -> Label:
        label = self.reader.read(speaker)
        if label is not None and (
            label.kind in SPEAKING or label.summary or label.kind == "narration"
        ):
            return label
        return Label(fold_label(speaker), "name")

    def _say(self, label: Label | None, value: Any) -> None:
        if label is None or label.kind == "narration" or label.base in {"system", "developer"}:
            return
        said = text_of(value)
        self.made.append(Utterance(label, tidy_text(said)))
