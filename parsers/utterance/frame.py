"""What wraps a whole utterance: fences, quotation marks, emphasis, stage directions, notes."""

from __future__ import annotations

import json
import re

from parsers.dialogue.edges import trim_marks
from parsers.dialogue.fences import look_at_fences
from parsers.dialogue.frame import is_stage_line
from parsers.dialogue.lines import is_rule
from parsers.dialogue.model import Speaker

Narrowed = tuple[int, int, str]
"""Start and end of what is left, and the word of `REMOVED_KINDS` for what went."""

_QUOTES = "\"“”„«»「」『』‘’‹›＂'"
_SENTENCE = re.compile(r"[.!?。！？؟…:：,，]")
_JSON_LIMIT = 20_000
_JSON_NAMES = frozenset(
    "question answer text utterance response content message reply turn 问题 回答 答案".split()
)
_LAST_TAG = re.compile(r"</([A-Za-z_]\w*)>\Z")
_LONGEST_TAG = 24
_TAIL = 400
"""Characters from the end that are read for a note or a stage direction."""

_CUE_WORDS = (
    r"(?:laugh|chuckl|smil|sigh|nod|paus|grin|think|wait|curious|thoughtful|shrug|lean|frown|wink|"
    r"clears|clearing|looks|looking|raises|taking notes|takes notes|end of)"
)
_LAST_CUE = re.compile(
    r"(?<=[.!?。！？…\"”’\s])\s*(?:"
    rf"\*(?:\w{{1,12}} )?{_CUE_WORDS}[^*\n]{{0,40}}\*|"
    rf"[(\[](?:\w{{1,12}} )?{_CUE_WORDS}[^()\[\]\n]{{0,40}}[)\]]|"
    r"[（【\[(](?:微?笑|点头|點頭|思考|停顿|停頓|沉默|叹气|皱眉|想了想|"
    r"等待)[^（）【】\n]{0,12}[）】\])])\s*$",
    re.IGNORECASE,
)
_NOTE_WORDS = (
    r"(?:notes?|note to \w+|word count|translation|explanation|disclaimer|p\.?s\.?|character count|"
    r"rationale|reasoning|注意?|备注|備註|说明|說明|字数|字數|提示|翻译|解释)"
)
_LAST_NOTE = re.compile(
    rf"\s*[*_]{{0,2}}(?:[(\[（【][*_]{{0,2}}{_NOTE_WORDS}[*_]{{0,2}}\s*[:：][^()（）\n]{{0,300}}[)\]）】]"
    r"|[(\[（](?:this|the above|my) (?:is |was )?(?:\w+ ){0,2}?(?:question|answer|response|turn)\b"
    r"[^()（）\n]{0,300}[)\]）]"
    r"|[（(](?:这个?|该|本|此|以上)(?:是)?(?:一个)?(?:问题|提问|回答|"
    r"答案)[^()（）\n]{0,200}[）)])[*_]{0,2}\s*$",
    re.IGNORECASE,
)
_NOTE_LABEL = re.compile(rf"[\s*_(\[（【>-]{{0,4}}{_NOTE_WORDS}[*_]{{0,2}}\s*[:：]", re.IGNORECASE)
_OFFER = re.compile(
    r"[\s*_(\[（]{0,4}(?:i hope (?:this|that|it) |hope (?:this|that) helps|let me know (?:if|"
    r"whether)|"
    r"please let me know|feel free to |if you (?:have|need) (?:any )?(?:more|other|further|"
    r"additional) |"
    r"if you have any (?:questions|other)|is there anything else|would you like me to |"
    r"do you have any "
    r"(?:other|more|further) |(?:this|the above|my) (?:question|answer|response) (?:is|was|seeks|"
    r"aims|asks|"
    r"focuses|relates|builds|follows)\b|希望(?:这|以上|我的|对)|如果(?:您|你)?还?(?:有|"
    r"需要)(?:其他|更多|任何|别的|进一步)|"
    r"(?:请|欢迎)?随时(?:告诉|提问|问|联系)|还有(?:什么|其他)(?:问题|需要)|"
    r"(?:这个|该|以上|本)(?:问题|提问|回答)(?:旨在|基于|是|涉及|针对))",
    re.IGNORECASE,
)


def narrow(text: str, start: int, end: int, speaker: Speaker) -> Narrowed | None:
    """The first thing found around the text between start and end, or None when it stands bare."""
    return (
        _edge_line(text, start, end)
        or _note(text, start, end, speaker)
        or _closing_tag(text, start, end)
        or _marks(text, start, end)
    )


def unwrap(text: str, start: int, end: int) -> Narrowed | None:
    """The inside of a code fence or a JSON object that holds all there is between start and end."""
    return _fence(text, start, end) or _json(text, start, end)


