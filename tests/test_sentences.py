"""Sentence splitting: English, Chinese, and what looks like an end but is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.sentences import is_cjk, one_line, sentence_spans, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("One. Two.", ["One.", "Two."], id="two"),
        pytest.param("No end here", ["No end here"], id="no mark"),
        pytest.param("Is it? Yes! Good.", ["Is it?", "Yes!", "Good."], id="question and call"),
        pytest.param(
            "Roe et al. show this. We do not.",
            ["Roe et al. show this.", "We do not."],
            id="et al.",
        ),
        pytest.param(
            "Roe et al. (2019) agree. Next.",
            ["Roe et al. (2019) agree.", "Next."],
            id="et al. year",
        ),
        pytest.param(
            "Some filters, e.g. Bloom filters, i.e. bit sets, help. Others do not.",
            ["Some filters, e.g. Bloom filters, i.e. bit sets, help.", "Others do not."],
            id="e.g. and i.e.",
        ),
        pytest.param(
            "See Fig. 2 and Eq. 3 in Sec. 4. Then stop.",
            ["See Fig. 2 and Eq. 3 in Sec. 4.", "Then stop."],
            id="figure, equation, section",
        ),
        pytest.param("It costs 3.5 dollars. Yes.", ["It costs 3.5 dollars.", "Yes."], id="decimal"),
        pytest.param(
            "J. R. Smith wrote it. Good.", ["J. R. Smith wrote it.", "Good."], id="initials"
        ),
        pytest.param(
            "It works well.[3] It is fast. [4, 5] Done [6].",
            ["It works well.[3]", "It is fast. [4, 5]", "Done [6]."],
            id="citations",
        ),
        pytest.param('He said "Go." Then he went.', ['He said "Go."', "Then he went."], id="quote"),
        pytest.param("It ended (at last). Good.", ["It ended (at last).", "Good."], id="bracket"),
        pytest.param(
            "Pens, paper, etc. are sold.", ["Pens, paper, etc. are sold."], id="etc. inside"
        ),
        pytest.param("Pens, paper, etc. We buy.", ["Pens, paper, etc.", "We buy."], id="etc. last"),
        pytest.param(
            "Is it so? No. It is not.", ["Is it so?", "No.", "It is not."], id="answer no"
        ),
        pytest.param("No. 5 is odd. Good.", ["No. 5 is odd.", "Good."], id="number no."),
        pytest.param("1. First point. 2. Second.", ["1. First point.", "2. Second."], id="list"),
        pytest.param(
            "Use v. 2.0.1 of x.y. Then run.", ["Use v. 2.0.1 of x.y.", "Then run."], id="dots"
        ),
        pytest.param(
            "A line\nbroken in two. End.", ["A line broken in two.", "End."], id="wrapped"
        ),
        pytest.param("2 Method\nWe do it.", ["2 Method", "We do it."], id="heading"),
        pytest.param("A title\n\nText here.", ["A title", "Text here."], id="blank line"),
        pytest.param(
            "准确率很高。速度也快！真的吗？", ["准确率很高。", "速度也快！", "真的吗？"], id="zh"
        ),
        pytest.param("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"], id="zh quote"),
        pytest.param("“好！”，他说。", ["“好！”，他说。"], id="zh quote goes on"),
        pytest.param("误差为3.5％。见图2.1。", ["误差为3.5％。", "见图2.1。"], id="zh decimal"),
        pytest.param("真的吗？！是的。", ["真的吗？！", "是的。"], id="zh two marks"),
        pytest.param(
            "控制器根据三个深度的土壤湿度来估计地块缺\n水的程度。完。",
            ["控制器根据三个深度的土壤湿度来估计地块缺水的程度。", "完。"],
            id="zh wrapped",
        ),
        pytest.param("3 方法\n本文提出轮水。", ["3 方法", "本文提出轮水。"], id="zh heading"),
        pytest.param("يعمل جيدا؟ نعم۔", ["يعمل جيدا؟", "نعم۔"], id="arabic"),
        pytest.param("यह काम करता है। हाँ।", ["यह काम करता है।", "हाँ।"], id="devanagari"),
        pytest.param("", [], id="empty"),
        pytest.param(" \n\t\u3000 ", [], id="white space"),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert list(split_sentences(text)) == sentences


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet='aB1.。!?？\n \t"”)[]，中,', max_size=60))
def test_spans_are_ordered_and_leave_out_only_white_space(text: str) -> None:
    spans = sentence_spans(text)
    position = 0
    for start, end in spans:
        assert text[position:start].strip() == ""
        assert text[start:end].strip() == text[start:end] != ""
        position = end
    assert text[position:].strip() == ""


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    assert all(sentence == one_line(sentence) for sentence in split_sentences(text))


@pytest.mark.parametrize(
    "unit", [". ", "。", "\n", "[1] ", '."', "A. ", ". [1", "\n \t", "x\n", "中 ", "1. "], ids=repr
)
def test_time_is_linear(unit: str) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        sentence_spans(unit * count)
        return time.process_time() - started

    small = max(min(seconds(20_000) for _ in range(3)), 0.002)
    # Eight times the text; a quadratic scan would take 64 times as long.
    assert seconds(160_000) < 30 * small


def test_cjk_characters() -> None:
    assert all(map(is_cjk, "中。，ア𠀀"))
    assert not any(map(is_cjk, "a.é\u2028😀"))
