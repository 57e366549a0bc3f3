"""Whose label it is, seen from the one who speaks."""

from __future__ import annotations

from typing import Literal

from parsers.dialogue.labels import Label
from parsers.dialogue.lines import Candidate
from parsers.dialogue.model import Speaker

Side = Literal["own", "other"]

_PERSON = frozenset({"person", "question"})
_BOT = frozenset({"bot", "answer"})

_PRONOUNS = frozenset(
    "me you i myself yourself 我 你 本人 我们 私 あなた 僕 わたし 나 저 너 당신 я ты вы ich du "
    "sie je tu vous "
    "moi toi yo tú usted eu você io lei".split()
)
_CHAT_ROLES = frozenset(
    [
        *"assistant ai model gpt chatgpt llm 助手 助理 ai助手 模型 大模型".split(),
        "ai assistant",
        "language model",
        "语言模型",
        "assistant ia",
    ]
)
_REPLIES = frozenset(["response", "reply", "system response", "a", "output", "回复", "回覆"])
_TOPICS = frozenset(
    [
        *"reader other another agent machine robot model query response reply llm gpt".split(),
        *"respondent 模型 语言模型 人类 读者 其他人 他人 别人 问题".split(),
        "language model",
        "second person",
        "end user",
    ]
)


def side(label: Label, speaker: Speaker) -> Side | None:
    """Whether a label is the speaker's own or the other's; None when it settles nothing."""
    if is_lone_letter(label):
        return None
    if label.kind in _PERSON:
        return "own" if speaker == "person" else "other"
    if label.kind in _BOT:
        return "own" if speaker == "bot" else "other"
    return None


def leaning(label: Label, speaker: Speaker) -> Side | None:
    """Like `side`, for words that only suggest a role ("student", "author")."""
    if label.kind == "asker":
        return "own" if speaker == "person" else "other"
    if label.kind == "teller":
        return "own" if speaker == "bot" else "other"
    return None


def is_ambiguous(label: Label) -> bool:
    """Whether a model may call itself so in either role: a pronoun, its chat role, "reply"."""
    return label.base in _PRONOUNS or label.base in _CHAT_ROLES or label.base in _REPLIES


def is_topical(label: Label) -> bool:
    """Whether the word may as well head a line of an answer ("Reader: a cross-encoder")."""
    return label.base in _TOPICS or label.base in _PRONOUNS


def is_lone_letter(label: Label) -> bool:
    """A letter of a script with capitals, other than Q and A: it names a thing as often."""
    base = label.base
    return len(base) == 1 and base not in "qa" and base.upper() != base.lower()


def is_clear(found: Candidate) -> bool:
    """Whether the way the label is set leaves no doubt that it is one."""
    label = found.label
    if found.form == "colon":
        return True
    if label.kind not in _PERSON | _BOT or is_topical(label) or is_lone_letter(label):
        return False
    if found.form == "dotted":
        return bool(label.ident) or label.base == "q"
    return len(label.base) > 1 or label.base > "\u2e80"
