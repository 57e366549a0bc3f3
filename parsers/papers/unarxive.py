"""unarXive 2022: arXiv's LaTeX as JSON lines, with `{{cite:…}}` markers in the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .assembly import Part, assemble, join_paragraphs
from .fields import id_of, lines_of, mapping_of, one_line, rows_of, text_of
from .model import Paper, Unread

FORMAT = "unarxive"

_MARKER = re.compile(r"\{\{(cite|formula|figure|table):([0-9a-zA-Z-]+)\}\}")
_DEPTH = {"section": 0, "subsection": 1, "subsubsection": 2}


def matches(record: Mapping[str, Any]) -> bool:
    """Tell whether the record names its LaTeX source as only unarXive does."""
    return "_source_hash" in record and "body_text" in record


def read(record: Mapping[str, Any]) -> Iterator[Paper | Unread]:
    """Give the paper. Citations become their number in the list of references, formulas LaTeX.

    Figures and tables are named by their kind; a marker without entry stays.
    """
    resolve = _resolver(record)
    metadata = mapping_of(record.get("metadata"))
    abstract = mapping_of(record.get("abstract"))
    stated = lines_of(abstract.get("text")) or text_of(metadata.get("abstract"))
    parts = [Part("Abstract", _unwrapped(_MARKER.sub(resolve, stated)), kind="abstract")]
    above: list[tuple[int, str]] = []
    for row in rows_of(record.get("body_text")):
        heading = text_of(row.get("section"))
        depth = _DEPTH.get(text_of(row.get("sec_type")), 0)
        while above and above[-1][0] >= depth:
            above.pop()
        parents = tuple(parent for _, parent in above)
        if heading:
            above.append((depth, heading))
        text = _MARKER.sub(resolve, text_of(row.get("text"))).strip()
        parts.append(Part(heading, text, parents, id_of(row.get("sec_number")) or None))
    paper_id = id_of(record.get("paper_id"), metadata.get("id"))
    yield assemble(FORMAT, paper_id, one_line(metadata.get("title")), join_paragraphs(parts))


def _resolver(record: Mapping[str, Any]) -> Callable[[re.Match[str]], str]:
    cited = mapping_of(record.get("bib_entries"))
    numbers = {key: number for number, key in enumerate(cited, start=1)}
    entries = mapping_of(record.get("ref_entries"))

    def resolve(marker: re.Match[str]) -> str:
        kind, key = marker[1], marker[2]
        if kind == "cite":
            return f"[{numbers[key]}]" if key in numbers else marker[0]
        if kind == "formula":
            return text_of(mapping_of(entries.get(key)).get("latex")) or marker[0]
        return f"({kind})" if key in entries else marker[0]

    return resolve


def _unwrapped(text: str) -> str:
    return " ".join(text.split())
