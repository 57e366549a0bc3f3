"""From the parts a reader found to a `Paper`: types, ids, and what is left out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from .fields import one_line
from .model import Paper, Section, SectionType, Unread
from .section_types import Heading, carry_forward, classify_heading, is_appendix, is_bibliography

PartKind = Literal["abstract", "body", "back"]

_CHILD_FIRST = re.compile(r"\s+:{2,3}\s+")
_PARENT_FIRST = re.compile(r"\s*:{2,3}\s*")


@dataclass(frozen=True, slots=True)
class Part:
    """A section or paragraph as a reader found it, before it has a type.

    `parents` are the headings above its own, outermost first. `kind` is where
    it stood: the abstract, the body, or the matter after the body.
    """

    title: str
    text: str
    parents: tuple[str, ...] = ()
    number: str | None = None
    kind: PartKind = "body"


def child_first(heading: str) -> tuple[str, tuple[str, ...]]:
    """Read "Cell culture :: METHODS" (doc2json from JATS) as a title and its parents."""
    title, *above = _CHILD_FIRST.split(heading)
    return title, tuple(reversed(above))


def parent_first(heading: str) -> tuple[str, tuple[str, ...]]:
    """Read "Method::Splitting" (LaTeX) or "Method ::: Splitting" (QASPER) likewise."""
    *above, title = _PARENT_FIRST.split(heading)
    return title, tuple(above)


def join_paragraphs(paragraphs: Iterable[Part]) -> list[Part]:
    """Join neighbours under the same heading into one part, paragraphs parted by newline.

    In a document without any heading each paragraph stands alone: there one
    paragraph is what the file has for a section (S2ORC 2019).
    """
    found = list(paragraphs)
    headless = not any(part.title for part in found if part.kind == "body")
    joined: list[tuple[Part, list[str]]] = []
    for part in found:
        if joined and _same_place(joined[-1][0], part) and not (headless and part.kind == "body"):
            joined[-1][1].append(part.text)
        else:
            joined.append((part, [part.text]))
    return [
        Part(first.title, "\n".join(filter(None, texts)), first.parents, first.number, first.kind)
        for first, texts in joined
    ]


def _same_place(one: Part, other: Part) -> bool:
    return (one.title, one.parents, one.number, one.kind) == (
        other.title,
        other.parents,
        other.number,
        other.kind,
    )


def assemble(format_name: str, paper_id: str, title: str, parts: Sequence[Part]) -> Paper | Unread:
    """Make the paper. Empty sections and lists of references are left out.

    Args:
        format_name: what `Paper.format` will say.
        paper_id: the id the file gives, or "" for one derived from the content.
        title: may be empty.
        parts: in reading order, also the empty ones: their headings give types.

    Returns:
        The paper, or an `Unread` with `no_body_text` when nothing but an
        abstract or acknowledgements is left.
    """
    title = one_line(title)
    titles = [one_line(part.title) for part in parts]
    types = carry_forward(
        Heading(heading, part.parents, part.number, _stated_type(part, heading))
        for part, heading in zip(parts, titles, strict=True)
    )
    kept = [
        (heading, text, section_type)
        for part, heading, section_type in zip(parts, titles, types, strict=True)
        if (text := part.text.strip()) and not is_bibliography(heading)
    ]
    if all(kind in {"abstract", "acknowledgement"} for _, _, kind in kept):
        return no_body_text(title)
    paper_id = paper_id or content_id(title, (text for _, text, _ in kept))
    sections = tuple(
        Section(f"{paper_id}_{n}", heading, text, section_type)
        for n, (heading, text, section_type) in enumerate(kept)
    )
    return Paper(paper_id, title, sections, format_name)


def no_body_text(title: str) -> Unread:
    """Report a paper that has an abstract at most."""
    named = f"paper “{title[:80]}”" if title else "a paper without a title"
    return Unread("no_body_text", f"{named} has no body text to make segments of")


def content_id(title: str, texts: Iterable[str]) -> str:
    """Derive a paper id from title and texts: 40 hex digits, the same wherever the file lies.

    White space does not count, so that text given as a string or as a list of
    paragraphs is the same paper.
    """
    digest = hashlib.sha1(title.encode(), usedforsecurity=False)
    for text in texts:
        digest.update(b"\0")
        digest.update("".join(text.split()).encode())
    return digest.hexdigest()


def _stated_type(part: Part, heading: str) -> SectionType | None:
    if part.kind == "abstract":
        return "abstract"
    if part.kind == "back" and not is_appendix(heading) and classify_heading(heading) is None:
        return "acknowledgement"
    return None
