"""Plain text, also out of a PDF: headings guessed, pages joined, lines unwrapped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .assembly import Part, assemble
from .model import Paper, Unread
from .section_types import (
    classify_heading,
    is_appendix,
    is_bibliography,
    is_whole_heading,
    split_number,
)

FORMAT = "plain-text"

_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xad": ""}
)
_BARE_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?$")
_INLINE_HEAD = re.compile(
    r"^(Abstract|ABSTRACT|摘\s*要|【摘要】|提要)\s*(?:[:：.—–-]+\s*|】)(?=\S)"
)
_DIGITS = re.compile(r"\d+")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-$")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")
_LONGEST_HEADING = 90
_LONGEST_FRONT_MATTER = 600
_PARAGRAPH_LINE = 160


@dataclass(frozen=True, slots=True)
class _Block:
    title: str
    number: str | None
    lines: list[str]


def read(text: str) -> Iterator[Paper | Unread]:
    """Give the paper. The title is its first line; names before the first heading are dropped.

    Headings are lines that are numbered in sequence, or that are as a whole a
    heading papers use. Without any, each paragraph is a section of its own.
    """
    lines = _without_page_furniture(text.translate(_LIGATURES))
    blocks = list(_blocks(lines))
    front, *sections = blocks
    title, opening = _title_and_opening(front.lines, has_headings=bool(sections))
    if sections:
        parts = [Part("", _unwrapped(opening))] if opening else []
        parts.extend(Part(b.title, _unwrapped(b.lines), number=b.number) for b in sections)
    else:
        parts = [Part("", paragraph) for paragraph in _unwrapped(opening).split("\n")]
    yield assemble(FORMAT, "", title, parts)


def _without_page_furniture(text: str) -> list[str]:
    """Take out running heads and page numbers: what stands at the edge of most pages."""
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
        kept.extend(line for at, line in enumerate(page) if at not in dropped)
    return kept


def _edge_positions(page: Sequence[str]) -> set[int]:
    filled = [at for at, line in enumerate(page) if line.strip()]
    return {*filled[:2], *filled[-2:]}


def _mark(line: str) -> str:
    return _DIGITS.sub("#", line.strip())


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Part the lines at headings; the first block is what stands before any."""
    block = _Block("", None, [])
    last_number: tuple[int, ...] = ()
    in_references = False
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        inline = _INLINE_HEAD.match(line) if not block.title else None
        number, heading, used = _heading_at(lines, at)
        numbered = number is not None and _follows(last_number, number)
        if inline:
            yield block
            block = _Block(inline[1].strip("【】"), None, [line[inline.end() :]])
            at += 1
            continue
        starts = numbered and not in_references
        if starts or (used == 1 and _stands_alone(heading, line, in_references)):
            yield block
            block = _Block(heading, ".".join(map(str, number)) if number and numbered else None, [])
            if number and numbered:
                last_number = number
            in_references = is_bibliography(heading)
            at += used
            continue
        block.lines.append(lines[at])
        at += 1
    yield block


def _heading_at(lines: Sequence[str], at: int) -> tuple[tuple[int, ...] | None, str, int]:
    """Give the number, the heading and how many lines it takes, were there a heading here."""
    line = lines[at].strip()
    if _BARE_NUMBER.match(line):
        below = lines[at + 1].strip() if at + 1 < len(lines) else ""
        if _could_be_heading(below):
            return _as_numbers(line), below, 2
        return None, line, 1
    number, heading = split_number(line)
    if number is None or not _could_be_heading(heading):
        return None, heading, 1
    return _as_numbers(number), heading, 1


def _as_numbers(number: str) -> tuple[int, ...] | None:
    if _BARE_NUMBER.match(number):
        return tuple(int(part) for part in number.rstrip(".").split("."))
    digits = "一二三四五六七八九"
    if number in digits:
        return (digits.index(number) + 1,)
    romans = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
    return (romans.index(number) + 1,) if number in romans else None


def _follows(last: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Tell whether a section number can come next: 2 or 1.1 after 1, 3 or 2.2 after 2.1."""
    if not last:
        return number in {(1,), (0,)}
    if number == (*last, 1):
        return True
    depth = len(number)
    return depth <= len(last) and number == (*last[: depth - 1], last[depth - 1] + 1)


def _could_be_heading(text: str) -> bool:
    if not text or len(text) > _LONGEST_HEADING or len(text.split()) > 12:
        return False
    if text[-1] in ".,;:。，；：、" or not any(letter.isalpha() for letter in text):
        return False
    return not text[0].islower() or classify_heading(text) is not None


def _stands_alone(heading: str, line: str, in_references: bool) -> bool:
    """Tell whether an unnumbered line is a heading: as a whole one that papers use."""
    if not line or len(line) > _LONGEST_HEADING or line[-1] in ",;，；、" or line[0].islower():
        return False
    if is_bibliography(line) or (is_appendix(line) and _could_be_heading(line)):
        return True
    return is_whole_heading(heading) and (not in_references or len(line.split()) < 3)


def _title_and_opening(front: list[str], *, has_headings: bool) -> tuple[str, list[str]]:
    filled = [at for at, line in enumerate(front) if line.strip()]
    if not filled:
        return "", []
    first = front[filled[0]].strip()
    if len(first) > 200 or (not has_headings and len(filled) == 1):
        return "", front
    rest = front[filled[0] + 1 :]
    is_front_matter = has_headings and sum(map(len, rest)) <= _LONGEST_FRONT_MATTER
    return first, [] if is_front_matter else rest


def _unwrapped(lines: Sequence[str]) -> str:
    """Join wrapped lines into paragraphs, parted by newline; blank lines part paragraphs.

    Where the lines are long, the text was not wrapped and each line is a paragraph.
    """
    filled = sorted(len(line) for line in lines if line.strip())
    if filled and filled[len(filled) // 2] > _PARAGRAPH_LINE:
        return "\n".join(line.strip() for line in lines if line.strip())
    paragraphs: list[str] = []
    current = ""
    for line in lines:
        piece = line.strip()
        if not piece:
            if current:
                paragraphs.append(current)
            current = ""
        else:
            current = _glued(current, piece)
    if current:
        paragraphs.append(current)
    return "\n".join(paragraphs)


def _glued(before: str, after: str) -> str:
    if not before:
        return after
    if _BROKEN_WORD.search(before) and after[0].islower():
        return before[:-1] + after
    if _WIDE.match(before[-1]) and _WIDE.match(after[0]):
        return before + after
    return f"{before} {after}"