def is_only_a_cue(body: str) -> bool:
    """Whether the whole is a stage direction: "*nods*", "(thinking)", "（思考）"."""
    return "\n" not in body and _is_cue_line(body) and not is_rule(body)


def _fence(text: str, start: int, end: int) -> Narrowed | None:
    body = text[start:end]
    if body[:3] not in {"```", "~~~"}:
        fenced = look_at_fences(body)
        return (start, start + fenced.end, "fence") if fenced.end < len(body) else None
    fenced = look_at_fences(body)
    if len(fenced.pairs) != 1:
        return None
    first, last = fenced.pairs[0]
    tail = body[last:].strip("`~ \t\n>")
    if tail or body[:first].count("\n"):
        return None
    return start + first, start + last, "fence"


def _json(text: str, start: int, end: int) -> Narrowed | None:
    if text[start] != "{" or text[end - 1] != "}" or end - start > _JSON_LIMIT:
        return None
    try:
        value = json.loads(text[start:end])
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    said = [
        one
        for name, one in value.items()
        if isinstance(one, str) and (len(value) == 1 or name.casefold() in _JSON_NAMES)
    ]
    if len(said) != 1 or not said[0].strip():
        return None
    at = text.find(f'"{said[0]}"', start, end)
    return (at + 1, at + 1 + len(said[0]), "json") if at >= 0 else None


def _edge_line(text: str, start: int, end: int) -> Narrowed | None:
    """A rule or a stage direction that has the first or the last line to itself."""
    first = text.find("\n", start, end)
    if first < 0:
        return None
    line = text[start:first]
    if is_rule(line) or _is_cue_line(line):
        return first, end, "rule" if is_rule(line) else "stage_direction"
    last = text.rfind("\n", start, end) + 1
    line = text[last:end]
    if is_rule(line) or _is_cue_line(line):
        return start, last, "rule" if is_rule(line) else "stage_direction"
    return None


def _is_cue_line(line: str) -> bool:
    bare = line.strip()
    return (
        2 < len(bare) <= 60
        and any(map(str.isalpha, bare))
        and not _SENTENCE.search(bare.strip("*_()[]（）【】 "))
        and is_stage_line(bare)
        and not bare.startswith("`")
    )


def _note(text: str, start: int, end: int, speaker: Speaker) -> Narrowed | None:
    last = text.rfind("\n", start, end) + 1
    if last > start:
        # In an answer a remark may belong to it, unless it stands apart.
        apart = speaker == "person" or text[last] in "([（【" or text[last - 2] == "\n"
        if (apart and _NOTE_LABEL.match(text, last, end)) or _OFFER.match(text, last, end):
            return start, last, "note"
    paragraph = text.rfind("\n\n", start, end)
    if paragraph > start:
        last = paragraph + 2
        if _NOTE_LABEL.match(text, last, end) or _OFFER.match(text, last, end):
            return start, paragraph, "note"
    tail = max(start, end - _TAIL)
    if text[end - 1] in ")]）】*_":
        note = _LAST_NOTE.search(text[tail:end])
        if note is not None and tail + note.start() > start:
            return start, tail + note.start(), "note"
        cue = _LAST_CUE.search(text[tail:end])
        if cue is not None and tail + cue.start() > start:
            return start, tail + cue.start(), "stage_direction"
    return None


def _closing_tag(text: str, start: int, end: int) -> Narrowed | None:
    """The end of an element that began before the label: "</person>"."""
    if text[end - 1] != ">":
        return None
    tag = _LAST_TAG.search(text, max(start, end - _LONGEST_TAG), end)
    if tag is None or tag.start() == start or f"<{tag[1]}" in text[start : tag.start()]:
        return None
    return start, tag.start(), "label"


def _marks(text: str, start: int, end: int) -> Narrowed | None:
    first, last = trim_marks(text, start, end)
    if (first, last) != (start, end):
        if last == end:
            return first, last, "stage_direction"
        return first, last, "emphasis" if text[start] in "*_~`" else "quotes"
    opener, closer = text[start], text[end - 1]
    if end - start > 2 and opener == closer == "'":
        inner = text[start + 1 : end - 1]
        if inner[0] != " " and (inner[-1] in ".?!。？！" or "'" not in inner):
            return start + 1, end - 1, "quotes"
    if opener in '"“「' and not any(sign in text[start + 1 : end] for sign in _QUOTES[:-1]):
        return start + 1, end, "quotes"
    if closer in '"”」' and not any(sign in text[start : end - 1] for sign in _QUOTES[:-1]):
        return start, end - 1, "quotes"
    return None
