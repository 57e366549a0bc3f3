"""The numbers inside a reference: "1, 2", "1-3", "Documents 1 and 2", "文档一", "1†source"."""

from __future__ import annotations

import re
from typing import NamedTuple

LARGEST = 999
"""Three digits: from four on it is a year, or no number of a document."""

_WIDEST_RANGE = 20
_FOLDED = str.maketrans("０１２３４５６７８９［］（）【】〔〕〖〗，；　", "0123456789[]()[][][],; ")
_CHINESE = {digit: value for value, digit in enumerate("一二三四五六七八九十", 1)}

ENGLISH_KEY = (
    r"(?:documents?|docs?\b\.?|doc(?=[\d_])|sources?|references?|refs?\b\.?|ref(?=\d)|passages?|"
    r"citations?|cite|snippets?|chunks?|context(?= ?\d))"
)
CHINESE_KEY = (
    "(?:(?:参考|參考|引用|检索|檢索|上述|给定|給定)?(?:文档|文檔|文件|资料|資料|文献|文獻|材料|来源|來源|片段)"
    "|引用|参考|參考|引文|出处|出處)"
)
KEY = f"(?:{ENGLISH_KEY}|{CHINESE_KEY})"
NUMBER = (
    "(?:[0-9０-９]{1,3}(?![0-9０-９])|[一二三四五六七八九十](?![一二三四五六七八九十百千年月日]))"
)
_ITEM = (
    rf"(?:{KEY}[ :：#_]{{0,2}})?(?:no\. ?|number |#|№|\^|第|\[)?{NUMBER}"
    rf"(?:[篇份号號个個]{CHINESE_KEY}?|\])?"
)
_SEPARATOR = (
    r"(?:\s?(?:,|，|、|;|；|/|&|\+|和|及|与|與|以及|至|到|[-–—~～]|\b(?:and|or|to)\b)\s?){1,2}"
)
_LEAD = (
    r"(?:see(?: also)?|cf\.?|from|per|according to|"
    r"as (?:stated|mentioned|noted|described|shown) in|based on|"
    "(?:资料|資料|信息|数据|內容|内容)(?:来源|來源|出处|出處)|"
    r"见|見|参见|參見|详见|詳見|引自|来自|根据|根據|依据|依據|据)"
)
_CONTENT = re.compile(
    rf"\s?(?:(?P<lead>{_LEAD})[:： ]?\s?)?(?:the )?(?P<key>{KEY}[ :：#_]{{0,2}})?(?P<hat>\^)?"
    rf"(?P<list>{_ITEM}(?:(?:{_SEPARATOR}|\]\s?\[){_ITEM}){{0,15}})(?P<dagger>†[^\n]{{0,60}})?"
    r"(?P<tail>(?:[:：]|[,，] ?"
    r"(?P<page>paragraphs?|para\.?|pp?\.|pages?|sections?|lines?|chapter|第))"
    r" ?[^\n]{0,80})?\s?",
    re.IGNORECASE,
)
_PART = re.compile(f"{NUMBER}|[-–—~～至到]|\\bto\\b", re.IGNORECASE)
_RANGE = frozenset("-–—~～至到") | {"to"}


class Numbers(NamedTuple):
    """What a reference says: its numbers in order, and what kind of reference it is."""

    numbers: tuple[int, ...]
    named: bool
    """A word says that it is one: "Document 2", "资料2", "2†source", "see [2]"."""

    ranged: bool
    """Written as a range."""

    nested: bool
    """Has square brackets of its own: "see [2]"."""

    tail: str = ""
    """What stands behind the numbers: ": The blue lamp", ", p. 3"."""


def read_numbers(content: str) -> Numbers | None:
    """The numbers of what stands between two brackets, or None when it is something else.

    >>> read_numbers("1-3").numbers, read_numbers("资料1、资料2").named, read_numbers("sic")
    ((1, 2, 3), True, None)
    """
    folded = content.translate(_FOLDED)
    match = _CONTENT.fullmatch(folded)
    if match is None:
        return None
    numbers: list[int] = []
    ranged = open_range = False
    for part in _PART.findall(match["list"]):
        if part.lower() in _RANGE:
            open_range = True
            continue
        number = _CHINESE.get(part) or int(part)
        if open_range:
            first = numbers[-1]
            if not first < number <= first + _WIDEST_RANGE:
                return None
            numbers.extend(range(first + 1, number))
            ranged, open_range = True, False
        numbers.append(number)
    if match["tail"] and not (match["key"] or match["page"]):
        # "[1: 3]" is a slice, "[1: second]" a label.
        return None
    nested = "[" in match["list"]
    named = any(match[name] for name in ("key", "hat", "dagger")) or (
        nested and bool(match["lead"])
    )
    if not named and re.search(KEY, match["list"], re.IGNORECASE) is None:
        if match["lead"] or re.fullmatch("[一二三四五六七八九十]", match["list"][:1]) is not None:
            return None
    else:
        named = True
    tail = (match["tail"] or "").lstrip(":：, ")
    return Numbers(tuple(numbers), named or bool(tail), ranged, nested, tail)
