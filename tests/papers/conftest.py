"""What the tests of the paper readers share: a reader of bytes, and one record a format."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from parsers.papers import Paper, Unread, read_papers

Read = Callable[[bytes | str], list[Paper | Unread]]
Record = dict[str, Any]


@pytest.fixture(scope="session")
def read() -> Read:
    """Read bytes (or text, as UTF-8) to a list of papers and unread records."""

    def read_all(content: bytes | str) -> list[Paper | Unread]:
        data = content.encode() if isinstance(content, str) else content
        return list(read_papers(io.BytesIO(data)))

    return read_all


def _annotation(*spans: tuple[int, int], **attributes: str) -> str:
    return json.dumps([{"start": s, "end": e, "attributes": attributes} for s, e in spans])


def _bulk_text() -> tuple[str, dict[str, tuple[int, int]]]:
    pieces = {
        "title": "Sorting socks",
        "abstract": "We sort socks.",
        "header": "Methods",
        "paragraph": "Pairs first.",
    }
    text, spans = "\n", {}
    for name, piece in pieces.items():
        spans[name] = (len(text), len(text) + len(piece))
        text += piece + "\n\n"
    return text, spans


def _paragraph(text: str, section: str | None = "", **more: Any) -> Record:
    return {"text": text, "section": section, "cite_spans": [], "ref_spans": [], **more}


_TEXT, _SPANS = _bulk_text()
_CITED = "70b4ed2a"

RECORDS: dict[str, Record] = {
    "scipdf": {
        "title": "Sorting socks",
        "abstract": "We sort socks.",
        "sections": [{"heading": "Methods", "text": "Pairs first.", "publication_ref": []}],
        "references": [],
        "doi": "",
    },
    "s2orc-doc2json": {
        "paper_id": "sock-1",
        "title": "Sorting socks",
        "abstract": "We sort socks.",
        "pdf_parse": {
            "abstract": [_paragraph("We sort socks.", "Abstract")],
            "body_text": [_paragraph("Pairs first.", "Methods", sec_num="2", eq_spans=[])],
            "back_matter": [],
        },
    },
    "paperpersichat": {
        "title": "Sorting socks",
        "paper_id": "sock-1",
        "segments": [
            ["sock-1_0", "We sort socks.", "Abstract", "abstract"],
            ["sock-1_1", "Pairs first.", "Methods", "methodology"],
        ],
        "meta": {"year": 2020},
    },
    "s2orc-release": {
        "paper_id": "sock-1",
        "metadata": {"title": "Sorting socks"},
        "abstract": [_paragraph("We sort socks.", "Abstract")],
        "body_text": [_paragraph("Pairs first.", "Methods")],
    },
    "s2orc-bulk": {
        "corpusid": 17,
        "content": {
            "text": _TEXT,
            "annotations": {
                "title": _annotation(_SPANS["title"]),
                "abstract": _annotation(_SPANS["abstract"]),
                "sectionheader": _annotation(_SPANS["header"], n="2"),
                "paragraph": _annotation(_SPANS["paragraph"]),
                "bibentry": None,
            },
        },
    },
    "unarxive": {
        "paper_id": "2101.00001",
        "_source_hash": "00",
        "metadata": {"title": "Sorting\n  socks"},
        "abstract": {"section": "Abstract", "text": "  We sort\nsocks."},
        "body_text": [
            {
                "section": "Methods",
                "sec_number": "2",
                "sec_type": "section",
                "text": f"Pairs first {{{{cite:{_CITED}}}}}.",
            }
        ],
        "bib_entries": {_CITED: {"bib_entry_raw": "A sock book."}},
        "ref_entries": {},
    },
    "qasper": {
        "title": "Sorting socks",
        "abstract": "We sort socks.",
        "full_text": [{"section_name": "Methods", "paragraphs": ["Pairs first."]}],
    },
    "long-summarization": {
        "article_id": "sock-1",
        "abstract_text": ["<S> We sort socks. </S>"],
        "article_text": ["Pairs first."],
        "section_names": ["methods"],
        "sections": [["Pairs first."]],
    },
    "pes2o": {
        "id": "17",
        "source": "s2orc/train",
        "version": "v2",
        "added": "2023",
        "text": "Sorting socks\n\nWe sort socks.\n\n\nMethods\nPairs first.",
    },
}


@pytest.fixture(scope="session")
def records() -> dict[str, Record]:
    """One small valid record of each JSON format: an abstract and a section of methods."""
    return RECORDS
