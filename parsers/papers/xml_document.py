"""XML, parsed so that a hostile file can do no harm: no DTD, no network, no entities."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .fields import clean
from .model import Unread

if TYPE_CHECKING:
    from lxml.etree import _Element

_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*\?>")
_SPACES = re.compile(r"\s+")


def parse_xml(data: bytes, *, reencoded: bool = False) -> _Element | Unread:
    """Parse a whole document, or say on which line it is at fault.

    Entities are not expanded, the DTD is not fetched, and libxml2's limits on
    depth and size stay on. `reencoded` says that the bytes were turned into
    UTF-8, so that the encoding the document declares no longer holds.
    """
    from lxml import etree  # imported here: it is slow to load, and only XML needs it

    if reencoded:
        data = _DECLARATION.sub(b"", data, count=1)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        collect_ids=False,  # an xml:id that occurs twice is no reason to refuse a paper
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(data.lstrip(), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or None
        return Unread("bad_xml", f"not well-formed XML: {error.msg}", line)


def local_name(element: _Element) -> str:
    """Give the tag without its namespace; an unexpanded entity has none and gives ""."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: _Element, *names: str) -> Iterator[_Element]:
    """Give the children of these names, whatever their namespace."""
    return (child for child in element if local_name(child) in names)


def first(element: _Element | None, *path: str) -> _Element | None:
    """Go down a path of names, the first child of each."""
    for name in path:
        if element is None:
            return None
        element = next(children(element, name), None)
    return element


def all_text(element: _Element | None, skip: frozenset[str] = frozenset()) -> str:
    """Give all text in an element as one line, leaving out the elements named in `skip`.

    Unexpanded character entities such as `&alpha;` become their characters.
    """
    if element is None:
        return ""
    return _SPACES.sub(" ", clean("".join(_pieces(element, skip)))).strip()


def _pieces(element: _Element, skip: frozenset[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        name = local_name(child)
        if not name:
            yield html.unescape(child.text or "")
        elif name not in skip:
            yield from _pieces(child, skip)
        yield child.tail or ""
