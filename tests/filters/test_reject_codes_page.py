"""The page of reject codes holds every code, with its stages, an example and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.filters import REJECT_CODES, FilterSettings
from parsers.dialogue.codes import PARSER_CODES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reject-codes.md"
SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall(PAGE.read_text("utf-8")))


def stages_of(code: str) -> set[str]:
    stages = set(REJECT_CODES[code].stages) if code in REJECT_CODES else set()
    return stages | ({"parse"} if code in PARSER_CODES else set())


def test_the_page_has_every_code_once_and_no_other() -> None:
    names = [name for name, _ in SECTION.findall(PAGE.read_text("utf-8"))]
    assert len(names) == len(set(names))
    assert set(names) == set(REJECT_CODES) | set(PARSER_CODES)


@pytest.mark.parametrize("code", sorted(SECTIONS))
def test_a_section_names_stages_an_example_and_what_to_do(code: str) -> None:
    section = SECTIONS[code]
    stages = re.match(r"\nStages: ([a-z, ]+)\. ", section)
    assert stages is not None
    assert set(stages[1].split(", ")) == stages_of(code)
    assert re.search(r"^Example: .{10}", section, re.MULTILINE)
    assert re.search(r"^What to do: .{6}", section, re.MULTILINE)


def test_numbers_on_the_page_are_the_defaults() -> None:
    settings = FilterSettings().to_json()
    named = re.findall(r"`(m(?:in|ax)_\w+)` \(([\d.]+)\)", PAGE.read_text("utf-8"))
    assert len(named) >= 10
    for name, value in named:
        assert settings[name] == float(value), name


def test_every_threshold_is_named_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    unnamed = {name for name in FilterSettings().to_json() if name != "off" and name not in page}
    assert unnamed <= {"min_language_letters"}


def test_explanations_are_sentences() -> None:
    for code, info in REJECT_CODES.items():
        assert info.stages, code
        assert info.explanation.endswith("."), code
