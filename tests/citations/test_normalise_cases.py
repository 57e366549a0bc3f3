"""The forms that must become `[n]`, and the brackets that must stay as they are.

Four documents are there to be cited in every case.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parsers.citations import normalise_citations

FOLDER = Path(__file__).parent
DOCUMENTS = 4


def cases(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


MUST = cases("must_normalise.jsonl")
MUST_NOT = cases("must_not_touch.jsonl")


@pytest.mark.parametrize("case", MUST, ids=[case["id"] for case in MUST])
def test_a_citation_in_another_form_gets_the_published_one(case):
    found = normalise_citations(case["text"], DOCUMENTS)
    assert found.text == case["expected"]
    assert found.changes
    assert normalise_citations(found.text, DOCUMENTS).text == found.text


@pytest.mark.parametrize("case", MUST_NOT, ids=[case["id"] for case in MUST_NOT])
def test_what_is_no_citation_or_stands_well_is_left_alone(case):
    found = normalise_citations(case["text"], DOCUMENTS)
    assert found.text == case["text"]
    assert not found.changes


def test_there_are_many_cases_each_way_in_both_languages_and_with_both_scripts():
    for table in (MUST, MUST_NOT):
        assert len({case["id"] for case in table}) == len(table) >= 60
        for prefix, least in (("en-", 50), ("zh-", 20), ("mixed-", 3)):
            assert sum(case["id"].startswith(prefix) for case in table) >= least
