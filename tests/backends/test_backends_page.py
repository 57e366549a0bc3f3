"""docs/backends.md says what there is."""

import json
import re
from pathlib import Path

import pytest

from generator import errors
from generator.backends import list_backends, parse_spec
from generator.backends.openai_access import AZURE_API_VERSION
from generator.backends.registry import ENTRY_POINT_GROUP
from generator.backends.script_file import read_script
from generator.backends.scripted import FAULTS

PAGE = (Path(__file__).parents[2] / "docs" / "backends.md").read_text(encoding="utf-8")


def _table_after(heading):
    rows = PAGE.split(heading, 1)[1].split("\n\n|", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()[2:]]


def test_every_backend_is_listed_with_its_example():
    own = [info for info in list_backends() if not info.summary.startswith("Plugin")]
    rows = {row[0]: row[2] for row in _table_after("# Backends\n")}
    assert list(rows) == [f"`{info.name}`" for info in own]
    assert all(f"`{info.example}`" in rows[f"`{info.name}`"] for info in own)


def test_the_examples_are_specs():
    examples = [spec for row in _table_after("# Backends\n") for spec in row[2].split(", ")]
    assert all(str(parse_spec(spec.strip("`"))) == spec.strip("`") for spec in examples)


def test_every_variable_is_listed():
    named = {
        name
        for path in Path(__file__).parents[2].glob("generator/backends/*.py")
        for name in re.findall(
            r"\b(?:OPENAI|AZURE_OPENAI|DIALOGSMITH)_[A-Z_]*[A-Z]", path.read_text(encoding="utf-8")
        )
    } - {"OPENAI_BASE", "AZURE_OPENAI"}
    assert named
    assert not {name for name in named if f"`{name}" not in PAGE}


@pytest.mark.parametrize("row", _table_after("### Errors"), ids=lambda row: row[1])
def test_the_error_table(row):
    _, name, then = row
    kind = getattr(errors, name.strip("`"))
    if then == "stops the run":
        assert issubclass(kind, errors.RunStopped)
    elif then == "fails the item":
        assert not issubclass(kind, errors.Retryable)
        assert issubclass(kind, errors.CallFailed)
    else:
        assert issubclass(kind, errors.Retryable)


def test_the_script_of_the_page_can_be_read():
    block = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    assert len(read_script(block[1].encode(), "page").lines) == 5
    assert json.loads(block[1].splitlines()[0])["settings"]["choose"] == "first"
    assert all(f"`{kind}`" in PAGE for kind in FAULTS)


def test_names_and_numbers_of_the_page():
    assert ENTRY_POINT_GROUP in PAGE
    assert AZURE_API_VERSION in PAGE
