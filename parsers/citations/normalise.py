"""Citations in the many forms that models write, brought to the one form that is published."""

from __future__ import annotations

from parsers.citations.attribution import attributions
from parsers.citations.edits import EditedText
from parsers.citations.judging import citations
from parsers.citations.model import Normalised
from parsers.citations.placing import grouped, placed

_MOST_ROUNDS = 8
"""Rounds of rewriting. Two settle nearly every text; the bound keeps the time linear."""


def normalise_citations(text: str, documents: int) -> Normalised:
    """The text with every citation as `[n]`, counted from 1, before the closing mark.

    `documents` is how many documents the answer could cite. Read are, in half-width, full-width
    and lenticular brackets: `[1, 2]`, `[1-3]`, `(1)`, `[^1]`, `[doc 1]`, "(Document 2)",
    "（参见资料2）", `【1†source】`, `<sup>1</sup>`, superscripts, and the phrases "According to
    Document 2, …", "Document 2 states that …", "根据文档2，…", whose number becomes the marker of
    their sentence. A marker behind the closing mark or quotation mark, or alone on the next line,
    moves before the mark; blanks before it go; numbers of one group stand once, in their order.

    Brackets that are something else stay: indices, code, formulas, years, intervals, enumerations,
    equation numbers, links, lists of references. A number that no document has stays as `[n]` where
    it can only be a citation, so that a filter can name it. Normalising twice changes nothing more.

    >>> normalise_citations("It is blue. [1, 2] 天空是蓝的。【1】", 2).text
    'It is blue[1][2]. 天空是蓝的[1]。'
    """
    edited = EditedText(text)
    for _ in range(_MOST_ROUNDS):
        before = edited.text
        edited.apply(attributions(before, documents))
        found = citations(edited.text, documents)
        edited.apply(placed(edited.text, list(grouped(edited.text, found, documents))))
        if edited.text == before:
            break
    return Normalised(edited.text, edited.changes())
