"""Whatever comes: no exception, nothing invented, the same again when read again, linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.utterance import (
    REMOVED_KINDS,
    UTTERANCE_CODES,
    Utterance,
    UtteranceFault,
    is_farewell,
    parse_utterance,
    question_count,
)

PIECES = [
    "What is the window?",
    "It has two queues.",
    "窗口有多大？",
    "它有两个队列。",
    "Thanks!",
    "谢谢。",
    "Person:",
    "Bot:",
    "**User:**",
    "Question 1:",
    "A:",
    "B:",
    "提问：",
    "助手：",
    "Speaker 2:",
    "Model:",
    "Summary:",
    "Dialogue:",
    "Sure! Here is my question:",
    "好的，我的问题是：",
    "*nods*",
    "(thinking)",
    "（思考）",
    "[pauses]",
    "---",
    "```",
    '"',
    "“",
    "”",
    "'",
    "*",
    "**",
    "_",
    "「",
    "」",
    "<think>",
    "</think>",
    "<|im_end|>",
    "<|im_start|>user\n",
    "</s>",
    "[INST]",
    "(Note: short.)",
    "Note: short.",
    "1.",
    "2.",
    "- ",
    '{"question": "',
    '"}',
    "\n",
    "\n\n",
    " ",
    "\r\n",
    "\u200b",
    "\\n",
    "\ufffd",
    "\ud800",
    "¿",
    "؟",
    "...",
    "As an AI language model, I cannot",
    "[insert question]",
    "How can I help you?",
]
MESSY = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=60)
SPEAKERS = st.sampled_from(["person", "bot"])
FINISH = st.sampled_from([None, "stop", "length"])
PLAIN_WORDS = st.lists(
    st.sampled_from("the window of two queues is chosen by shadow caches 窗口 的 大小".split()),
    min_size=2,
    max_size=12,
)


@settings(deadline=None, max_examples=400)
@given(MESSY, SPEAKERS, FINISH, st.none() | MESSY)
def test_any_text_gives_an_utterance_or_a_known_fault(raw, speaker, finish_reason, heard):
    found = parse_utterance(raw, speaker, finish_reason=finish_reason, heard=heard)
    if isinstance(found, UtteranceFault):
        assert found.code in UTTERANCE_CODES
        assert found.span is None or 0 <= found.span[0] <= found.span[1] <= len(raw)
        return
    assert found.text == found.text.strip() != ""
    assert set(found.removed) <= set(REMOVED_KINDS)
    assert len(set(found.removed)) == len(found.removed)
    if found.span is None:
        assert found.removed
    else:
        assert raw[slice(*found.span)] == found.text


@settings(deadline=None, max_examples=400)
@given(MESSY, SPEAKERS)
def test_what_was_read_once_is_read_again_as_itself(raw, speaker):
    found = parse_utterance(raw, speaker)
    if isinstance(found, Utterance) and "<" not in found.text and "\\" not in found.text:
        assert parse_utterance(found.text, speaker) == Utterance(
            found.text, (0, len(found.text)), ()
        )


@settings(deadline=None, max_examples=150)
@given(PLAIN_WORDS, SPEAKERS)
def test_plain_words_are_left_as_they_are(words, speaker):
    said = " ".join(words) + ("?" if speaker == "person" else ".")
    assert parse_utterance(said, speaker) == Utterance(said, (0, len(said)), ())


@settings(deadline=None, max_examples=200)
@given(MESSY)
def test_any_text_has_a_number_of_questions_and_is_a_farewell_or_not(text):
    assert question_count(text) >= 0
    assert is_farewell(text) in {True, False}


@pytest.mark.parametrize(
    "unit",
    [
        "Person: What is W?\n",
        "word ",
        "窗口有多大？",
        "What? Bot: ",
        '"',
        "**",
        "(a",
        "</s>",
        "<think>",
        "1. a? ",
        "- User: x\n",
        "Summary: x\n",
        "\n",
        "Note: x\n\n",
        "《",
        "thanks, ",
        "A: x\n",
        "```\n",
        "我的",
    ],
)
@pytest.mark.parametrize("speaker", ["person", "bot"])
def test_time_is_linear_in_the_length(unit, speaker):
    def seconds(times: int) -> float:
        best = 60.0
        for _ in range(3):
            start = time.process_time()
            parse_utterance(unit * times, speaker)
            question_count(unit * times)
            is_farewell(unit * times)
            best = min(best, time.process_time() - start)
        return best

    short = seconds(1_000)
    # eight times the length: twenty times the time leaves room for a busy machine
    assert seconds(8_000) < max(20 * short, 0.05)
