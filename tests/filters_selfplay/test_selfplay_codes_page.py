"""The page of the self-play codes holds every code, with its stages, an example and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.filters.selfplay import SELFPLAY_CODES, SelfPlayFilterSettings
from generator.recipes.selfplay.conversation import TURN_CODES
from parsers.utterance import UTTERANCE_CODES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reject-codes-selfplay.md"
SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall(PAGE.read_text("utf-8")))


def test_the_page_has_every_code_once_and_no_other():
    names = [name for name, _ in SECTION.findall(PAGE.read_text("utf-8"))]
    assert len(names) == len(set(names))
    assert set(names) == set(SELFPLAY_CODES) | set(UTTERANCE_CODES) | set(TURN_CODES)


@pytest.mark.parametrize("code", sorted(SECTIONS))
def test_a_section_names_stages_an_example_and_what_to_do(code):
    section = SECTIONS[code]
    stages = re.match(r"\nStages: ([a-z, ]+)\. ", section)
    assert stages is not None
    known = SELFPLAY_CODES[code].stages if code in SELFPLAY_CODES else ()
    if code in UTTERANCE_CODES or code in TURN_CODES:
        known = ("turn", *known)
    assert tuple(stages[1].split(", ")) == known
    assert re.search(r"^Example: .{10}", section, re.MULTILINE)
    assert re.search(r"^What to do: .{6}", section, re.MULTILINE)


def test_the_page_names_every_threshold_with_its_default():
    named = re.findall(r"`(m(?:in|ax)_\w+)` \(([\d.]+)\)", PAGE.read_text("utf-8"))
    assert {name: float(value) for name, value in named} == SelfPlayFilterSettings().to_json()
