"""Questions that fit any text, several in one turn, and answers that are none."""

from __future__ import annotations

import pytest
from selfplay_samples import DEFAULT, MISSING, sample

from generator.filters.selfplay import (
    SelfPlayFilterSettings,
    generic_questions,
    is_generic_question,
    several_questions,
    unanswerable,
)

GENERIC = [
    "What is the paper about?",
    "What is it about?",
    "What's this article about?",
    "What is the main contribution of this paper?",
    "What are the key findings?",
    "What are the main results of the study?",
    "Can you summarize the paper?",
    "What problem does the paper address?",
    "What do the authors propose?",
    "What is the goal of the research?",
    "Can you tell me more about the paper?",
    "Tell me more.",
    "Could you please elaborate?",
    "What conclusions do the authors draw from it?",
    "这篇论文主要讲了什么？",
    "本文的主要贡献是什么？",
    "论文的核心思想是什么？",
    "文章的研究目的是什么？",
    "作者得出了什么结论？",
    "请问这篇文章的主题是什么？",
    "该研究解决了什么问题？",
    "能否概括一下全文内容？",
    "你能再详细说一下吗？",
]

SPECIFIC = [
    "How does RailSpin store the energy?",
    "What is the main contribution of the flywheel to the savings?",
    "How fast is it?",
    "Why?",
    "Which trams were converted?",
    "What limitations does it have on flat lines?",
    "What results did the trial in the city give?",
    "How does the paper choose the window?",
    "Who are the authors?",
    "Is it better than a battery?",
    "What is a flywheel?",
    "",
    "飞轮如何储存能量？",
    "它有多快？",
    "为什么？",
    "试验是在哪座城市进行的？",
    "论文中的飞轮有多重？",
    "作者如何选择轴承？",
    "与电池相比有什么优点？",
    "窗の大きさは何ですか？",
    "Was ist das Ziel der Schwungmasse?",
]


@pytest.mark.parametrize("question", GENERIC)
def test_questions_that_fit_any_text_are_generic(question):
    assert is_generic_question(question)


@pytest.mark.parametrize("question", SPECIFIC)
def test_questions_that_name_something_are_not_generic(question):
    assert not is_generic_question(question)


@pytest.mark.parametrize(
    ("lang", "first", "second"),
    [
        ("en", "What is the paper about?", "What are the main findings?"),
        ("zh", "这篇论文讲了什么？", "主要贡献是什么？"),
    ],
)
def test_one_generic_question_passes_and_two_do_not(lang, first, second):
    one = generic_questions(sample(lang, questions={0: first}), DEFAULT)
    assert one.reasons == ()
    assert one.measures == {"generic_questions": 1, "generic_share": 0.25}
    two = generic_questions(sample(lang, questions={0: first, 1: second}), DEFAULT)
    assert [reason.code for reason in two.reasons] == ["generic_questions"]
    assert two.measures == {"generic_questions": 2, "generic_share": 0.5}
    strict = SelfPlayFilterSettings(max_generic_questions=0)
    assert generic_questions(sample(lang, questions={0: first}), strict).reasons
    assert not generic_questions(sample(lang), strict).reasons


@pytest.mark.parametrize(
    ("lang", "turn"),
    [
        ("en", "How heavy is it? And who built it?"),
        ("zh", "它有多重？又是谁造的呢？"),
    ],
)
def test_two_questions_in_one_turn_are_one_too_many(lang, turn):
    sound = several_questions(sample(lang), DEFAULT)
    assert sound.reasons == ()
    assert sound.measures == {"questions_per_turn_max": 1}
    double = several_questions(sample(lang, questions={2: turn}), DEFAULT)
    assert [(reason.code, reason.stage) for reason in double.reasons] == [
        ("merged_questions", "filter")
    ]
    assert "turn 5" in double.reasons[0].detail
    assert double.measures == {"questions_per_turn_max": 2}
    relaxed = SelfPlayFilterSettings(max_questions_per_turn=2)
    assert several_questions(sample(lang, questions={2: turn}), relaxed).reasons == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("missing", "code", "at"),
    [
        ((), None, ""),
        ((3,), None, "8"),
        ((1, 3), None, "4,8"),
        ((0, 1, 3), "too_many_unanswerable", "2,4,8"),
        ((0, 1, 2, 3), "all_unanswerable", "2,4,6,8"),
    ],
)
def test_missing_answers_are_marked_and_not_too_many(lang, missing, code, at):
    result = unanswerable(sample(lang, answers=dict.fromkeys(missing, MISSING[lang])), DEFAULT)
    assert [reason.code for reason in result.reasons] == ([code] if code else [])
    assert result.measures == {
        "unanswerable_turns": len(missing),
        "unanswerable_share": len(missing) / 4,
        "unanswerable_at": at,
    }


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dialogue_without_any_answer_is_refused_whatever_the_share(lang):
    every = SelfPlayFilterSettings(max_unanswerable_share=1.0)
    none = SelfPlayFilterSettings(max_unanswerable_share=0.0)
    all_missing = sample(lang, answers=dict.fromkeys(range(4), MISSING[lang]))
    one_missing = sample(lang, answers={1: MISSING[lang]})
    assert [r.code for r in unanswerable(all_missing, every).reasons] == ["all_unanswerable"]
    assert unanswerable(one_missing, every).reasons == ()
    assert [r.code for r in unanswerable(one_missing, none).reasons] == ["too_many_unanswerable"]
