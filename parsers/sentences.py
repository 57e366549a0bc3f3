"""Sentence splitting for English, Chinese and anything that ends sentences with a mark.

Pure, and linear in the length of the text: one pass over the candidate marks,
each judged by a bounded window around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

# Never the end of a sentence, whatever follows. Without the last full stop.
_NEVER_LAST = re.compile(
    r"al|e\.g|i\.e|cf|vs|viz|figs?|eqs?|eqns?|secs?|sects?|ch|chap|tabs?|refs?|nos?|vols?|pp?"
    r"|eds?|dr|mrs?|ms|prof|st|approx|resp|w\.r\.t|ca|v|ver"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)
# The end of a sentence only when a capital or another script follows.
_SELDOM_LAST = re.compile(
    r"etc|inc|ltd|co|corp|jr|sr|ph\.d|u\.s|u\.k|i\.i\.d|a\.k\.a|dept|univ", re.IGNORECASE
)

_WIDE_MARKS = "。！？．｡"
_OTHER_MARKS = "؟۔।॥።។"
_CLOSERS = "\"'”’»)]）】」』》〉］"
_BOUNDARY = re.compile(
    rf"(?P<wide>[{_WIDE_MARKS}]+)|(?P<other>[{_OTHER_MARKS}]+)"
    r"|(?P<narrow>[.!?]+)|(?P<lines>\n[ \t\r\f\v\u3000]*\n\s*)|(?P<line>\n)"
)
_AFTER = re.compile(rf"[{re.escape(_CLOSERS)}]*(?:[ ]?\[\d{{1,4}}(?:\s?[,;–-]\s?\d{{1,4}})*\])*")
_CONTINUES = frozenset("，、；：,;:")
_OPENERS = "\"'“‘«([（【「『《〈［"
_WINDOW = 40
_HEADING_LENGTH = 60
_CJK = "\u2e80-\u2fdf\u3001-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
_WORD_BEFORE = re.compile(r"(?:^|[\s(\[“‘\"'/–—-]|[" + _CJK + r"])([^\s(\[“‘\"'/–—-]*)$")
_CJK_CHARACTER = re.compile("[" + _CJK + "\U00020000-\U0003ffff]")
_SPACES_IN_CJK = re.compile(
    rf"(?<=[{_CJK}\U00020000-\U0003ffff])\s+(?=[{_CJK}\U00020000-\U0003ffff])"
)
_SPACES = re.compile(r"\s+")


def sentence_spans(text: str) -> tuple[Span, ...]:
    """Start and end (exclusive, code points) of each sentence, surrounding space left out.

    A sentence keeps its closing quotes and brackets and the citation after its
    mark ("… as shown.[3]"). A blank line always ends one; a single line break
    only after a short line without a mark, which is a heading. Full stops of
    abbreviations, initials, decimals and list numbers end none.
    """
    spans: list[Span] = []
    start = 0
    for end in _ends(text):
        span = _trimmed(text, start, end)
        if span is not None:
            spans.append(span)
        start = end
    span = _trimmed(text, start, len(text))
    if span is not None:
        spans.append(span)
    return tuple(spans)


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences as text, each on one line: runs of white space become one space.

    Between two Chinese or Japanese characters a line break is no space, so none is left there.
    """
    return tuple(one_line(text[start:end]) for start, end in sentence_spans(text))


def one_line(text: str) -> str:
    """The text with every run of white space made one space, or nothing inside Chinese."""
    return _SPACES.sub(" ", _SPACES_IN_CJK.sub("", text)).strip()


def is_cjk(character: str) -> bool:
    """Whether it is a Chinese or Japanese character or full-width sign."""
    return _CJK_CHARACTER.fullmatch(character) is not None


def _ends(text: str) -> Iterator[int]:
    """Where sentences end, in order."""
    previous = 0
    for mark in _BOUNDARY.finditer(text):
        if mark.start() < previous:
            continue
        if mark["lines"] is not None:
            end: int | None = mark.end()
        elif mark["line"] is not None:
            end = mark.end() if _is_heading(text, previous, mark.start()) else None
        elif mark["narrow"] is not None:
            end = _narrow_end(text, previous, mark)
        else:
            end = _wide_end(text, mark)
        if end is not None:
            yield end
            previous = end


def _is_heading(text: str, start: int, end: int) -> bool:
    """A short line without a mark, before a line that starts anew."""
    if end - start > _HEADING_LENGTH + _WINDOW:
        return False
    line = text[start:end].strip()
    following = text[end : end + _WINDOW].lstrip()[:1]
    starts_anew = bool(following) and not following.islower() and following not in _CONTINUES
    return (
        0 < len(line) <= (_HEADING_LENGTH // 4 if _CJK_CHARACTER.match(line) else _HEADING_LENGTH)
        and "\n" not in line
        and starts_anew
        and not line.endswith((",", "，", "、", "-", "("))
        and len(line.split()) <= 8
    )


def _wide_end(text: str, mark: re.Match[str]) -> int | None:
    after = _AFTER.match(text, mark.end())
    end = after.end() if after is not None else mark.end()
    if mark.group() == "．" and text[mark.start() - 1 : mark.start()].isdigit():
        return None
    following = text[end : end + 1]
    return None if following in _CONTINUES and following else end


def _narrow_end(text: str, start: int, mark: re.Match[str]) -> int | None:
    after = _AFTER.match(text, mark.end())
    end = after.end() if after is not None else mark.end()
    following = text[end : end + 1]
    if following and not following.isspace() and not (is_cjk(following) and _is_last(text, mark)):
        return None
    ahead = text[end : end + _WINDOW].lstrip().lstrip(_OPENERS)[:1]
    if ahead.islower() or (ahead and ahead in _CONTINUES):
        return None
    if mark.group() != ".":
        return end
    word_match = _WORD_BEFORE.search(text[max(start, mark.start() - _WINDOW) : mark.start()])
    word = word_match.group(1) if word_match is not None else ""
    if _NEVER_LAST.fullmatch(word):
        # "No." before a number is "number"; alone it is an answer.
        return end if word.lower() == "no" and not ahead.isdigit() else None
    if _SELDOM_LAST.fullmatch(word):
        return end if ahead.isupper() or (ahead and is_cjk(ahead)) or not ahead else None
    if not ahead:
        return end
    if len(word) == 1 and word.isalpha() and word.isupper() and word != "I":
        return None
    before = text[start : start + _WINDOW].lstrip()
    if (
        word.isdigit()
        and len(word) <= 3
        and before.startswith(f"{word}.")
        and (mark.start() - start <= _WINDOW)
    ):
        # "1." that opens a sentence numbers it.
        return None
    return end


def _is_last(text: str, mark: re.Match[str]) -> bool:
    """A narrow mark between Chinese characters: "." only if it is not part of a name or number."""
    before = text[mark.start() - 1 : mark.start()]
    return mark.group() != "." or (bool(before) and (is_cjk(before) or before in _CLOSERS))


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
