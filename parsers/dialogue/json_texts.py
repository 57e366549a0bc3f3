"""What is said in a JSON value: under which keys, in which forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .relaxed_json import Members
from .vocabulary import fold_label

TEXT_KEYS = frozenset(
    "text content value utterance message line dialogue sentence says said speech body msg words "
    "contents 内容 文本 话 发言 台词 내용 대사 発話 テキスト 文 текст реплика texto texte".split()
)


def is_text(value: Any) -> bool:
    """Whether a value can be what is said: a text, nothing, or parts of a text."""
    return (
        value is None
        or isinstance(value, str | bool)
        or (isinstance(value, list) and bool(value) and all(_is_part(item) for item in value))
    )


def only_text(members: Members) -> str | None:
    """The text of an object that holds nothing else: {"text": "…"}."""
    if len(members) != 1 or fold_label(members[0][0]) not in TEXT_KEYS:
        return None
    return members[0][1] if isinstance(members[0][1], str) else None


def _is_part(item: Any) -> bool:
    return isinstance(item, Members) and any(key == "type" for key, _ in item)


def text_of(value: Any) -> str:
    """What is said, of a value that `is_text`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, list):
        return "\n".join(_parts(value))
    return ""


def _parts(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        for key, value in part:
            if key in {"text", "value", "content"} and isinstance(value, str):
                yield value


def parallel_lists(folded: list[tuple[str, str, Any]]) -> dict[str, list[Any]] | None:
    """Lists of questions and of answers of one length, side by side."""
    questions = [
        (k, v)
        for k, _, v in folded
        if k in {"questions", "问题", "質問", "question list"} and _strings(v)
    ]
    answers = [
        (k, v)
        for k, _, v in folded
        if k in {"answers", "回答", "答案", "answer list"} and _strings(v)
    ]
    if len(questions) == len(answers) == 1 and len(questions[0][1]) == len(answers[0][1]):
        return dict([questions[0], answers[0]])
    return None


def _strings(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
