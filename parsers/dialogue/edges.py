"""Cleans one utterance: what stands around its text and is not said."""

from __future__ import annotations

import html
import re

from .frame import is_stage_line
from .leftovers import without_leftovers
from .model import Span
from .normalise import ENTITY

_QUOTES = {
    '"': '"',
    "“": "”",
    "„": "“”",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "‘": "’",
    "‹": "›",
    "＂": "＂",
    "”": "”",
}
_EDGY = frozenset("*_~`\"“„«»「『‘‹＂”([【（<|{\\'")
_EDGY_ENDS = frozenset("*_~`\"”“»「」』’›＂)]】）>|}\\'")
_CUE = re.compile(
    r"(?:\[([^\[\]\n]{1,40})\]|\(([^()\n]{1,40})\)|（([^（）\n]{1,20})）|【([^【】\n]{1,20})】"
    r"|\*(?!\*)([^*\n]{1,40})\*)[ \t]*[,.:：，。]?[ \t]*"
)
_CUE_WORDS = (
    r"(?:laugh|chuckl|smil|sigh|nod|paus|grin|giggl|clear|cough|think|lean|look|excited|curious|"
    r"thoughtful|warm|enthusiastic|frustrat|skeptic|sceptic|surpris|confus|shrug|gasp|breath|"
    r"applau|whisper|softly|gently|interrupt|turn|raises?\b|intrigued|amused|hesitat|after a|wink|"
    r"frown|beat\b|silence|music|sound|scratch|point|笑|点头|點頭|叹|嘆|停顿|停頓|沉默|思考|"
    r"微笑|皱眉|うなず|考え|"
    r"웃|미소|끄덕|смеёт|смеет|улыб|кивает|пауза|вздых|lacht|lächel|nickt|seufz|rit\b|sourit|hoche|"
    r"soupire|ríe|sonríe|asiente|suspira|ri\b|sorri|ride\b|sorride|annuisce)"
)
_KNOWN_CUE = re.compile(rf"\W{{0,2}}(?:\w{{1,12}} )?{_CUE_WORDS}", re.IGNORECASE)
_INNER_CUE = re.compile(
    rf"[ \t]*(?:\[(?:\w{{1,12}} )?{_CUE_WORDS}[^\[\]\n]{{0,30}}\]|\((?:\w{{1,12}} )?{_CUE_WORDS}"
    rf"[^()\n]{{0,30}}\)|（{_CUE_WORDS}[^（）\n]{{0,15}}）)",
    re.IGNORECASE,
)
_SUMMARY_MARK = re.compile(r"summary|abstract|摘要|总结|概述|要約|요약", re.IGNORECASE)
PLAIN_ENDS = frozenset(".?!。？！,;:")
"""Signs at the end of an utterance that close no mark around it."""

_CUE_OPENERS = ("[", "(", "（", "【")
_SPACE = " \t\n\u00a0\u3000\u2002\u2003\u2009\u202f"
_INLINE_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|emphasis|prosody|speak|span|mark|small|font|say-as|sub|sup|code|a|"
    r"voice|lang|phoneme|w|s)(?:\s[^<>\n]{0,120})?/?>|<break(?:\s[^<>\n]{0,60})?/?>",
    re.IGNORECASE,
)
_LINE_TAG = re.compile(r"[ \t]*<br\s?/?>[ \t]*", re.IGNORECASE)


def decode_markup(text: str) -> str:
    """Resolve HTML entities and drop inline formatting tags that come in pairs or are void."""
    if "<" in text and ("</" in text or "/>" in text or "<br" in text.lower()):
        text = _INLINE_TAG.sub("", _LINE_TAG.sub("\n", text))
    if "&" in text:
        text = ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return text


