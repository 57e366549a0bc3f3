"""GROBID's TEI XML, also several in one `teiCorpus`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .assembly import Part, PartKind, assemble
from .model import Paper, Unread
from .xml_document import all_text, children, first, local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

FORMAT = "grobid-tei"
ROOTS = frozenset({"TEI", "TEI.2", "teiCorpus"})

# What stands inside a paragraph or division and is no running text of it.
_BESIDE_TEXT = frozenset({"figure", "note", "table", "listBibl"})
_PARAGRAPHS = frozenset({"p", "ab", "formula", "item", "quote"})


def read(root: _Element) -> Iterator[Paper | Unread]:
    """Give the papers of a TEI document. A formula is a paragraph of its own, with its label."""
    if local_name(root) == "teiCorpus":
        for member in children(root, "TEI", "TEI.2"):
            yield from read(member)
        return
    header = first(root, "teiHeader")
    parts: list[Part] = []
    abstract = first(header, "profileDesc", "abstract")
    if abstract is not None:
        parts.append(Part("Abstract", "\n".join(_paragraphs(abstract)), kind="abstract"))
    body = first(root, "text", "body")
    if body is not None:
        parts.extend(_divisions(body, "body", ()))
    back = first(root, "text", "back")
    if back is not None:
        for division in children(back, "div"):
            if division.get("type") != "references":
                parts.extend(_back_division(division))
    yield assemble(FORMAT, _paper_id(header), _title(header), parts)


def _title(header: _Element | None) -> str:
    statement = first(header, "fileDesc", "titleStmt")
    titles = [] if statement is None else list(children(statement, "title"))
    main = next((title for title in titles if title.get("type") == "main"), None)
    return all_text(main if main is not None else next(iter(titles), None))


def _paper_id(header: _Element | None) -> str:
    source = first(header, "fileDesc", "sourceDesc", "biblStruct")
    for number in () if source is None else children(source, "idno"):
        if number.get("type") == "MD5":
            return all_text(number)
    return ""


def _divisions(element: _Element, kind: PartKind, parents: tuple[str, ...]) -> Iterator[Part]:
    loose = list(_paragraphs(element, nested_divisions=False))
    head = first(element, "head") if local_name(element) == "div" else None
    title = all_text(head)
    number = head.get("n") if head is not None else None
    if loose or title:
        yield Part(title, "\n".join(loose), parents, number, kind)
    below = (*parents, title) if title else parents
    for division in children(element, "div"):
        yield from _divisions(division, kind, below)


def _back_division(division: _Element) -> Iterator[Part]:
    for part in _divisions(division, "back", ()):
        title = part.title or (division.get("type") or "")
        yield Part(title, part.text, part.parents, part.number, part.kind)


def _paragraphs(element: _Element, *, nested_divisions: bool = True) -> Iterator[str]:
    """Give the paragraphs below an element; a bare text directly in it counts as one."""
    bare = (element.text or "").strip()
    if bare:
        yield all_text(element, _BESIDE_TEXT | {"head"})
        return
    for child in element:
        name = local_name(child)
        if name in _PARAGRAPHS:
            text = all_text(child, _BESIDE_TEXT)
            if text:
                yield text
        elif name == "head" or name in _BESIDE_TEXT:
            continue
        elif name != "div" or nested_divisions:
            yield from _paragraphs(child)
