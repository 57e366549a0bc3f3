"""The single-utterance parser on what models really write."""

from __future__ import annotations

import pytest
from messy_utterances import BOT, FAULTS, PERSON

from parsers.dialogue.vocabulary import DEFAULT_VOCABULARY
from parsers.utterance import (
    REMOVED_KINDS,
    UTTERANCE_CODES,
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


def test_every_code_and_every_kind_has_an_example():
    assert {case[0] for case in FAULTS} == set(UTTERANCE_CODES)
    shown = {kind for cases in (PERSON, BOT) for case in cases for kind in case[2]}
    assert shown | {"heard_turn"} == set(REMOVED_KINDS)


@pytest.mark.parametrize(
    ("heard", "raw", "said"),
    [
        ("What is W?", "Person: What is W?\nBot: A window.", "A window."),
        ("What is W?", "Question: what is W\n\nAnswer: A window.", "A window."),
        ("窗口有多大？", "问：窗口有多大？\n答：很大。", "很大。"),
    ],
)
def test_an_answer_may_begin_with_the_question_it_heard(heard, raw, said):
    found = parse_utterance(raw, "bot", heard=heard)
    assert isinstance(found, Utterance)
    assert found.text == said
    assert found.removed == ("heard_turn", "label")
    other = parse_utterance(raw, "bot", heard="Why is it so?")
    assert isinstance(other, UtteranceFault)
    assert other.code == "role_flip"


@pytest.mark.parametrize(
    "raw", ["It is a window.\nPerson: How large is", "它是一个窗口。\n用户：窗口有多"]
)
def test_an_answer_before_a_cut_turn_is_complete(raw):
    found = parse_utterance(raw, "bot", finish_reason="length")
    assert isinstance(found, Utterance)
    assert found.text in {"It is a window.", "它是一个窗口。"}


@pytest.mark.parametrize(
    ("raw", "said", "removed"),
    [
        ("Two parts:\r\none\r\ntwo", "Two parts:\none\ntwo", ("token",)),
        ("It is\u200b a window.", "It is a window.", ("token",)),
        ("It is W.\n<think>more?</think>\nIt is V.", "It is W.\n\nIt is V.", ("thinking",)),
    ],
)
def test_what_was_taken_out_of_the_middle_leaves_no_place(raw, said, removed):
    assert parse_utterance(raw, "bot") == Utterance(said, None, removed)


def test_labels_of_ones_own_are_known_by_the_vocabulary():
    words = DEFAULT_VOCABULARY.with_labels(person=("Reviewer 2",), bot=("Rebuttal",))
    raw = "Reviewer 2: What is W?\nRebuttal: A window."
    found = parse_utterance(raw, "person", vocabulary=words)
    assert found == Utterance("What is W?", (12, 22), ("label", "other_turn"))
    flipped = parse_utterance("Rebuttal: A window.", "person", vocabulary=words)
    assert isinstance(flipped, UtteranceFault)
    assert flipped.code == "role_flip"


def test_a_fault_says_where():
    raw = "<think>hm</think>\nBot: It is a window."
    found = parse_utterance(raw, "person")
    assert isinstance(found, UtteranceFault)
    assert found.span is not None
    assert raw[slice(*found.span)] == "Bot: It is a window."


def test_marks_without_end_are_garbled():
    found = parse_utterance("Q: " * 100 + "What is W?", "person")
    assert isinstance(found, UtteranceFault)
    assert found.code == "garbled_text"
