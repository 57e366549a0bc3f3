"""What a document reader gives: titled documents, and what was none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

DOCUMENT_CODES: Mapping[str, str] = MappingProxyType(
    {
        "empty_document": "The record has a title at most, and no text.",
        "short_document": "The document has fewer tokens than a question can be asked about.",
        "duplicate_document": "The same text stands earlier in the collection.",
    }
)
"""Why a record gave no document of its own; beside the codes of `parsers.papers.READ_CODES`."""


@dataclass(frozen=True, slots=True)
class TitledDocument:
    """A text with its title ("" when it has none).

    `origin` names what it was taken from (a paper, a record, a file), where
    several documents share that; "" for a document of its own. `line` is the
    1-based line its record began on, None where it is the whole file.
    """

    title: str
    text: str
    origin: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentSkip:
    """Something that gave no document: why, where, and its id where it has one."""

    code: str
    detail: str
    line: int | None = None
    id: str | None = None
