"""Text laid out in lines and pages, back into paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
    "\xad": "",
}
_DIGITS = re.compile(r"\d+")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")
_PARAGRAPH_LINE = 160


def joined_pages(text: str) -> list[str]:
    """Give the lines of a text, its pages (parted by form feeds) joined.

    Running heads and page numbers go: what stands at the edge of more than half
    of three or more pages, digits aside. Ligatures become letters, soft hyphens go.
    """
    for ligature, letters in _LIGATURES.items():
        text = text.replace(ligature, letters)
    pages = [page.split("\n") for page in text.split("\f")]
    if len(pages) < 3:
        return [line for page in pages for line in page]
    edges = Counter(
        mark for page in pages for mark in {_mark(page[at]) for at in _edge_positions(page)}
    )
    repeated = {mark for mark, count in edges.items() if count * 2 > len(pages)}
    kept: list[str] = []
    for page in pages:
        dropped = {at for at in _edge_positions(page) if _mark(page[at]) in repeated}
        rest = "\n".join(line for at, line in enumerate(page) if at not in dropped)
        # Without the blank lines at its edges: a sentence may go on overleaf.
        kept.extend(rest.strip("\n").split("\n"))
    return kept


def _edge_positions(page: Sequence[str]) -> set[int]:
    filled = [at for at, line in enumerate(page) if line.strip()]
    return {*filled[:2], *filled[-2:]}


def _mark(line: str) -> str:
    return _DIGITS.sub("#", line.strip())


def unwrapped(lines: Sequence[str]) -> str:
    """Join wrapped lines into paragraphs, parted by newline; blank lines part paragraphs.

    Words broken at a line end are mended. Where the lines are long (median over
    160 characters), the text was not wrapped and each line is a paragraph.
    """
    filled = sorted(len(line) for line in lines if line.strip())
    if filled and filled[len(filled) // 2] > _PARAGRAPH_LINE:
        return "\n".join(line.strip() for line in lines if line.strip())
    pieces: list[str] = []
    for line in lines:
        piece = line.strip()
        if piece and pieces and pieces[-1] != "\n":
            _glue(pieces, piece)
        elif piece:
            pieces.append(piece)
        elif pieces and pieces[-1] != "\n":
            pieces.append("\n")
    return "".join(pieces).strip()


def _glue(pieces: list[str], after: str) -> None:
    before = pieces[-1]
    if before[-1] == "-" and before[-2:-1].isalpha() and after[0].islower():
        pieces[-1] = before[:-1]
    elif not (_WIDE.match(before[-1]) and _WIDE.match(after[0])):
        pieces.append(" ")
    pieces.append(after)
