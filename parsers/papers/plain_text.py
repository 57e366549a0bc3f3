"""Plain text, also out of a PDF: title and headings guessed from the lines."""

from __future__ import annotations

import re
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
from .wrapped_text import joined_pages, unwrapped

FORMAT = "plain-text"

_BARE_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?$")
_INLINE_HEAD = re.compile(
    r"^(Abstract|ABSTRACT|摘\s*要|【摘要】|提要)\s*(?:[:：.—–-]+\s*|】)(?=\S)"
)
_MASTHEAD = re.compile(
    r"^\s*(?:\d+\s*$|proceedings of|arxiv:|published (?:as|in|by)|under review|preprint\b)"
    r"|^\s*vol(?:ume|\.)\s|©|c⃝|\ball rights reserved|association for computational linguistics",
    re.IGNORECASE,
)
_LONGEST_HEADING = 90
_LONGEST_TITLE = 200
_LONGEST_FRONT_MATTER = 600


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
    lines = joined_pages(text)
    blocks = list(_blocks(lines))
    front, *sections = blocks
    title, opening = _title_and_opening(front.lines, sections[0].title if sections else None)
    if sections:
        parts = [Part("", unwrapped(opening))] if opening else []
        parts.extend(Part(b.title, unwrapped(b.lines), number=b.number) for b in sections)
    else:
        parts = [Part("", paragraph) for paragraph in unwrapped(opening).split("\n")]
    yield assemble(FORMAT, "", title, parts)


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Part the lines at headings; the first block is what stands before any."""
    block = _Block("", None, [])
    last_number: tuple[int, ...] = ()
    after_references = False
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
        if number is not None and numbered and not after_references:
            yield block
            block = _Block(heading, ".".join(map(str, number)), [])
            last_number = number
            at += used
            continue
        if used == 1 and _stands_alone(line, in_numbered=bool(last_number)):
            yield block
            block = _Block(line, None, [])
            after_references = after_references or is_bibliography(line)
            at += 1
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


def _stands_alone(line: str, *, in_numbered: bool) -> bool:
    """Tell whether an unnumbered line is a heading: as a whole one that papers use.

    Where headings are numbered, only those count that stand without a number
    there too; the others are table heads and the like.
    """
    if not _could_be_heading(line) or line[0].islower():
        return False
    if is_bibliography(line) or is_appendix(line):
        return True
    if not is_whole_heading(line):
        return False
    return not in_numbered or classify_heading(line) in {"abstract", "acknowledgement"}


def _title_and_opening(front: list[str], first_heading: str | None) -> tuple[str, list[str]]:
    """Part what stands before the first heading into the title and text worth keeping.

    Before an abstract there are names and addresses; before another heading, a
    short text is taken for them too.
    """
    filled = [at for at, line in enumerate(front) if line.strip()]
    while len(filled) > 1 and _MASTHEAD.search(front[filled[0]]):
        del filled[0]
    if not filled:
        return "", []
    first = front[filled[0]].strip()
    if len(first) > _LONGEST_TITLE or (first_heading is None and len(filled) == 1):
        return "", front
    rest = front[filled[0] + 1 :]
    if first_heading is None:
        return first, rest
    before_abstract = classify_heading(first_heading) == "abstract"
    short = sum(map(len, rest)) <= _LONGEST_FRONT_MATTER
    return first, [] if before_abstract or short else rest
