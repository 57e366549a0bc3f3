"""Finds the places in plain text where a label stands: at the beginning of a line, whole."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from .labels import LONGEST_LABEL, SPEAKING, Label, LabelReader

Form = Literal["colon", "bracket", "dash", "own", "dotted"]


class Candidate(NamedTuple):
    """A label in the text: `line` is where its line begins, `start` where its own text begins.

    `decor` is what stood before the word on its line (bullets, stars, numbers, times).
    """

    line: int
    start: int
    end: int
    label: Label
    decor: str
    form: Form


_TIME = r"(?:\d{4}-\d\d-\d\d[ T]{1,2})?\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:\s?[ap]\.?m\.?)?"
_DECOR = re.compile(
    rf"(?:[\s>#*_~`\"“”„«‘'…•‣◦●○▪■□►▶·+\\|–—\u200e\u200f-]++"
    rf"|[\[(（]{_TIME}(?:\s*(?:[-–—>]|-->)+\s*{_TIME})?[\])）]"
    rf"|{_TIME}(?:\s*(?:[-–—>]|-->)+\s*{_TIME})?(?=[\s|–—-])"
    r"|[\[(（]?\d{1,3}[.)\]）、．:](?=[\s*_\"“\w])|[①-⑳❶-❿➀-➓◆◇◈]|\d️?⃣)*+",
    re.IGNORECASE,
)
_BRACKETS = {
    "[": "]",
    "【": "】",
    "(": ")",
    "（": "）",
    "<": ">",
    "〈": "〉",
    "《": "》",
    "「": "」",
    "［": "］",
    "〔": "〕",
}
_AFTER_BRACKET = re.compile(r"[*_~`\"]{0,3}\s*(?:[:：︰﹕]|[-–—>|]{1,2}(?=\s))?")
_DASH = re.compile(
    r"([^\W_][^\n:：|–—\t>=«→➜➔⇒]{0,40}?)[*_`]{0,3}"
    r"(?:\s+[-–—]{1,2}\s+|\s*(?:[–—|\t»→➜➔⇒]|[-=]?>{1,2})\s*|\s*-{2}\s*|#\s+|"
    r"\s*=\s*(?=[\"'“]))(?=\S)"
)
_SIGN_OF_A_DASH = re.compile(r"[-–—|\t»→➜➔⇒>#=]")
_DOTTED = re.compile(r"([^\W\d_]{1,10}\s?\d{0,3})[*_]{0,3}\s?[.)．、/][*_]{0,3}[ \t]+(?=\S)")
_TIMED = re.compile(
    r"[^\W\d][^\n:：]{0,30}[\s,|@-]\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?\s?[:：]", re.IGNORECASE
)
_COLONS = re.compile("[:：︰﹕]")
_RULE = re.compile(r"[\s*_=~#·•+-]+")
_LETTERED = re.compile(r"[A-Za-z][.)]\s+")
COUNTER = re.compile(r"(?:[a-h]\)|(?:i{1,3}|iv|vi{0,3}|ix|x)[.)])[ \t]+(?=\S)")
_SLASHES = "//"


def find_candidates(text: str, reader: LabelReader, most: int) -> list[Candidate]:
    """Every line of `text` that begins with something label-like, in order, at most `most`.

    Linear in the length of the text: each line is looked at within a fixed distance of its
    beginning.
    """
    found: list[Candidate] = []
    position, length = 0, len(text)
    while position < length and len(found) < most:
        end = text.find("\n", position)
        if end < 0:
            end = length
        candidate = _read_line(text, position, end, reader)
        if candidate is not None:
            found.append(candidate)
        position = end + 1
    return found


def _read_line(text: str, line: int, end: int, reader: LabelReader) -> Candidate | None:
    if end - line < 2:
        return None
    if text[line].isalpha():
        begin, decor = line, ""
        if text[line + 1] in ").iv" and (counter := COUNTER.match(text, line, end)):
            begin, decor = counter.end(), counter[0]
    else:
        decoration = _DECOR.match(text, line, end)
        begin = decoration.end() if decoration else line
        if begin >= end:
            return None
        decor = text[line:begin]
    first = text[begin]
    if first in _BRACKETS:
        return _bracketed(text, line, begin, end, decor, reader)
    colon = text.find(":", begin, min(end, begin + LONGEST_LABEL + 24))
    limit = colon if colon >= 0 else min(end, begin + LONGEST_LABEL + 24)
    wide = text.find("：", begin, limit)
    if wide >= 0:
        colon = wide
    if colon < 0 and not text.isascii() and (other := _COLONS.search(text, begin, limit)):
        colon = other.start()
    if colon > begin:
        candidate = _before_colon(text, line, begin, colon, end, decor, reader)
        if candidate is not None:
            return _titled(text, candidate, reader)
    if end - begin <= LONGEST_LABEL and (label := _alone(text[begin:end], decor, reader)):
        return Candidate(line, end, end, label, decor, "own")
    return _with_other_separator(text, line, begin, end, decor, reader)


def _before_colon(
    text: str, line: int, begin: int, colon: int, end: int, decor: str, reader: LabelReader
) -> Candidate | None:
    head = text[begin:colon]
    if "(" in head or "[" in head or "（" in head or "【" in head:
        opener = next(sign for sign in head if sign in "([（【")
        closer = _BRACKETS[opener]
        # the colon of "You (00:10): …" is the one after the parenthesis
        if closer not in head:
            close = text.find(closer, colon, min(end, begin + LONGEST_LABEL + 24))
            after = _COLONS.search(text, close, min(end, close + 4)) if close >= 0 else None
            if after is None:
                return None
            colon = after.start()
            head = text[begin:colon]
    if head[-1:].isdigit() and (timed := _TIMED.match(text, begin, min(end, begin + 72))):
        # "You, 10:01: …": the colon inside the time is not the label's
        colon = timed.end() - 1
        head = text[begin:colon]
    label = reader.read(head)
    if label is None or text.startswith(_SLASHES, colon + 1):
        return None
    start = colon + 1
    while start < end and text[start] in ":：":
        start += 1
    return Candidate(line, _skip_closers(text, start, end, decor), end, label, decor, "colon")


def _titled(text: str, candidate: Candidate, reader: LabelReader) -> Candidate:
    """Read "Step 1: Summary" alone on its line as the heading "Summary"."""
    kind = candidate.label.kind
    if kind not in {"topic", "header"} or not 0 < candidate.end - candidate.start <= 40:
        return candidate
    title = reader.known(text[candidate.start : candidate.end])
    if title is None or title.kind not in {"summary", "dialogue", "person", "bot"}:
        return candidate
    return candidate._replace(start=candidate.end, label=title, form="own")


def _skip_closers(text: str, start: int, end: int, decor: str) -> int:
    """Step over the stars that close emphasis opened before the label, and over space."""
    if not decor and text[start : start + 1] == " " and text[start + 1 : start + 2].isalnum():
        return start + 1
    opened = "".join(sign for sign in decor if sign in "*_~`") if decor else ""
    if opened and opened == text[start - 1 - len(opened) : start - 1][::-1]:
        # "**Person**: *Why* so?": closed before the colon already
        opened = ""
    position = start
    if opened:
        while position < end and position - start < 10 and text[position] in " \t*_~`\\":
            position += 1
        signs = "".join(text[start:position].split()).replace("\\", "")
        if signs and (
            position >= end
            or text[position - 1] in " \t"
            or signs in opened
            or opened.endswith(signs)
        ):
            return position
        # "**Person:** *Why?*": the signs after the closing ones belong to the words
        closers = opened[::-1]
        position = start + len(closers) if text.startswith(closers, start) else start
    elif (
        text.startswith("**", start)
        and not text.startswith("**", start + 2)
        and (start + 2 >= end or text[start + 2] in " \t")
    ):
        position = start + 2
    while position < end and text[position] in " \t\u00a0\u3000\u200e\u200f":
        position += 1
    return position


def _bracketed(
    text: str, line: int, begin: int, end: int, decor: str, reader: LabelReader
) -> Candidate | None:
    closer = _BRACKETS[text[begin]]
    close = text.find(closer, begin + 1, min(end, begin + LONGEST_LABEL))
    if close < 0:
        return None
    if text[begin + 1] == "/":
        return None
    label = reader.read(text[begin + 1 : close])
    after = _AFTER_BRACKET.match(text, close + 1, end)
    start = after.end() if after else close + 1
    separated = bool(after and any(sign in after[0] for sign in ":：︰﹕"))
    if label is None or (text[begin] in "(（「《" and not separated and label.kind == "name"):
        return None
    while start < end and text[start] in " \t\u00a0\u3000":
        start += 1
    if start >= end and not separated and label.kind == "name":
        return None
    return Candidate(line, start, end, label, decor, "colon" if separated else "bracket")


def _alone(content: str, decor: str, reader: LabelReader) -> Label | None:
    """A label that has the line to itself: a known word, or a name set as a heading."""
    label = reader.read(content)
    if label is None or label.kind == "name":
        titled = _LETTERED.match(content)
        title = reader.known(content[titled.end() :]) if titled else None
        if title is not None and title.kind in {"summary", "dialogue"}:
            return title
    if label is None:
        return None
    if label.kind == "name":
        heading = "#" in decor or ("*" in decor and content.rstrip().endswith("*"))
        return label if heading and not label.faint else None
    return label if label.kind != "topic" else None


def _with_other_separator(
    text: str, line: int, begin: int, end: int, decor: str, reader: LabelReader
) -> Candidate | None:
    if not text[begin].isalnum():
        return None
    limit = min(end, begin + LONGEST_LABEL)
    stop = min(end, limit + 12)
    # Most lines hold none of these signs, and looking for one is much the cheaper.
    dash = _DASH.match(text, begin, stop) if _SIGN_OF_A_DASH.search(text, begin, stop) else None
    if dash is not None:
        label = reader.read(dash[1])
        if label is not None and (label.kind == "summary" or label.kind in SPEAKING):
            return Candidate(line, dash.end(), end, label, decor, "dash")
    dotted = _DOTTED.match(text, begin, min(end, limit))
    if dotted is not None:
        label = reader.read(dotted[1])
        if label is not None and label.kind in {"question", "answer"}:
            return Candidate(line, dotted.end(), end, label, decor, "dotted")
    return None


def is_rule(line: str) -> bool:
    """Whether a line only separates: dashes, stars, hashes, equal signs."""
    return _RULE.fullmatch(line) is not None


def read_at(text: str, start: int, end: int, reader: LabelReader) -> Candidate | None:
    """The label that stands at `start`, as if a line began there."""
    return _read_line(text, start, end, reader)
