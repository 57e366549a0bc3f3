"""docs/failure-cases.md: every case once, and every test it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "failure-cases.md").read_text(encoding="utf-8")
CASES = 112
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in PAGE.split("\n")
    if re.match(r"\|\s*\d+\s*\|", line)
]
_NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_REASON = "Does not apply: "


@cache
def functions_of(path: str) -> frozenset[str]:
    """The test functions of a file, without running it."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[:5] == "test_"
    )


def test_every_case_has_one_row_in_order() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, CASES + 1))


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_says_what_happens_and_what_holds_it(row: list[str]) -> None:
    _, elsewhere, here, held = row
    assert elsewhere
    assert here
    named = _NAMED.findall(held)
    if not named:
        assert held == "–"
        assert here.startswith(_REASON)
        assert len(here) > len(_REASON) + 20
        return
    assert _NAMED.sub("", held).strip() == ""
    for path, name in named:
        assert (ROOT / path).is_file(), path
        assert name in functions_of(path), f"{path}::{name}"


def test_every_test_of_the_folder_is_on_the_page() -> None:
    """What stands in tests/failure_cases stands there for a case."""
    named = set(_NAMED.findall(PAGE))
    unnamed = [
        f"{path.name}::{name}"
        for path in sorted((ROOT / "tests" / "failure_cases").glob("test_*.py"))
        for name in sorted(functions_of(path.relative_to(ROOT).as_posix()))
        if (path.relative_to(ROOT).as_posix(), name) not in named
    ]
    assert unnamed == []
