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

from .fields import one_line
from .heading_words import (
    APPENDIX_STARTS,
    BIBLIOGRAPHY_HEADINGS,
    CHINESE_KEYWORDS,
    DECISIVE_HEADINGS,
    ENGLISH_KEYWORDS,
    WHOLE_HEADINGS,
)
from .model import SectionType

DEFAULT_TYPE: SectionType = "introduction"
"""The type before any heading is recognised, and of an unrecognised section after the abstract."""

_NUMBER = re.compile(
    r"""^\s*(?:
        (?:section|chapter|part)\s+(?P<word>\d+(?:\.\d+)*)\s*[.:、：)]?\s+
      | §?\s*(?P<arabic>\d{1,3}(?:\.\d{1,3})*)\s*
            (?:[.:、：)．](?!\d)\s*|\s+|(?=[^\W\d_a-zA-Z])|(?=[A-Z][a-z]))
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
_SPACE_IN_CHINESE = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_PARTS = re.compile(r"[:：;；,，、/&|—–]|\s-\s|\b(?:and|of|for|in|on|with|to|the)\b|[与與和及]")
_LONGEST_HEADING_WORDS = 12
_LONGEST_HEADING = 120
_LONGEST_TITLE = 1000


# Longer pieces first: "implementation details" before "implementation".
_KEYWORDS: tuple[tuple[str, SectionType], ...] = tuple(
    sorted(
        (
            *((rf"\b{word}\b", kind) for kind, words in ENGLISH_KEYWORDS.items() for word in words),
            *((word, kind) for kind, words in CHINESE_KEYWORDS.items() for word in words),
        ),
        key=lambda entry: (-len(entry[0]), entry[0]),
    )
)
_KEYWORD = re.compile("|".join(f"({word})" for word, _ in _KEYWORDS))
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
    if len(title) > _LONGEST_TITLE:
        return ""
    text = unicodedata.normalize("NFKC", one_line(title))
    if _SPACED_OUT.match(text):
        text = re.sub(r"\s", "", text)
    text = _SPACE_IN_CHINESE.sub("", split_number(text)[1])
    return text.strip(" .:;*_#\"'").casefold()


def classify_heading(title: str) -> SectionType | None:
    """Give the section type a heading names, in English or Chinese, or None.

    Numbering, case, inline tags and full-width forms do not matter. A caption
    ("Table 3: Results") names none, nor does a title of over 1000 characters.
    """
    return None if len(title) > _LONGEST_TITLE else _classified(title)


@lru_cache(maxsize=4096)
def _classified(title: str) -> SectionType | None:
    text = _normal(title)
    if not text or _CAPTION.match(text):
        return None
    if text in _WHOLE:
        return _WHOLE[text]
    if len(text.split()) > _LONGEST_HEADING_WORDS or len(text) > _LONGEST_HEADING:
        return None
    # Of "A and B" the first counts; of a noun phrase the last word: "experimental results".
    named: SectionType | None = None
    end = 0
    for hit in _KEYWORD.finditer(text):
        if named is not None and _PARTS.search(text, end, hit.start()):
            break
        named = _KEYWORDS[(hit.lastindex or 1) - 1][1]
        end = hit.end()
    return named


def is_whole_heading(title: str) -> bool:
    """Tell whether the title is, as a whole, a heading papers use ("Related Work", "结论")."""
    return _normal(title) in _WHOLE


def is_bibliography(title: str) -> bool:
    """Tell whether a heading opens the list of references."""
    return _normal(title) in BIBLIOGRAPHY_HEADINGS


def is_appendix(title: str) -> bool:
    """Tell whether a heading opens an appendix."""
    return _normal(title).startswith(APPENDIX_STARTS)


def carry_forward(headings: Iterable[Heading]) -> list[SectionType]:
    """Give every section its type, in reading order.

    First that applies: the type the file states; the heading itself when it
    opens a new part wherever it stands ("Results"); the outermost recognised
    parent, numbers counting as parents ("4.2" is below "4"); a known word in
    the heading; the last recognised type. An abstract is not carried on, and an
    appendix takes up the type from before the acknowledgements.
    """
    types: list[SectionType] = []
    by_number: dict[str, SectionType] = {}
    carried: SectionType = DEFAULT_TYPE
    content: SectionType = DEFAULT_TYPE
    for heading in headings:
        own = classify_heading(heading.title)
        words = _normal(heading.title)
        if words == "summary" and not types:
            own = "abstract"  # the first section of a paper: its abstract, not its end
        number = (heading.number or split_number(heading.title)[0] or "").rstrip(".")
        recognised = (
            heading.fixed
            or (own if words in DECISIVE_HEADINGS else None)
            or _of_parents(heading.parents)
            or _of_numbers(number, by_number)
            or own
            or (content if is_appendix(heading.title) else None)
        )
        if recognised is not None:
            carried = DEFAULT_TYPE if recognised == "abstract" else recognised
            if number:
                by_number[number] = recognised
        if carried != "acknowledgement":
            content = carried
        types.append(recognised or carried)
    return types


def _of_parents(parents: tuple[str, ...]) -> SectionType | None:
    return next((kind for parent in parents if (kind := classify_heading(parent))), None)


def _of_numbers(number: str, by_number: dict[str, SectionType]) -> SectionType | None:
    while "." in number:
        number = number.rpartition(".")[0]
        if number in by_number:
            return by_number[number]
    return None
