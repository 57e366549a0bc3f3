"""Reads a dialogue written as fields, two lines a turn: "speaker: person", "text: …" (YAML "
"style)."""

from __future__ import annotations

import re

from .edges import tidy_text
from .labels import Label, LabelReader
from .utterance import Reading, Utterance
from .vocabulary import fold_label

_FIELD = re.compile(
    r"(?P<indent>[ \t]*+)(?P<dash>-[ \t]+)?[*_\"']{0,3}(?P<key>[^\W\d][\w ]{0,20})[*_\"']{0,3}[ "
    r"\t]*[:：][ \t]*(?P<value>[^\n]*)"
)
_SPEAKER = frozenset("speaker role from who author name 说话人 角色 发言人 話者 화자".split())
_TEXT = frozenset("text content value utterance message line says said 内容 文本 发言 내용".split())
_ANY_SPEAKER = re.compile(
    r"\n[ \t*_\"'-]{0,12}(?i:speaker|role|from|who|author|name|说话人|角色|发言人|話者|"
    r"화자)[*_\"']{0,3}[ \t]?[:：]"
)
_LISTS = frozenset(
    "turns dialogue dialog conversation messages conversations utterances 对话".split()
)
_BLOCK = frozenset({"|", ">", "|-", ">-", "|+", ">+"})


def read_records(text: str, reader: LabelReader) -> Reading | None:
    """The utterances of alternating speaker and text fields, or None when there are fewer than "
    "two."""
    if _ANY_SPEAKER.search(text) is None:
        return None
    made: list[Utterance] = []
    speaker: str | None = None
    field: list[str] = []
    into: Label | None = None
    position = 0
    records = 0

    def close() -> None:
        nonlocal into
        if into is not None:
            made.append(Utterance(into, tidy_text(_unquoted("\n".join(field)))))
        into = None

    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            continue
        match = _FIELD.fullmatch(line)
        key = fold_label(match["key"]) if match else ""
        if match and key in _SPEAKER and len(match["value"]) < 60 and match["value"].strip():
            close()
            speaker = _unquoted(match["value"])
        elif match and key in _TEXT and speaker is not None:
            label = reader.read(speaker) or Label(fold_label(speaker), "name")
            into, speaker = label, None
            field = [] if match["value"].strip() in _BLOCK else [match["value"]]
            records += 1
        elif match and key in _LISTS and not match["value"].strip():
            close()
        elif (
            match
            and (label_or_none := reader.known(match["key"]))
            and label_or_none.summary
            and not records
        ):
            close()
            into = label_or_none
            field = [] if match["value"].strip() in _BLOCK else [match["value"]]
        elif into is not None and line.strip():
            field.append(line.strip())
        position += len(line) + 1
    close()
    return Reading(tuple(made)) if records >= 2 else None


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        return inner.replace('\\"', '"') if value[0] == '"' else inner.replace("''", "'")
    return value
