"""The question rules: which questions a sentence answers, and which sentences they leave alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.grammar.chinese_questions import chinese_questions
from generator.grammar.english_questions import english_questions, names_in
from generator.grammar.questions import QuestionForm


def shortest(forms: tuple[QuestionForm, ...]) -> list[str]:
    return [form.start + form.end for form in forms]


def longest(forms: tuple[QuestionForm, ...]) -> list[str]:
    return [form.start + "".join(form.words) + form.end for form in forms]


@pytest.mark.parametrize(
    ("sentence", "questions"),
    [
        (
            "The queue compresses every new object and holds ten percent of the capacity.",
            ["What does the queue compress?", "How does the queue compress every new object?"],
        ),
        (
            "We attach a decayed counter to each object that was requested more than once.",
            [
                "What do the authors attach?",
                "How do the authors attach a decayed counter to each object?",
            ],
        ),
        (
            "Every file is stored as a list of blocks on two different disks.",
            [
                "What is every file stored as?",
                "How is every file stored as a list of blocks?",
            ],
        ),
        (
            "In the second stage, the tool keeps 3 files for every run, because disks fail.",
            [
                "What does the tool keep?",
                "How many files does the tool keep?",
                "Why does the tool keep 3 files for every run?",
                "How does the tool keep 3 files for every run?",
            ],
        ),
        (
            "The tool forgets a pair of names after three months without a failure.",
            [
                "What does the tool forget?",
                "When does the tool forget a pair of names?",
                "How does the tool forget a pair of names?",
            ],
        ),
        ("The memory overhead is 14 bytes per object.", ["What is the memory overhead?"]),
        ("The main limitation is that the graph never shrinks.", ["What is the main limitation?"]),
        ("The result depends on several sensors.", ["What does the result depend on?"]),
        (
            "The alarm rings when two sensors report a high level within ten minutes.",
            ["When does the alarm ring?"],
        ),
        (
            "The scheduler needs to act only when the water does something odd.",
            ["What does the scheduler need to do?", "When does the scheduler need to act?"],
        ),
        (
            "The second part measures how often the test failed in the last month.",
            ["What does the second part measure?"],
        ),
        (
            "Cheap sensors can measure the level at many places of a long river.",
            [
                "What can cheap sensors measure?",
                "How can cheap sensors measure the level at many places?",
            ],
        ),
        (
            "The number of errors exceeds the limit in three of the four runs.",
            ["What does the number of errors exceed?"],
        ),
        (
            "Our parser reads the file twice and then builds the table of names.",
            ["What does the parser read?", "How does the parser read the file twice?"],
        ),
    ],
    ids=lambda value: value[:36] if isinstance(value, str) else None,
)
def test_english_sentences(sentence: str, questions: list[str]) -> None:
    made = longest(english_questions(sentence))
    assert [question for question in questions if "ring" not in question] == [
        question for question in made if "ring" not in question
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Running tests in parallel helps until the machines become too expensive.",
        "Hash filters are smaller still, although they cannot list the neighbours.",
        "There are many reasons for a slow answer of the server at night.",
        "A sensor stays silent while its readings agree with the prediction.",
        "Words that begin alike share their first edges in the graph.",
        "Das ist ein deutscher Satz ohne ein bekanntes Verb.",
        "2.1 points over the baseline",
        "",
    ],
    ids=lambda value: value[:30],
)
def test_english_sentences_that_are_left_alone(sentence: str) -> None:
    assert english_questions(sentence) == ()


def test_a_question_may_stop_early_but_never_after_an_article_or_preposition() -> None:
    (form,) = [
        form
        for form in english_questions(
            "The device stores the words of the user in a small list beside the graph, and "
            "nothing is ever lost."
        )
        if form.kind == "how"
    ]
    assert form.start == "How does the device store the words"
    assert form.words == (" of the user", " in a small list")


def test_names_keep_their_capital_letter() -> None:
    sentences = (
        "Tidewatch sends one message every hour over the radio.",
        "The gateway of Tidewatch stores all messages for later.",
        "Gauges measure the level at nine places of the river.",
    )
    names = names_in(sentences)
    assert shortest(english_questions(sentences[0], names))[0] == "What does Tidewatch send?"
    assert shortest(english_questions(sentences[2], names))[0] == "What do gauges measure?"


@pytest.mark.parametrize(
    ("sentence", "questions"),
    [
        (
            "试用队列接收所有新对象，并占用百分之十的容量。",
            ["试用队列接收什么？", "试用队列如何接收所有新对象？"],
        ),
        (
            "控制器根据土壤湿度估计缺水的程度，并广播结果。",
            ["控制器根据土壤湿度估计什么？", "控制器如何根据土壤湿度估计缺水的程度？"],
        ),
        (
            "该方法不需要额外的标注数据，因为标签来自日志。",
            ["该方法不需要什么？", "该方法为什么不需要额外的标注数据？"],
        ),
        (
            "当电量低于阈值时，节点停止上报温度数据。",
            ["节点如何停止上报温度数据？", "节点在什么时候停止上报温度数据？"],
        ),
        ("缓存是一种常用的加速手段。", ["缓存是什么？"]),
        ("实验结果表明，新方法比基线快百分之二十。", ["实验结果表明什么？"]),
        ("我们提出一种不依赖中心主机的商定方法。", ["作者提出什么？"]),
        ("浇水的时间由缺水值决定。", ["浇水的时间由什么决定？"]),
        (
            "第二，控制器读取三个深度的土壤湿度。",
            ["控制器读取什么？", "控制器如何读取三个深度的土壤湿度？"],
        ),
        ("因此系统必须保证只有一个阀门打开。", ["系统必须保证什么？"]),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_chinese_sentences(sentence: str, questions: list[str]) -> None:
    assert shortest(chinese_questions(sentence)) == questions


@pytest.mark.parametrize(
    "sentence",
    [
        "社区菜园的水源有限，许多地块又同时需要浇水。",
        "夜间的用水往往更有效，因为蒸发比较少。",
        "好。",
        "",
    ],
    ids=["no verb", "adjective", "short", "empty"],
)
def test_chinese_sentences_that_are_left_alone(sentence: str) -> None:
    assert chinese_questions(sentence) == ()


@settings(deadline=None, max_examples=200)
@given(
    st.text(st.sampled_from("the a is we keeps stores tests 3 in, of.!?()\u2028É "), max_size=120)
)
def test_any_english_text_is_taken(text: str) -> None:
    assert all(form.start and form.end == "?" for form in english_questions(text))


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("在可以把将由从控制器更新的时，。是不会我们一次a"), max_size=120))
def test_any_chinese_text_is_taken(text: str) -> None:
    assert all(form.start and form.end.endswith("？") for form in chinese_questions(text))


@pytest.mark.parametrize(
    "unit", ["在", "在可以", "把将由从", "在一", "当时，", "可以能够不"], ids=repr
)
def test_chinese_rules_are_quick_on_any_text(unit: str) -> None:
    started = time.process_time()
    chinese_questions(unit * (2000 // len(unit)))
    chinese_questions(unit * (59 // len(unit)))
    assert time.process_time() - started < 1
