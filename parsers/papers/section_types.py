"""Section types from headings, and how they are carried over the sections without one.

PaperPersiChat's own typing came precomputed; what its data show is that a
section under an unrecognised heading has the type of the last recognised one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from .fields import one_line
from .heading_words import (
    APPENDIX_STARTS,
    BIBLIOGRAPHY_HEADINGS,
    CHINESE_KEYWORDS,
    ENGLISH_KEYWORDS,
    WHOLE_HEADINGS,
)
from .model import SectionType

DEFAULT_TYPE: SectionType = "introduction"
"""The type before any heading is recognised, and of an unrecognised section after the abstract."""

_NUMBER = re.compile(
    r"""^\s*(?:
        (?:section|chapter|part)\s+(?P<word>\d+(?:\.\d+)*)\s*[.:、：)]?\s+
      | §?\s*(?P<arabic>\d{1,3}(?:\.\d{1,3})*)\s*(?:[.:、：)．]\s*|\s+|(?=[^\W\d_a-zA-Z]))
      | (?P<roman>[IVX]{1,5})\s*[.:)]\s*
      | (?P<letter>[A-Z])\s*[.)]\s+
      | 第\s*(?P<ordinal>[0-9一二三四五六七八九十百]+)\s*[章节節部篇]\s*[、：:.]?\s*
      | [（(]?(?P<chinese>[一二三四五六七八九十]{1,3})[)）]?[、．.：:\s]\s*
      | [（(](?P<bracketed>\d{1,2}|[一二三四五六七八九十]{1,3})[)）]\s*
    )(?=\S)""",
    re.VERBOSE,
)
_CAPTION = re.compile(
    r"^(?:fig(?:ure|\.)?|table|tab\.|图|圖|表)\s*[0-9ivx一二三四五六七八九十]", re.I
)
_SPACED_OUT = re.compile(r"^(?:\w\s){3,}\w$")
_PARTS = re.compile(
    r"\s*[:：;；,，、/&|—–]\s*|\s+-\s+|\b(?:and|of|for|in|on|with|to|the)\b|[与與和及]"
)
_LONGEST_HEADING_WORDS = 12


def _keyword_pattern() -> re.Pattern[str]:
    english = (
        f"(?P<{section_type}>\\b(?:{'|'.join(words)})\\b)"
        for section_type, words in ENGLISH_KEYWORDS.items()
    )
    chinese = (
        f"(?P<{section_type}_zh>{'|'.join(sorted(words, key=len, reverse=True))})"
        for section_type, words in CHINESE_KEYWORDS.items()
    )
    return re.compile("|".join((*english, *chinese)))


_KEYWORD = _keyword_pattern()
_WHOLE = {word: kind for kind, words in WHOLE_HEADINGS.items() for word in words}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and its place: `parents` outermost first, `number` such as "2.1" or None.

    `fixed` is a type the file itself states; it is taken as it is.
    """

    title: str
    parents: tuple[str, ...] = ()
    number: str | None = None
    fixed: SectionType | None = None


def split_number(title: str) -> tuple[str | None, str]:
    """Part "2.1 Overview", "II. METHODS", "第3章 方法", "三、实验" into number and heading.

    Arabic numbers come back without a last dot ("2.1"); the other kinds as they
    stand. A heading without a number gives None.
    """
    found = _NUMBER.match(title)
    if found is None:
        return None, title.strip()
    return next(text for text in found.groups() if text), title[found.end() :].strip()


def _normal(title: str) -> str:
    text = unicodedata.normalize("NFKC", one_line(title))
    if _SPACED_OUT.match(text):
        text = re.sub(r"\s", "", text)
    return split_number(text)[1].strip(" .:;*_#\"'").casefold()


@lru_cache(maxsize=4096)
def _match(title: str) -> tuple[SectionType | None, bool]:
    """Give the type of a heading, and whether the whole heading is a known one."""
    text = _normal(title)
    if not text or _CAPTION.match(text):
        return None, False
    if text in _WHOLE:
        return _WHOLE[text], True
    if len(text.split()) > _LONGEST_HEADING_WORDS or len(text) > 120:
        return None, False
    for part in _PARTS.split(text):
        hits = list(_KEYWORD.finditer(part)) if part else []
        if hits:
            # A noun phrase is named by its last word: "experimental results" are results.
            group = cast(str, hits[-1].lastgroup).removesuffix("_zh")
            return cast(SectionType, group), False
    return None, False


def classify_heading(title: str) -> SectionType | None:
    """Give the section type a heading names, in English or Chinese, or None.

    Numbering, case, inline tags and full-width forms do not matter. A caption
    ("Table 3: Results") names none.
    """
    return _match(title)[0]


def is_whole_heading(title: str) -> bool:
    """Tell whether the title is, as a whole, a heading papers use ("Related Work", "结论")."""
    return _match(title)[1]


def is_bibliography(title: str) -> bool:
    """Tell whether a heading opens the list of references."""
    return _normal(title) in BIBLIOGRAPHY_HEADINGS


def is_appendix(title: str) -> bool:
    """Tell whether a heading opens an appendix."""
    return _normal(title).startswith(APPENDIX_STARTS)


def carry_forward(headings: Iterable[Heading]) -> list[SectionType]:
    """Give every section its type, in reading order.

    First that applies: the type the file states; the heading itself when it is
    as a whole a known one; the outermost recognised parent; a known word in the
    heading; the last recognised type. Numbers count as parents too ("4.2" is
    below "4"). An abstract is not carried on, and an appendix takes up the type
    from before the acknowledgements.
    """
    types: list[SectionType] = []
    by_number: dict[str, SectionType] = {}
    carried: SectionType = DEFAULT_TYPE
    content: SectionType = DEFAULT_TYPE
    for heading in headings:
        number = heading.number or split_number(heading.title)[0]
        number = number.rstrip(".") if number else None
        own, whole = _match(heading.title)
        if whole and own == "results" and not types and _normal(heading.title) == "summary":
            own = "abstract"  # the first section of a paper: its abstract, not its end
        recognised = heading.fixed or (own if whole else None)
        recognised = recognised or _of_parents(heading.parents) or _of_numbers(number, by_number)
        recognised = recognised or own
        if recognised is None and is_appendix(heading.title):
            recognised = content
        if recognised is not None:
            carried = DEFAULT_TYPE if recognised == "abstract" else recognised
            if number:
                by_number[number] = recognised
        if carried != "acknowledgement":
            content = carried
        types.append(recognised or carried)
    return types


def _of_parents(parents: tuple[str, ...]) -> SectionType | None:
    return next((kind for parent in parents if (kind := _match(parent)[0])), None)


def _of_numbers(number: str | None, by_number: dict[str, SectionType]) -> SectionType | None:
    while number and "." in number:
        number = number.rpartition(".")[0]
        if number in by_number:
            return by_number[number]
    return None
