"""The page of the codes of cited answers holds every code, with an example and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.filters.truthreader import TRUTHREADER_CODES, TruthReaderFilterSettings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reject-codes-truthreader.md"
TEXT = PAGE.read_text("utf-8")
SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall(TEXT))


def test_the_page_has_every_code_once_and_no_other():
    names = [name for name, _ in SECTION.findall(TEXT)]
    assert len(names) == len(set(names))
    assert set(names) == set(TRUTHREADER_CODES)


@pytest.mark.parametrize("code", sorted(SECTIONS))
def test_a_section_names_stages_an_example_and_what_to_do(code):
    section = SECTIONS[code]
    stages = re.match(r"\nStages: ([a-z, ]+)\. ", section)
    assert stages is not None
    assert tuple(stages[1].split(", ")) == TRUTHREADER_CODES[code].stages
    assert re.search(r"^Example: .{6}", section, re.MULTILINE)
    assert re.search(r"^What to do: .{6}", section, re.MULTILINE)


def test_the_page_names_every_threshold_with_its_default():
    named = re.findall(r"`(m(?:in|ax)_\w+)`\s+\(([\d.]+)\)", TEXT)
    defaults = TruthReaderFilterSettings().to_json()
    del defaults["off"]
    assert {name: float(value) for name, value in named} == defaults
