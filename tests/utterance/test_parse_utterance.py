"""The single-utterance parser on what models really write."""

from __future__ import annotations

import pytest
from messy_utterances import BOT, FAULTS, PERSON

from parsers.utterance import (
    Utterance,
    UtteranceFault,
    parse_utterance,
)

SAID = [
    pytest.param(speaker, *case, id=f"{speaker}-{case[0][:40]!r}")
    for speaker, cases in (("person", PERSON), ("bot", BOT))
    for case in cases
]
FAULTY = [pytest.param(*case, id=f"{case[0]}-{case[1]}-{case[2][:30]!r}") for case in FAULTS]


@pytest.mark.parametrize(("speaker", "raw", "said", "removed"), SAID)
def test_what_was_said_is_taken_out_of_what_surrounds_it(speaker, raw, said, removed):
    found = parse_utterance(raw, speaker, finish_reason="stop")
    assert isinstance(found, Utterance), found
    assert found.text == said
    assert found.removed == removed
    assert found.span is not None
    assert raw[slice(*found.span)] == said


@pytest.mark.parametrize(("speaker", "raw", "said", "removed"), SAID)
def test_what_was_said_is_read_again_as_itself(speaker, raw, said, removed):
    assert parse_utterance(said, speaker) == Utterance(said, (0, len(said)), ())


@pytest.mark.parametrize(("code", "speaker", "raw", "finish_reason"), FAULTY)
def test_what_is_no_utterance_has_a_code(code, speaker, raw, finish_reason):
    found = parse_utterance(raw, speaker, finish_reason=finish_reason)
    assert isinstance(found, UtteranceFault), found
    assert found.code == code
    assert found.detail
