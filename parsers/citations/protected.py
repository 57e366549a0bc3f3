"""Stretches in which no bracket is a citation: code, formulas, links, lists of references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from parsers.citations.model import Span

# Every alternative excludes its own opening sign from what it runs over, so that a text of
# nothing but opening signs is read once.
_REGION = re.compile(
    r"```(?s:.*?)(?:```|\Z)"
    r"|(?<!`)`[^`\n]{1,400}`(?!`)"
    r"|\$\$[^$]{1,2000}\$\$"
    r"|(?<![\w$])\$(?![\s\d$])[^$\n]{0,200}(?<!\s)\$(?![\w$])"
    r"|\\\([^\\\n]{0,200}(?:\\(?![()])[^\\\n]{0,200}){0,20}\\\)"
    r"|\\\[[^\\]{0,400}(?:\\(?![\[\]])[^\\]{0,200}){0,20}\\\]"
    r"|\\[A-Za-z]{1,20}\*?(?:\[[^\[\]\n]{0,60}\]){1,3}"
    r"|<(?:code|pre|math)>[^<]*</"
    r"|!?\[[^\[\]\n]{0,300}\]\((?=[#/.?]|[a-z][a-z0-9+.-]{0,11}:|[\w-]+[./])[^()\s]{1,600}"
    r"(?:\([^()\s]{0,80}\)[^()\s]{0,200})?(?: \"[^\"\n]{0,200}\")?\)"
    r"|\bhttps?://[^\s<>\"，。；、）】」』\u4e00-\u9fff]{1,2000}"
    r"|^[ \t]{0,3}\[\^?[^\[\]\n]{1,40}\]:[^\n]*",
    re.MULTILINE,
)
# A heading, then nothing but numbered lines to the end of the text or a blank line.
_REFERENCES = re.compile(
    r"^[ \t#*_]{0,8}(?:references|reference list|sources|citations|bibliography|works cited|"
    r"footnotes|notes|参考文献|参考资料|参考來源|参考来源|參考文獻|參考資料|引用来源|引用|来源|來源|"
    r"注释|脚注|参考)[*_ \t]{0,4}[:：]?[*_ \t]{0,4}\n+"
    r"(?:[ \t*-]{0,6}(?:[\[［【(（]\^?\d{1,3}[\]］】)）]|\d{1,3}[.、)])[^\n]*(?:\n+|\Z))+",
    re.MULTILINE | re.IGNORECASE,
)


class Protected:
    """The stretches of one text that hold no citation, found once and asked often."""

    def __init__(self, text: str) -> None:
        spans = list(_regions(text))
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def holds(self, position: int) -> bool:
        """Whether the character at `position` stands in such a stretch."""
        at = bisect_right(self._starts, position) - 1
        return at >= 0 and position < self._ends[at]

    def touches(self, start: int, end: int) -> bool:
        """Whether any of `text[start:end]` stands in such a stretch."""
        at = bisect_right(self._starts, max(start, end - 1)) - 1
        return at >= 0 and start < self._ends[at]


def reference_list(text: str) -> Span | None:
    """Where a list of references stands (its heading and its numbered lines), or None."""
    match = _REFERENCES.search(text)
    return None if match is None else match.span()


def _regions(text: str) -> Iterator[Span]:
    found = [match.span() for match in _REGION.finditer(text)]
    if "\n" in text:
        found += [match.span() for match in _REFERENCES.finditer(text)]
        found.sort()
    last = -1
    for start, end in found:
        if start >= last:
            yield start, end
            last = end
        elif end > last:
            yield last, end
            last = end


_QUOTED = re.compile(
    "“[^“”\n]{0,600}”|「[^「」\n]{0,600}」|『[^『』\n]{0,600}』|«[^«»\n]{0,600}»"
    '|(?<![\\w"])"[^"\n]{0,600}"'
)


class Quoted:
    """The quotations of one text: a number in them may be the quoted author's."""

    def __init__(self, text: str) -> None:
        spans = [match.span() for match in _QUOTED.finditer(text)]
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def holds(self, position: int) -> bool:
        """Whether the character at `position` stands inside quotation marks."""
        at = bisect_right(self._starts, position) - 1
        return at >= 0 and position < self._ends[at]
