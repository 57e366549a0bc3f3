"""docs/formats-in.md lists every format and every code, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.inputs import INPUT_CODES
from parsers.papers import FORMATS, READ_CODES
from parsers.segments import SEGMENT_CODES

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "formats-in.md"


def first_cells(heading: str) -> list[str]:
    """Give the code-marked first cells of the table below a heading."""
    text = DOCUMENT.read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Formats", FORMATS),
        ("Reader codes", (*READ_CODES, *INPUT_CODES)),
        ("Segments", SEGMENT_CODES),
    ],
    ids=["formats", "reader-codes", "segment-codes"],
)
def test_document_lists_exactly_what_there_is(heading: str, names: tuple[str, ...]) -> None:
    assert sorted(first_cells(heading)) == sorted(names)


def test_every_row_says_something_in_every_column() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    assert all(len(row) == 3 and all(row) for row in rows)
