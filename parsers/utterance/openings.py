"""What stands before the words: announcements, a narrator, labels, numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parsers.dialogue.lines import Candidate
from parsers.dialogue.model import Speaker
from parsers.dialogue.roles import asks
from parsers.text.tokens import tokens

from .sides import is_ambiguous, is_clear, is_lone_letter, is_topical, leaning, side

_HEAD = 240
"""Characters that are read; an announcement is short."""

_INTERJECTION = (
    r"(?:sure(?: thing)?|certainly|of course|okay|ok|alright|all right|absolutely|great|understood|"
    r"got it|no problem|yes|well|hello|hi|thanks|thank you)"
)
_CHINESE_INTERJECTION = (
    "(?:好的|好|当然可以|当然|没问题|可以|明白了?|收到|了解|是的|嗯|您好|你好|當然|沒問題)"
)
_ASKED = r"(?:question|query|follow-?up|inquiry|turn|utterance|response|message)"
_ANSWERED = r"(?:answer|response|reply|turn|utterance|message)"
_CHINESE_ASKED = "(?:问题|提问|追问|疑问|問題|提問)"
_CHINESE_ANSWERED = "(?:回答|答案|回复|答复|回應|回覆)"


def _announcement(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_INTERJECTION}[\s,.!—-]{{1,4}}){{0,2}}"
        rf"(?:(?:based on|given|from|according to|after reading) [^,:\n]{{1,40}}, )?"
        rf"(?:(?:here(?:['’]s| is| are| comes)|this is|below is|as (?:a|the) \w+, )"
        rf"[^\n:：.!?。？！]{{0,60}}?\b{english}s?\b[^\n:：.!?。？！]{{0,60}}"
        rf"|(?:my|the|a|one|next|last|final|another)(?: [\w-]+){{0,3}} {english}s?"
        rf"(?: (?:to|for|about|on|based|from|is|are|would be)(?: \w+){{0,8}})?)\s*[:：]\s*"
        rf"|(?:{_INTERJECTION}[\s,.!—-]{{1,4}})?i(?:['’]d| would) be (?:happy|glad|delighted) to "
        rf"(?:ask|help|answer|assist)[^.!?\n:]{{0,60}}[.!:]\s+"
        rf"|{_INTERJECTION}[.!,]?[ \t]*\n\s*"
        rf"|(?:(?:{_CHINESE_INTERJECTION}[，。！,!、\s]{{1,3}}){{1,2}}"
        rf"|(?:根据|基于)[^，：:。\n]{{1,12}}[，,]|(?=以下|下面|这是|這是|我的|我想|我要|下一个))"
        rf"[^\n：:。？！?!]{{0,16}}?{chinese}(?:如下|是|为)?\s*[：:]\s*"
        rf"|{_CHINESE_INTERJECTION}[。！!，,]?[ \t]*\n\s*",
        re.IGNORECASE,
    )


def _narrator(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:the )?(?:curious |other )?{english}(?: then| also| now)? "
        r"(?:asks?|asked|says?|said|repl(?:y|ies|ied)|responds?|responded|answers?|answered|"
        r"wonders?|wondered|continues?|inquires?)(?: [^\n:：\"“?.]{0,40})?\s*[:：]\s*"
        rf"|{chinese}(?:接着|继续|又|再|便|则)?(?:提?问|追问|说|回?答|回复|补充)(?:道|说)?[：:]\s*",
        re.IGNORECASE,
    )


_ANNOUNCEMENTS: dict[Speaker, re.Pattern[str]] = {
    "person": _announcement(_ASKED, _CHINESE_ASKED),
    "bot": _announcement(_ANSWERED, _CHINESE_ANSWERED),
}
_NARRATORS: dict[Speaker, re.Pattern[str]] = {
    "person": _narrator(
        "(?:person|user|human|reader|student|asker|questioner)", "(?:用户|对方|读者|提问者|学生)"
    ),
    "bot": _narrator("(?:bot|assistant|chatbot|ai)", "(?:助手|机器人|回答者|助理)"),
}
_ASKS = re.compile(
    r"(?:as (?:a|the)(?: \w+){1,3}, )?i(?:['’](?:d|ll)| would| will| want)? "
    r"(?:like to |want to |to )?(?:ask|know)(?: you)?\s*[:：]\s*"
    r"|(?:作为[^，：:\n]{1,8}[，,]我?|我)(?:想|要|来)?(?:请)?问(?:的是)?[：:]\s*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:[-•*+–>][ \t]+|[(（]?\d{1,2}[.)）、．](?:[ \t]+|(?=[^\x00-\x7f])))(?=\S)")
_HELPER = re.compile(
    r"\bhow (?:can|may|could) i (?:help|assist)\b|"
    r"\bwhat (?:would you like|do you want) to (?:know|ask|discuss|talk about)\b|"
    r"^(?:hello|hi|hey)?\W{0,3}i(?:['’]m| am) (?:here|happy|glad|ready) to (?:help|assist|answer)|"
    r"\bdo you have any (?:other |more |further |specific )?questions\b|"
    r"请问?(?:您|你)?有什么(?:可以|能|我能|我可以|需要我)?帮|有什么(?:我)?(?:可以|能)(?:为|帮)|"
    r"我(?:很乐意|很高兴|可以|会)(?:为|帮助?)(?:您|你)(?:解答|回答|服务)|(?:您|你)想(?:知道|了解|"
    r"问)(?:些)?什么",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """What was found at the beginning: its kind, where the rest begins, or why it is a role "
    "flip."""

    kind: str
    end: int
    found: Candidate | None = None
    flip: str | None = None


