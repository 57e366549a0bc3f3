"""Phrases that name a document by its number, which say what a marker says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from parsers.citations.edits import Edit
from parsers.citations.forms import Written
from parsers.citations.judging import citations
from parsers.citations.numbers import CHINESE_KEY, KEY, NUMBER, read_numbers
from parsers.citations.protected import Protected
from parsers.citations.surroundings import CLOSERS, SENTENCE_ENDS
from parsers.sentences import sentence_spans

_LONGEST = 160
"""Characters of a sentence's beginning or end that are read."""

_BRACKETED = rf"(?:\[{NUMBER}\]){{1,6}}"
_KEYED = (
    rf"(?:documents?|docs?\.?|sources?|passages?|references?) ?(?:no\. ?|number |#)?\[?{NUMBER}\]?"
)
_ENGLISH = (
    rf"(?:(?:the )?{_KEYED}(?:(?:, | and |, and | & )(?:{_KEYED}|\[?{NUMBER}\]?)){{0,4}}"
    rf"|{_BRACKETED})"
)
_STATED = (
    r"(?:stated|mentioned|noted|described|explained|shown|reported|indicated|discussed|outlined|"
    r"detailed|seen|found|given)"
)
_STATES = (
    r"(?:states?|says?|mentions?|notes?|explains?|reports?|indicates?|shows?|describes?|confirms?|"
    r"adds?|highlights?|points? out|tells? us|reveals?|suggests?|clarifies|clarify)"
)
_ENGLISH_OPENING = re.compile(
    rf"(?:(?:according to|based on|as per|per|as {_STATED} (?:in|by)|in|from) (?P<a>{_ENGLISH}), +"
    rf"|as (?P<c>{_ENGLISH}) {_STATES}, +"
    rf"|(?P<b>{_ENGLISH}) (?:also |further |clearly |explicitly )?(?:{_STATES} that "
    # Without "that" it is a clause only where a verb follows: not "Document 1 notes the price."
    r"|(?:states?|says?|notes?) (?=(?:[\w'’-]+ ){1,8}"
    r"(?:is|are|was|were|has|have|had|can|could|will|would|did|does|do)\b)))",
    re.IGNORECASE,
)
_ENGLISH_CLOSING = re.compile(
    rf",? (?:according to|based on|as per|as {_STATED} (?:in|by)) (?P<a>{_ENGLISH})$",
    re.IGNORECASE,
)
_CHINESE_ITEM = (
    rf"(?:{_KEYED}|{CHINESE_KEY} ?(?:第)?[\[［【]?{NUMBER}[\]］】]?"
    rf"|第{NUMBER}[篇份个個]?{CHINESE_KEY})"
)
_CHINESE = (
    rf"(?:{_CHINESE_ITEM}(?:[、和与與及](?:{_CHINESE_ITEM}|[\[［【]?{NUMBER}[\]］】]?)){{0,4}}"
    rf"|{_BRACKETED})"
)
_CHINESE_OPENING = re.compile(
    rf"(?:(?:根据|根據|依据|依據|按照|据|據|如|从|從|在) ?(?P<a>{_CHINESE}) ?(?:中|里|裡)?的?"
    "(?:内容|內容|信息|資訊|记载|記載|描述|说明|說明|介绍|介紹|所述|所示|所说|所說)?[，,] ?"
    rf"|(?:从|從|由)?(?P<b>{_CHINESE}) ?(?:中|里|裡)?(?:还|還|也|曾|明确|明確)?"
    "(?:(?:指出|表示|显示|顯示|说明|說明|认为|認為|写道|寫道|称|稱)(?:，|,|：|:)? ?"
    "|(?:提到|提及|介绍|介紹|记载|記載|描述)(?:了|到)?(?:，|,|：|:) ?"
    "|(?:可以|可|能)?(?:看出|得知|知道|看到|了解到)(?:，|,|：|:) ?))",
    re.IGNORECASE,
)
_SIGN = re.compile(
    rf"{KEY}|\[\d{{1,3}}\] ?(?=[^\W\d_])|(?:\b(?:to|in|by|on|per|from)|[据據照如从從在]) ?\[\d",
    re.IGNORECASE,
)
_GROUP_BEFORE = re.compile(rf"{_BRACKETED}\s{{0,3}}$")
_SUBJECT = re.compile(rf"(?:{_STATES} that |指出|表示|显示|顯示|认为|認為)", re.IGNORECASE)
_ONLY_SOURCE = re.compile(
    r"[(（]?(?:sources?|references?|citations?|来源|來源|出处|出處|参考|參考|引用)(?:资料|文档|文献)?"
    rf" ?[:：] ?(?P<a>{_ENGLISH}|{_CHINESE}|{NUMBER})[)）]?[.。]?",
    re.IGNORECASE,
)


