"""The arXiv and PubMed long-summarization JSON lines: sentences in lists, no titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from .assembly import Part, assemble
from .fields import id_of, list_of, text_of
from .model import Paper, Unread

FORMAT = "long-summarization"


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record has the abstract and the article as lists of sentences."""
    return "article_text" in record and "abstract_text" in record


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper; `<S>` marks go, tokens such as `@xcite` stay (nothing resolves them)."""
    parts = [Part("Abstract", _sentences(record["abstract_text"]), kind="abstract")]
    sections = list_of(record.get("sections"))
    names = list_of(record.get("section_names"))[: len(sections)]
    if sections:
        parts.extend(
            Part(text_of(name), _sentences(section))
            for name, section in zip_longest(names, sections)
        )
    else:
        parts.append(Part("", _sentences(record["article_text"])))
    yield assemble(FORMAT, id_of(record.get("article_id")), "", parts)


def _sentences(value: object) -> str:
    sentences = list_of(value) or [value]
    bare = (text_of(one).replace("<S>", "").replace("</S>", "").strip() for one in sentences)
    return " ".join(filter(None, bare))