def read_opening(
    body: str, speaker: Speaker, labels: Sequence[Candidate], heard: str | None
) -> Opening | None:
    """The first thing at the beginning of `body` that is not said, or None.

    `labels` are the label-like beginnings of the lines of `body`, `heard` the other's last turn.
    """
    head = body[:_HEAD]
    for kind, pattern in (
        ("preamble", _ANNOUNCEMENTS[speaker]),
        ("narration", _NARRATORS[speaker]),
    ):
        match = pattern.match(head)
        if match is not None and body[match.end() :].strip():
            return Opening(kind, match.end())
    if speaker == "person":
        asking = _ASKS.match(head)
        if asking is not None and body[asking.end() :].strip():
            return Opening("preamble", asking.end())
        narrated = _NARRATORS["bot"].match(head)
        if narrated is not None:
            return Opening("narration", 0, flip="a narrator lets the other one speak")
    first = labels[0] if labels and labels[0].line == 0 else None
    if first is not None:
        opening = _label(body, speaker, first, labels, heard)
        if opening is not None:
            return opening
    if speaker == "person":
        number = _NUMBER.match(head)
        if number is not None and not _another_number(body, number.end()):
            return Opening("number", number.end())
    return None


def offers_help(text: str) -> bool:
    """Whether a text speaks as one who answers: "How can I help you?", "你想了解什么？"."""
    return _HELPER.search(text[:_HEAD]) is not None


def _label(
    body: str,
    speaker: Speaker,
    first: Candidate,
    labels: Sequence[Candidate],
    heard: str | None,
) -> Opening | None:
    label = first.label
    after = labels[1] if len(labels) > 1 else None
    rest = body[first.start : after.line if after is not None else len(body)]
    if label.kind in {"header", "dialogue"} and first.form in {"colon", "own"}:
        speaks = after is not None and not rest.strip() and side(after.label, speaker) is not None
        return Opening("label", first.start) if speaks else None
    if not is_clear(first):
        return None
    whose = side(label, speaker)
    if whose is None:
        return _weak_label(body, speaker, first, labels, rest)
    if is_topical(label) and _heads_a_list(body, first, after):
        return None
    if whose == "own":
        return Opening("label", first.start, first)
    doubtful = speaker == "bot" or label.base == "a"
    if doubtful and not asks(rest) and _heads_a_list(body, first, after):
        return None
    if (
        heard is not None
        and after is not None
        and side(after.label, speaker) == "own"
        and tokens(rest) == tokens(heard)
    ):
        return Opening("heard_turn", after.line)
    if speaker == "person":
        if is_ambiguous(label) and asks(rest) and not offers_help(rest):
            return Opening("label", first.start, first)
    elif is_topical(label) and not asks(rest):
        return None
    return Opening("label", 0, flip=f"it begins with the other's label {body[: first.start]!r}")


def _weak_label(
    body: str, speaker: Speaker, first: Candidate, labels: Sequence[Candidate], rest: str
) -> Opening | None:
    """A word that only suggests a role, or names a speaker without one: "Speaker 1:", "甲："."""
    label = first.label
    after = labels[1] if len(labels) > 1 else None
    leans = leaning(label, speaker)
    if leans == "own":
        return None if _heads_a_list(body, first, after) else Opening("label", first.start, first)
    if leans == "other":
        if asks(rest) == (speaker == "person"):
            return Opening("label", first.start, first)
        return Opening("label", 0, flip=f"it begins with the other's label {body[: first.start]!r}")
    if label.kind == "speaker" and first.form == "colon":
        return Opening("label", first.start, first)
    paired = after is not None and len(after.label.base) == 1
    if is_lone_letter(label) and paired and speaker == "person" and asks(rest):
        return Opening("label", first.start, first)
    return None


def _heads_a_list(body: str, first: Candidate, after: Candidate | None) -> bool:
    """Whether the next line has a label of no speaker: a list of things, "Model: …", "Data: …"."""
    if after is None or after.form != "colon" or body.find("\n", first.start) + 1 != after.line:
        return False
    label = after.label
    unnumbered_header = label.kind == "header" and label.number is None and not label.ident
    return (
        label.kind in {"topic", "name", "note", "narration"}
        or unnumbered_header
        or is_lone_letter(label)
    )


def _another_number(body: str, start: int) -> bool:
    line = body.find("\n", start)
    while line >= 0:
        if _NUMBER.match(body[line + 1 : line + 40].lstrip()):
            return True
        line = body.find("\n", line + 1)
    return False