def attributions(text: str, documents: int) -> list[Edit]:
    """The edits that turn such phrases into markers at the end of their sentences.

    Only where the phrase does nothing else than name its source, and the sentence has no marker of
    another document. "Document 2 and Document 3 disagree" stays as it is.
    """
    if not _may_have(text):
        return []
    edits: list[Edit] = []
    protected = Protected(text)
    markers = list(citations(text, documents))
    at = 0
    for start, end in sentence_spans(text):
        before = _GROUP_BEFORE.search(text[max(0, start - 24) : start])
        if before is not None and _SUBJECT.match(text, start) is not None:
            # The marker that seems to close the sentence before is the subject of this one.
            start -= len(before.group())
        while at < len(markers) and markers[at].end <= start:
            at += 1
        own: list[Written] = []
        while at < len(markers) and markers[at].start < end:
            own.append(markers[at])
            at += 1
        if protected.touches(start, end):
            continue
        source = _ONLY_SOURCE.fullmatch(text, start, end) if end - start <= _LONGEST else None
        numbers = None if source is None or not start else _numbers(source["a"], documents)
        if numbers is not None:
            edits.append(Edit(start, end, _markers(numbers)))
        else:
            edits += _sentence(text, start, end, own, documents)
    return edits


def _may_have(text: str) -> bool:
    """A cheap look: one of the words must be there, or a line that begins with a marker."""
    return _SIGN.search(text) is not None


def _sentence(
    text: str, start: int, end: int, own: Sequence[Written], documents: int
) -> Iterator[Edit]:
    head = text[start : start + _LONGEST]
    opening = _ENGLISH_OPENING.match(head) or _CHINESE_OPENING.match(head)
    close = _closing_mark(text, start, end)
    if opening is not None and start + opening.end() < close:
        phrase = (start, start + opening.end())
        named = next(name for name in opening.groups() if name is not None)
    else:
        tail_start = max(start, close - _LONGEST)
        closing = _ENGLISH_CLOSING.search(text[tail_start:close])
        if closing is None or tail_start + closing.start() <= start:
            return
        phrase = (tail_start + closing.start(), close)
        named = closing["a"]
    numbers = _numbers(named, documents)
    if numbers is None:
        return
    others = [
        number
        for written in own
        if not phrase[0] <= written.start < phrase[1]
        for number in written.numbers
    ]
    if others and not set(numbers) <= set(others):
        return
    markers = "" if others else _markers(numbers)
    if phrase[1] == close and phrase[0] != start:
        yield Edit(*phrase, markers)
        return
    following = text[phrase[1]]
    capital = text[start].isupper() or text[start] == "["
    if capital and following.isascii() and following.islower():
        yield Edit(start, phrase[1] + 1, following.upper())
    else:
        yield Edit(start, phrase[1], "")
    if markers:
        yield Edit(close, close, markers)


def _numbers(named: str, documents: int) -> tuple[int, ...] | None:
    found = read_numbers(named) or read_numbers(named.replace("][", ",").strip("[]"))
    if found is None or not all(1 <= number <= documents for number in found.numbers):
        return None
    return tuple(dict.fromkeys(found.numbers))


def _markers(numbers: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _closing_mark(text: str, start: int, end: int) -> int:
    """Where the closing marks and quotation marks of a sentence begin."""
    position = end
    while (
        position > start and text[position - 1] in CLOSERS and text[position - 1] not in ")]）］】"
    ):
        position -= 1
    marks = position
    while position > start and text[position - 1] in SENTENCE_ENDS:
        position -= 1
    return end if position == marks else position
