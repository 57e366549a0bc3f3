"""JATS XML, as PubMed Central and many publishers give it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .assembly import Part, PartKind, assemble
from .model import Paper, Unread
from .xml_document import all_text, children, first, local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

FORMAT = "jats"
ROOTS = frozenset({"article", "articles", "pmc-articleset"})

_BESIDE_TEXT = frozenset(
    {"fig", "fig-group", "table-wrap", "table-wrap-group", "table", "fn", "fn-group", "ref-list",
     "supplementary-material", "media", "graphic", "boxed-text", "label", "annotation", "tex-math"}
)  # fmt: skip
_PARAGRAPHS = frozenset({"p", "disp-formula", "list-item", "disp-quote", "def-item", "statement"})


def read(root: _Element) -> Iterator[Paper | Unread]:
    """Give the articles of a document; paragraphs before a first sub-section are kept."""
    if local_name(root) != "article":
        for article in children(root, "article"):
            yield from read(article)
        return
    meta = first(root, "front", "article-meta")
    parts = [
        Part("Abstract", "\n".join(_all_paragraphs(abstract)), kind="abstract")
        for abstract in (() if meta is None else children(meta, "abstract"))
        if abstract.get("abstract-type") is None
    ]
    body = first(root, "body")
    if body is not None:
        parts.extend(_sections(body, (), "body"))
    back = first(root, "back")
    for matter in () if back is None else children(back, "ack", "sec", "app-group", "app"):
        kind: PartKind = "back" if local_name(matter) in {"ack", "sec"} else "body"
        for part in _sections(matter, (), kind):
            title = part.title or ("Acknowledgements" if local_name(matter) == "ack" else "")
            parts.append(Part(title, part.text, part.parents, part.number, part.kind))
    title = all_text(first(meta, "title-group", "article-title"), frozenset({"xref", "fn"}))
    yield assemble(FORMAT, _paper_id(meta), title, parts)


def _paper_id(meta: _Element | None) -> str:
    """Give the id as doc2json has it: PMC…, else the DOI or the publisher's own."""
    ids = {
        number.get("pub-id-type") or "": all_text(number)
        for number in (() if meta is None else children(meta, "article-id"))
    }
    pmc = ids.get("pmc") or ids.get("pmcid")
    if pmc:
        return pmc if pmc.upper().startswith("PMC") else f"PMC{pmc}"
    return ids.get("doi") or ids.get("pmid") or ids.get("publisher-id") or ""


def _sections(element: _Element, parents: tuple[str, ...], kind: PartKind) -> Iterator[Part]:
    title = all_text(first(element, "title"), frozenset({"xref", "fn"}))
    label = all_text(first(element, "label")) or None
    yield Part(title, "\n".join(_own_paragraphs(element)), parents, label, kind)
    below = (*parents, title) if title else parents
    for section in children(element, "sec", "app"):
        yield from _sections(section, below, kind)


def _own_paragraphs(element: _Element) -> Iterator[str]:
    """Give the paragraphs of a section without those of its sub-sections."""
    for child in element:
        name = local_name(child)
        if name in {"sec", "app", "title"} or name in _BESIDE_TEXT:
            continue
        if name in _PARAGRAPHS:
            text = all_text(child, _BESIDE_TEXT)
            if text:
                yield text
        else:
            yield from _own_paragraphs(child)


def _all_paragraphs(element: _Element) -> Iterator[str]:
    """Give the paragraphs of a structured abstract, its own headings in front of them."""
    yield from _own_paragraphs(element)
    for section in children(element, "sec"):
        title = all_text(first(section, "title"))
        texts = list(_all_paragraphs(section))
        if title and texts:
            texts[0] = f"{title.rstrip(':')}: {texts[0]}"
        yield from texts
