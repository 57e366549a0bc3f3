"""Every recorded structure gives exactly the dialogue, or exactly the reject code, it should."""

from __future__ import annotations

from collections import Counter

import pytest
from dialogue_cases import OWN_CASES, SHARED_CASES, Case, as_expected, read_cases

from parsers.dialogue import PARSER_CODES, Dialogue, Rejection, parse_dialogue

_SHARED = read_cases(SHARED_CASES)
_OWN = read_cases(OWN_CASES)


@pytest.mark.skipif(not _SHARED, reason="the real sample files are not here")
@pytest.mark.parametrize("case", _SHARED, ids=[case["id"] for case in _SHARED])
def test_real_structures_parse_as_recorded(case: Case) -> None:
    assert as_expected(parse_dialogue(case["raw"])) == case["expected"]


def test_there_are_cases_of_every_reject_code_and_they_are_enough() -> None:
    rejected = Counter(case["expected"]["reject"] for case in _OWN if "reject" in case["expected"])
    assert set(rejected) == set(PARSER_CODES)
    assert len(_OWN) >= 150
    assert len({case["id"] for case in _OWN}) == len(_OWN)


@pytest.mark.parametrize("case", _OWN, ids=[case["id"] for case in _OWN])
def test_sibling_structures_parse_as_recorded_with_their_places(case: Case) -> None:
    result = parse_dialogue(case["raw"])
    assert as_expected(result) == case["expected"]
    if isinstance(result, Rejection):
        assert result.code in PARSER_CODES
        assert result.detail
        if result.span is not None:
            start, end = result.span
            assert 0 <= start <= end <= len(case["raw"])
    else:
        for turn in result.turns:
            if turn.span is not None:
                start, end = turn.span
                assert case["raw"][start:end] == turn.text


def test_plain_dialogues_have_all_their_spans() -> None:
    raw = (
        "Summary: Bees dance.\n\nPerson: Why?\nYou: To show the way.\nPerson: When?\nYou: At noon."
    )
    result = parse_dialogue(raw)
    assert isinstance(result, Dialogue)
    assert result.summary_span is not None
    assert raw[slice(*result.summary_span)] == "Bees dance."
    assert [raw[slice(*turn.span)] for turn in result.turns if turn.span] == [
        "Why?",
        "To show the way.",
        "When?",
        "At noon.",
    ]