def tidy(text: str, start: int, end: int, decor: str = "") -> tuple[str, Span | None]:
    """The utterance between start and end without what surrounds it, and where it stands.

    Removed are white space, stage lines, emphasis and quotation marks around the whole,
    cues such as "[laughs]", and what closes the marks in `decor` that opened before the label.
    The span is None when something was taken out of the middle or decoded.
    """
    chunk = text[start:end]
    said = chunk.strip()
    if said and said[0].isalnum() and said[-1] in PLAIN_ENDS and not has_marks(said):
        start += len(chunk) - len(chunk.lstrip())
        return said, (start, start + len(said))
    start, end = without_leftovers(text, *_trim(text, start, end))
    if text.find("\n", start, end) < 0:
        spoken = None
    else:
        start, end, spoken = _without_stage_lines(text, start, end, decor)
    if spoken is None:
        if start < end and (
            text[start] in _EDGY or text[end - 1] in _EDGY_ENDS or "*" in decor or '"' in decor
        ):
            start, end = trim_marks(text, start, end, decor)
        spoken = text[start:end]
        if spoken[:1] in _CUE_OPENERS and _is_cue(spoken):
            return "", (start, start)
        final = _inside(spoken)
        return final, ((start, end) if final == spoken else None)
    first, last = trim_marks(spoken, *_trim(spoken, 0, len(spoken)), decor)
    return _inside(spoken[first:last]), None


def has_marks(said: str) -> bool:
    """Whether anything in a text may be a line end, markup, an entity or a cue."""
    return "\n" in said or has_inner_marks(said)


def has_inner_marks(said: str) -> bool:
    """The same, for a text of whose line ends nothing is asked."""
    return (
        "<" in said
        or "&" in said
        or "[" in said
        or "(" in said
        or (not said.isascii() and "（" in said)
    )


def tidy_text(text: str) -> str:
    """`tidy` for a text that stands alone."""
    return tidy(text, 0, len(text))[0]


def _is_cue(spoken: str) -> bool:
    """Whether the utterance is nothing but a cue: "(nods)"."""
    cue = _CUE.fullmatch(spoken)
    inner = next((group for group in cue.groups() if group), "") if cue else ""
    return bool(inner) and _KNOWN_CUE.match(inner) is not None


def _inside(spoken: str) -> str:
    decoded = decode_markup(spoken) if "<" in spoken or "&" in spoken else spoken
    if decoded is not spoken and decoded != spoken:
        first, last = trim_marks(decoded, *_trim(decoded, 0, len(decoded)), "")
        decoded = decoded[first:last]
    if "[" in decoded or "(" in decoded or "（" in decoded:
        without = _INNER_CUE.sub("", decoded)
        if without.strip():
            decoded = without.strip(_SPACE)
    return decoded


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    chunk = text[start:end]
    kept = chunk.lstrip()
    start += len(chunk) - len(kept)
    return start, start + len(kept.rstrip())


def trim_marks(text: str, start: int, end: int, decor: str = "") -> tuple[int, int]:
    """Narrow the span past marks that wrap all of it, and past cues at its beginning."""
    opened = "".join(sign for sign in decor if sign in "*_~`") if decor else ""
    if opened and end > start and text[end - 1] == opened[-1]:
        width = min(len(opened), 3)
        run = text[end - width : end]
        if len(set(run)) > 1:
            run = run[-1]
        if text.count(run, start, end) % 2:
            start, end = _trim(text, start, end - len(run))
    if '"' in decor and text.endswith('"', start, end) and text.count('"', start, end) % 2:
        start, end = _trim(text, start, end - 1)
    for _ in range(6):
        before = start, end
        start, end = _unwrap(text, start, end)
        start = _past_cue(text, start, end)
        start, end = _trim(text, start, end)
        if (start, end) == before:
            break
    return start, end


def _unwrap(text: str, start: int, end: int) -> tuple[int, int]:
    if end - start < 2:
        return start, end
    first, last = text[start], text[end - 1]
    if first in "*_~`" and last == first:
        width = 1
        while width < 3 and start + width < end and text[start + width] == first:
            width += 1
        if first == "`" and width == 3:
            return start, end
        closing = text[end - width : end]
        inner = text[start + width : end - width]
        if closing == first * width and inner.strip() and first not in inner:
            return start + width, end - width
        return start, end
    closers = _QUOTES.get(first)
    if closers is None or last not in closers:
        return start, end
    inner_start, inner_end = start + 1, end - 1
    if first == last:
        whole = text.find(first, inner_start, inner_end) < 0
    else:
        whole = _stays_open(text, inner_start, inner_end, first, last)
    return (inner_start, inner_end) if whole else (start, end)


