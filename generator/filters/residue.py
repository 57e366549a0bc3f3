"""What should not be left inside an utterance: labels, markup, template slots, broken text."""

from __future__ import annotations

import re

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason
from generator.filters.sample import DialogueSample
from generator.filters.settings import FilterSettings

_OPENING = r"(?:^|(?<=[.!?。！？…”\"])[ \t\u3000]*|\n[ \t]*)"
_MARKS = r"[*_#>\-\s]{0,6}"
_SPEAKERS = (
    r"(?:the )?(?:other )?(?:person|bot|user|human|assistant|chatbot|speaker|interviewer|interviewee|"
    r"student|teacher|agent|ai|you|me|question|answer)s?(?:[ _]?[12ab])?|"
    r"人物?|用户|读者|提问者?|问题?|机器人|助手|助理|回答者?|答案?|学生|老师|你|我"
)
_SPEAKER_LABEL = re.compile(
    rf"{_OPENING}{_MARKS}(?P<label>{_SPEAKERS}){_MARKS}[:：]", re.IGNORECASE
)
# A single letter is a label only where a line begins: "Groups. A: small" is none.
_LETTER_LABEL = re.compile(rf"(?:^|\n){_MARKS}(?P<label>[QA])\d?{_MARKS}[:：]", re.IGNORECASE)
_DIALOGUE_LABEL = re.compile(
    rf"{_OPENING}{_MARKS}(?P<label>summary|dialogue|dialog|conversation|paper|摘要|总结|概要|对话|论文)"
    rf"(?: ?\d+)?{_MARKS}[:：]",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"<\|[^|>\n]{1,40}\|>|</?s>|\[/?INST\]|</?(?:think|thinking|thought|reasoning|answer|person\d?|bot)>|"
    r"```|^\s*\*\*|\*\*\s*$|(?:^|\s)\*{2,}(?=\s|$)|^\s*#{1,6} ",
    re.IGNORECASE,
)
_SLOT = re.compile(
    r"\[(?:insert|your|name|topic|question|answer|summary|text|paper|title|author|placeholder|person|"
    r"bot|user|fill|add|插入|填写|在?此处?|问题|回答|答案|摘要|主题|姓名|标题)(?:[ _:：\d][^\]\n]{0,60}|"
    r"[\u4e00-\u9fff]{0,20})?\]|"
    r"\{\{?\s*(?:question|answer|summary|text|topic|name|title|context|input|output)\w*\s*\}?\}|"
    r"<(?:your |insert )[^>\n]{1,60}>|lorem ipsum|\bTODO\b|（(?:此处|请)?(?:填写|插入)[^）\n]{0,40}）",
    re.IGNORECASE,
)
_BROKEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd\ud800-\udfff]")
_MARKUP_CHARACTERS = frozenset("*<[`#{")


def residue(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Labels, markup, unfilled slots and broken characters in the summary or a turn."""
    reasons: list[Reason] = []
    turns = sample.dialogue.turns
    _check(sample, None, sample.dialogue.summary, reasons)
    for i, turn in enumerate(turns):
        _check(sample, i, turn.text, reasons)
    return FilterResult(tuple(reasons)) if reasons else NOTHING_FOUND


def _check(sample: DialogueSample, index: int | None, text: str, reasons: list[Reason]) -> None:
    # Each pattern can only match a text with one of its characters; most texts have none.
    if ":" in text or "：" in text:
        _add(sample, index, _DIALOGUE_LABEL.search(text), "multiple_dialogues", reasons)
        match = _SPEAKER_LABEL.search(text) or _LETTER_LABEL.search(text)
        _add(sample, index, match, "label_residue", reasons)
    if not _MARKUP_CHARACTERS.isdisjoint(text):
        _add(sample, index, _MARKUP.search(text), "markup_residue", reasons)
    if "[" in text or "{" in text or "<" in text or "（" in text or "TODO" in text:
        _add(sample, index, _SLOT.search(text), "placeholder_text", reasons)
    elif "lorem" in text.lower():
        _add(sample, index, _SLOT.search(text), "placeholder_text", reasons)
    if not text.isprintable() or "\ufffd" in text:
        _add(sample, index, _BROKEN.search(text), "garbled_text", reasons)


def _add(
    sample: DialogueSample,
    index: int | None,
    match: re.Match[str] | None,
    code: str,
    reasons: list[Reason],
) -> None:
    if match is None:
        return
    name = "the summary" if index is None else f"turn {index + 1}"
    found = match.group().strip()
    shown = found.encode("unicode_escape").decode() if code == "garbled_text" else found
    detail = f"{name} holds “{shown}”"
    place = sample.place(index, match.start(), match.end())
    reasons.append(Reason("filter", code, detail, place))
