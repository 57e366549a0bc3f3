"""The course of one item as a pure function of its answers so far."""

from __future__ import annotations

import pytest

from generator.recipes.model import Answer
from generator.recipes.truthreader.content import Assignment, Exchange, Source
from generator.recipes.truthreader.course import Course, follow, uncited
from generator.values import Completion

GOLD = Source("g", "Lock", "The lock has two gates.", "g", "a.jsonl", 1)
OTHER = Source("o", "Weir", "The weir is old.", "o", "a.jsonl", 2)
ITEM = Assignment(
    id="g",
    seed=1,
    number=0,
    question_type="fact",
    answerable=True,
    shown=(OTHER, GOLD),
    gold=(GOLD,),
    history=(Exchange(OTHER, "topic"), Exchange(GOLD, "fact")),
)
SAID = (
    "the weir and its age",
    "The weir is old [1].",
    "How many gates has the lock?",
    "It has two gates【1】。",
    "Which gate is opened first?",
    "The upper one[2].",
)


def course(*texts: str, retries: int = 2, finish: str = "stop") -> Course:
    """The course after these answers; who gave them makes no difference to reading."""
    answers = [Answer("", f"k{n}", "i", "", Completion(t, finish)) for n, t in enumerate(texts)]
    return follow(ITEM, answers, retries)


def test_each_call_sees_what_was_said_before_it() -> None:
    wanted = [course(*SAID[:n]).wanted for n in range(6)]
    assert [w and w.role for w in wanted] == ["asker", "answerer"] * 3
    assert [w and [s.id for s in w.documents] for w in wanted] == [
        ["o"], ["o"], ["g"], ["g"], ["g"], ["o", "g"],
    ]  # fmt: skip
    assert [w and len(w.history) for w in wanted] == [0, 0, 2, 2, 4, 4]
    assert [w and w.question_type for w in wanted] == ["topic", "topic", "fact", "fact"] + [
        "fact"
    ] * 2
    assert [w and w.last for w in wanted] == [False] * 4 + [True] * 2


def test_a_whole_course_has_a_history_without_citations_and_a_raw_answer() -> None:
    found = course(*SAID)
    assert found.wanted is None
    assert found.fault is None
    assert found.history == (
        "the weir and its age",
        "The weir is old.",
        "How many gates has the lock?",
        "It has two gates。",
    )
    assert (found.question, found.answer) == (SAID[4], SAID[5])
    assert (found.answers, found.answer_start) == (6, 0)


@pytest.mark.parametrize("place", range(6))
@pytest.mark.parametrize(
    "bad",
    ["", "...", "<think>so</think>", "As an AI language model, I cannot help with that."],
    ids=["nothing", "dots", "thoughts alone", "declined"],
)
def test_a_faulty_answer_is_asked_for_again_and_then_given_up(place: int, bad: str) -> None:
    before = SAID[:place]
    again = course(*before, bad)
    first = course(*before)
    assert again.wanted is not None
    assert first.wanted is not None
    assert (again.wanted.attempt, again.wanted.role) == (1, first.wanted.role)
    mended = course(*before, bad, *SAID[place:])
    assert mended.answer == SAID[5]
    assert mended.asked_again == 1
    lost = course(*before, bad, bad, bad)
    assert lost.wanted is None
    assert lost.fault is not None
    assert lost.fault.stage == "turn"
    assert "asked 3 times" in lost.fault.detail
    assert course(*before, bad, retries=0).fault is not None


def test_a_cut_off_answer_is_no_answer() -> None:
    found = course(*SAID, finish="length")
    assert found.fault is not None
    assert found.fault.code == "truncated"


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("One[1]. Two【1】。", "One. Two。"),
        ("Set `a[1]` to 0 first.", "Set `a[1]` to 0 first."),
        ("No markers here.", "No markers here."),
    ],
    ids=["markers", "code", "none"],
)
def test_markers_are_taken_out_and_nothing_else(answer: str, plain: str) -> None:
    assert uncited(answer, 1) == plain