def _stays_open(text: str, start: int, end: int, opener: str, closer: str) -> bool:
    depth = 1
    for letter in text[start:end]:
        if letter == opener:
            depth += 1
        elif letter == closer:
            depth -= 1
            if depth == 0:
                return False
    return depth == 1


def _past_cue(text: str, start: int, end: int) -> int:
    """Step over "(chuckles)", "[sigh]", "*smiles*" before the words, and a "(Summary)" mark."""
    if start >= end or text[start] not in "[(（【*":
        return start
    cue = _CUE.match(text, start, end)
    if cue is None or cue.end() >= end:
        return start
    inner = next(group for group in cue.groups() if group is not None).strip()
    if _SUMMARY_MARK.search(inner) and len(inner) <= 24:
        return cue.end()
    if _KNOWN_CUE.match(inner):
        return cue.end()
    words = inner.split()
    follows = text[cue.end()]
    begins = follows.isupper() or not (follows.islower() or follows.isascii()) or follows in "\"'¿¡"
    plain = all(part.isalpha() for word in words for part in word.split("-")) and len(inner) > 2
    limit = 4 if text[start] == "[" else 2
    if (
        plain
        and begins
        and len(words) <= limit
        and (inner[0].islower() or text[start] == "[" or inner.endswith("ly"))
    ):
        return cue.end()
    return start


def _without_stage_lines(
    text: str, start: int, end: int, decor: str
) -> tuple[int, int, str | None]:
    """Drop stage lines; the joined text is given when something left the middle, else None."""
    lines: list[Span] = []
    position = start
    while position <= end:
        stop = text.find("\n", position, end)
        if stop < 0:
            stop = end
        lines.append((position, stop))
        position = stop + 1
    kept = [line for line in lines if not is_stage_line(text[line[0] : line[1]])]
    kept = _without_blank_ends(text, kept)
    if not kept:
        return start, end, None
    first, last = kept[0][0], kept[-1][1]
    inside = [line for line in lines if line[0] >= first and line[1] <= last]
    margin = _margin(decor)
    quoted = ">" in decor
    if len(inside) == len(kept) and not margin and not quoted:
        first, last = _trim(text, first, last)
        return first, last, None
    pieces: list[str] = []
    for number, (begin, stop) in enumerate(kept):
        line = text[begin:stop]
        if number and quoted and line.lstrip().startswith(">"):
            line = line.lstrip()[1:].removeprefix(" ")
        if number:
            line = _dedent(line, margin)
        pieces.append(line)
    joined = (
        re.sub(r"\n[ \t]*\n(?:[ \t]*\n)+", "\n\n", "\n".join(pieces))
        if len(inside) != len(kept)
        else ("\n".join(pieces))
    )
    if joined == text[first:last]:
        first, last = _trim(text, first, last)
        return first, last, None
    return first, last, joined


def _without_blank_ends(text: str, lines: list[Span]) -> list[Span]:
    first, last = 0, len(lines)
    while first < last and not text[lines[first][0] : lines[first][1]].strip():
        first += 1
    while last > first and not text[lines[last - 1][0] : lines[last - 1][1]].strip():
        last -= 1
    return lines[first:last]


def _margin(decor: str) -> int:
    indent = len(decor) - len(decor.lstrip(" "))
    rest = decor[indent:]
    if rest[:2] in {"- ", "• ", "+ "}:
        return indent + 2
    return indent + (len(rest) if rest[:1].isdigit() else 0)


def _dedent(line: str, margin: int) -> str:
    spaces = len(line) - len(line.lstrip(" "))
    return line[min(spaces, margin) :]
