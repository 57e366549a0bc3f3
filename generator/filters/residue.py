"""What should not be left inside an utterance: labels, markup, template slots, broken text."""

from __future__ import annotations

import re

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, Span
from generator.filters.sample import DialogueSample, place_name
from generator.filters.settings import FilterSettings

_SPEAKERS = (
    r"(?:the |an)?other person|person|bot|user|human|(?:ai )?assistant|chatbot|ai|you|me|speaker|"
    r"interviewer|interviewee|question|answer|response"
)
_CHINESE_SPEAKERS = "人|用户|读者|提问者?|问题?|机器人|助手|助理|回答者?|答案?|你|我|采访者|受访者"
_OTHER_DIALOGUE = r"summary|dialogue|dialog|conversation|paper|摘要|总结|概要|对话|论文"
_MARKS = r"[*_#>\-\s]{0,6}"
# What stands before a colon, from the line's or the sentence's beginning on. A single letter
# is a label only where a line begins: "Groups. A: small" is none.
_LABEL = re.compile(
    rf"(?:[\n.!?。！？…”\"]{_MARKS}(?P<label>(?P<other>{_OTHER_DIALOGUE})|(?:{_SPEAKERS})s?|"
    rf"{_CHINESE_SPEAKERS})[ _]?[1-9ab]?|\n{_MARKS}(?P<letter>[QA])\d?)[*_\s]{{0,4}}$",
    re.IGNORECASE,
)
_COLON = re.compile("[:：]")
_LABEL_WINDOW = 48
"""Characters before a colon that are read; the longest label with its marks is shorter."""

_MARKUP = re.compile(
    r"<\|[^|>\n]{1,40}\|>|</?s>|\[/?INST\]|"
    r"</?(?:think|thinking|thought|reasoning|answer|person\d?|bot)>|"
    r"```|\A\s*\*\*|\*\*\s*\Z|(?<!\S)\*{2,}(?!\S)|\A\s*#{1,6} ",
    re.IGNORECASE,
)
_SLOT = re.compile(
    r"\[(?:insert|your|name|topic|question|answer|summary|text|paper|title|author|placeholder|"
    r"person|bot|user|fill|add)(?:[ _:\d][^\]\n]{0,60})?\]|"
    "[\\[（](?:在?此处|请?填写|请?插入|问题|回答|答案|摘要|主题|姓名|标题)[^\\]）\n]{0,40}[\\]）]|"
    r"\{\{?\s*(?:question|answer|summary|text|topic|name|title|context|input|output)\w{0,20}\s*\}|"
    r"<(?:your |insert )[^>\n]{1,60}>",
    re.IGNORECASE,
)
_BROKEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd\ud800-\udfff]")


def residue(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Labels, markup, unfilled slots and broken characters in the summary or a turn.

    One reason of each kind for a dialogue: the first.
    """
    joined = sample.joined
    labels = ":" in joined or "：" in joined
    checks = _checks(joined)
    if not checks and not labels:
        return NOTHING_FOUND
    found: dict[str, Reason] = {}
    for index, seen in sample.texts:
        text = seen.text
        label = _label(text) if labels and (":" in text or "：" in text) else None
        if label is not None and label[0] not in found:
            found[label[0]] = _reason(sample, index, text, *label)
        for pattern, code in checks:
            match = None if code in found else pattern.search(text)
            if match is not None:
                found[code] = _reason(sample, index, text, code, *match.span())
    return FilterResult(tuple(found.values()))


def find_residue(text: str) -> list[tuple[str, Span]]:
    """Code and place of the first markup, unfilled slot and broken character of any text."""
    found: list[tuple[str, Span]] = []
    for pattern, code in _checks(text):
        match = pattern.search(text)
        if match is not None:
            found.append((code, match.span()))
    return found


def _checks(text: str) -> list[tuple[re.Pattern[str], str]]:
    # Each pattern needs one of its characters; most dialogues have none, and asking is cheap.
    brackets = "[" in text or "<" in text
    checks: list[tuple[re.Pattern[str], str]] = []
    if brackets or "*" in text or "`" in text or "#" in text:
        checks.append((_MARKUP, "markup_residue"))
    if brackets or "{" in text or "（" in text:
        checks.append((_SLOT, "placeholder_text"))
    if not text.isprintable() or "\ufffd" in text:
        checks.append((_BROKEN, "garbled_text"))
    return checks


def _label(text: str) -> tuple[str, int, int] | None:
    """Code, start and end of the first label with its colon."""
    for colon in _COLON.finditer(text):
        end = colon.start()
        start = max(0, end - _LABEL_WINDOW)
        # A line break stands for the beginning of the text.
        match = _LABEL.search(text[start:end] if start else "\n" + text[:end])
        if match is not None:
            code = "multiple_dialogues" if match["other"] else "label_residue"
            at = match.start("label") if match["label"] else match.start("letter")
            return code, (start + at if start else at - 1), colon.end()
    return None


def _reason(
    sample: DialogueSample, index: int | None, text: str, code: str, start: int, end: int
) -> Reason:
    found = text[start:end].strip(" \t\n")
    if code == "garbled_text":
        found = found.encode("unicode_escape").decode()
    place = sample.place(index, start, end)
    return Reason("filter", code, f"{place_name(index)} holds “{found}”", place)
