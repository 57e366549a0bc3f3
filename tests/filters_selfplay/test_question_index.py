"""Questions across the corpus: what is found again, what is not, and how much it weighs."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.filters.selfplay import (
    QuestionIndex,
    QuestionMatch,
    SelfPlayFilterSettings,
    repeated_in_corpus,
)

SAME = [
    ("How is the window of the cache chosen?", "how is the cache's window chosen"),
    ("How is the window of the cache chosen?", "In the paper, how is the cache window chosen?"),
    ("Which caches choose windows?", "Which cache chooses its window?"),
    ("缓存的窗口是如何选择的？", "缓存窗口怎么选择呢？"),
    ("论文用哪些数据集训练模型？", "论文用什么数据集训练模型"),
    ("Как выбирается размер окна кэша?", "как выбирается размер окна кэша"),
    ("キャッシュの窓はどう選ばれますか？", "キャッシュの窓はどう選ばれますか"),
]
OTHER = [
    ("How is the window of the cache chosen?", "How is the size of the cache chosen?"),
    ("How is the cache window chosen?", "Who chose the cache window?"),
    ("缓存的窗口是如何选择的？", "缓存的队列是如何选择的？"),
    ("How fast is it?", "How fast is it?"),
    ("它有多快？", "它有多快？"),
    ("Why?", "Why?"),
]


@pytest.mark.parametrize(("first", "again"), SAME)
def test_a_question_in_other_dress_is_found(first, again):
    index = QuestionIndex()
    assert index.add([first]) == []
    assert index.add(["Is there something else to say on bears?", again]) == [
        QuestionMatch(1, 0, exact=True)
    ]


@pytest.mark.parametrize(("first", "other"), OTHER)
def test_another_question_or_one_that_leans_on_its_dialogue_is_not_found(first, other):
    index = QuestionIndex()
    index.add([first])
    assert index.find([other]) == []


def test_one_more_word_on_five_is_found_and_on_four_is_not():
    index = QuestionIndex()
    index.remember(["Which trams with flywheels cross hilly cities?"])
    index.remember(["Which trams cross cities?"])
    longer = "Which trams with flywheels cross hilly cities slowly?"
    assert index.find([longer]) == [QuestionMatch(0, 0, exact=False)]
    assert index.find(["Which trams cross northern cities?"]) == []


def test_finding_remembers_nothing_and_the_first_dialogue_keeps_a_question():
    index = QuestionIndex()
    question = "Which trams cross hilly cities?"
    assert index.find([question]) == []
    assert len(index) == 0
    for _ in range(3):
        index.remember([question])
    assert len(index) == 1
    assert index.find([question]) == [QuestionMatch(0, 0, exact=True)]


def test_questions_within_one_dialogue_are_not_compared_with_each_other():
    index = QuestionIndex()
    question = "Which trams cross hilly cities?"
    assert index.add([question, question]) == []


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.text(max_size=30), max_size=4), max_size=30))
def test_the_same_questions_in_the_same_order_give_the_same_matches(dialogues):
    first, second = QuestionIndex(), QuestionIndex()
    for questions in dialogues:
        assert first.find(questions) == first.add(questions)
        second.remember(questions)
    assert len(first) == len(second)
    assert [first.find(questions) for questions in dialogues] == [
        second.find(questions) for questions in dialogues
    ]


def test_thousands_of_questions_are_all_found_and_weigh_a_few_bytes_each():
    words = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in "bdfgklmnpr"]
    many = [
        f"Which {words[i % 600]} crosses the {words[i * 7 % 600]} near {i}?" for i in range(12_000)
    ]
    tracemalloc.start()
    index = QuestionIndex()
    for start in range(0, len(many), 4):
        index.remember(many[start : start + 4])
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(index) == len(many)
    assert used / len(many) < 40
    assert index.find([many[-1], many[0]]) == [
        QuestionMatch(0, 2999, exact=True),
        QuestionMatch(1, 0, exact=True),
    ]


def test_a_dialogue_is_refused_when_more_than_half_of_it_was_asked():
    asked = [
        "Which trams cross hilly cities?",
        "Which flywheels need new bearings?",
        "它在哪座山城进行试验？",
        "飞轮的轴承多久更换一次？",
    ]
    index = QuestionIndex()
    index.remember(asked[:2])
    index.remember(asked[2:3])
    allowed = SelfPlayFilterSettings()
    half = ["How large is the vacuum chamber?", *asked[:2], "Who paid for the new trams?"]
    assert repeated_in_corpus(half, index.find(half), allowed).reasons == ()
    result = repeated_in_corpus(asked, index.find(asked), allowed, ["a", "a", "b"])
    assert [(reason.stage, reason.code) for reason in result.reasons] == [
        ("corpus", "repeated_in_corpus")
    ]
    assert "in a" in result.reasons[0].detail
    assert result.measures == {"corpus_repeats": 3, "corpus_repeat_share": 0.75}
    assert repeated_in_corpus([], [], allowed).measures == {}
