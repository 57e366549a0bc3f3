"""What-if says before what refilter gives afterwards: sample by sample, for any change."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from judged_runs import make_run, places, varied_answers, view_bytes

from generator.deciding import decide
from generator.refiltering import refilter
from generator.whatif import JudgingChanges, WhatIf, what_if

CODES = ("loop", "echo", "truncated", "ungrounded", "repeated_question", "repeated_answer",
         "duplicate_dialogue", "short_summary", "no_question", "too_few_turns", "refusal",
         "label_residue", "wrong_language", "overlong_turn")  # fmt: skip
SHARES = st.sampled_from([0.0, 0.05, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 1.0])
FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "off": st.lists(st.sampled_from(CODES), max_size=4, unique=True),
        "min_pairs": st.integers(0, 4),
        "min_summary_tokens": st.integers(0, 20),
        "max_summary_tokens": st.integers(5, 60),
        "max_summary_coverage": SHARES,
        "max_question_tokens": st.integers(3, 20),
        "max_answer_tokens": st.integers(3, 60),
        "max_loop_share": SHARES,
        "max_run_tokens": st.integers(1, 20),
        "max_echo": SHARES,
        "max_question_answer_overlap": SHARES,
        "max_question_similarity": SHARES,
        "max_content_overlap": SHARES,
        "max_answer_similarity": SHARES,
        "min_grounding": SHARES,
        "min_grounding_units": st.integers(0, 8),
        "max_example_leaks": st.integers(0, 2),
        "min_prompt_echo_tokens": st.integers(2, 12),
        "min_language_share": SHARES,
        "min_language_letters": st.integers(0, 30),
    },
)
WORDS = st.fixed_dictionaries(
    {},
    optional={
        "summary_labels": st.sampled_from([("Nutshell",), ("nutshell", "Gist of it"), ()]),
        "person_labels": st.sampled_from([("Quidam",), ("Onlooker 3", "Reader No 1"), ()]),
        "bot_labels": st.sampled_from([("Scriptor",), ("Person",), ()]),
        "patterns": st.sampled_from([(r"person:onlooker \d+",), (r"person:\w+ no 1",), ()]),
    },
)
CHANGES = st.builds(
    JudgingChanges,
    parser=st.sampled_from([None, None, None, "original", "dialogsmith"]),
    words=WORDS,
    filters=FILTERS,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_run(tmp_path_factory.mktemp("varied"), varied_answers())
    found = set(places(made).values())
    assert {"accepted", "missing_summary", "duplicate_dialogue", "ungrounded", "loop"} <= found
    return made


@pytest.fixture
def copied(run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(run, tmp_path / "run"))


def moves(before: dict[str, str], after: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {key: (old, after[key]) for key, old in before.items() if old != after[key]}


def check(run: Path, changes: JudgingChanges, **options: Any) -> WhatIf:
    """What-if first, then refilter; both must say the same of every sample."""
    before, files = places(run), view_bytes(run)
    told = what_if(run, changes, **options)
    assert view_bytes(run) == files
    assert places(run) == before
    done = refilter(run, parser=changes.parser, filters=changes.filters, words=changes.words)
    after = places(run)
    assert dict(told.moves) == dict(done.moved)
    assert {m.key: (m.before, m.after) for m in told.page(limit=1000)} == moves(before, after)
    assert told.after.accepted == done.counts["accepted"]
    assert told.after.rejected == done.counts["rejected"]
    assert told.before.accepted == list(before.values()).count("accepted")
    return told


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(first=CHANGES, then=CHANGES)
@example(
    first=JudgingChanges(filters={"off": ["echo", "loop"]}),
    then=JudgingChanges(filters={"off": []}),
)
@example(
    first=JudgingChanges(filters={"max_echo": 0.1}), then=JudgingChanges(filters={"max_echo": 0.3})
)
@example(
    first=JudgingChanges(words={"summary_labels": ["Nutshell"]}),
    then=JudgingChanges(parser="original"),
)
def test_what_if_is_what_refilter_gives(
    run: Path, tmp_path: Path, first: JudgingChanges, then: JudgingChanges
) -> None:
    target = tmp_path / "again"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run, target)
    check(target, first)
    check(target, then)


def test_decisions_are_part_of_it(copied: Path) -> None:
    by_place = {place: key for key, place in places(copied).items()}
    decide(copied, by_place["missing_summary"], "accept", edited={
        "summary": "A gauge.",
        "turns": [{"speaker": "person", "text": "Why?"}, {"speaker": "bot", "text": "So."}],
    })  # fmt: skip
    decide(copied, next(k for k, p in places(copied).items() if p == "accepted"), "refuse")
    told = check(copied, JudgingChanges(filters={"max_echo": 0.05}))
    assert told.after.accepted >= 1
    check(copied, JudgingChanges(filters={"max_echo": 0.6}))


def test_worker_processes_give_the_same(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.whatif.simulation._WORTH_A_CREW", 1)
    changes = JudgingChanges(parser="original", filters={"max_echo": 0.4})
    alone, crew = what_if(copied, changes, workers=0), what_if(copied, changes, workers=2)
    assert alone.page(limit=1000) == crew.page(limit=1000)
    assert crew.reread == len(places(copied))
    check(copied, changes, workers=2)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(JudgingChanges(filters={"max_answer_tokens": 8}), id="a measured threshold"),
        pytest.param(JudgingChanges(filters={"off": ["loop", "ungrounded"]}), id="filters off"),
        pytest.param(JudgingChanges(filters={"min_summary_tokens": 12}), id="summary lengths"),
        pytest.param(JudgingChanges(filters={"max_example_leaks": 0}), id="no example in use"),
    ],
)
def test_what_the_measures_prove_is_not_read_again(copied: Path, changes: JudgingChanges) -> None:
    assert check(copied, changes).reread == 0


def test_a_label_concerns_only_the_answers_it_stands_in(copied: Path) -> None:
    told = check(copied, JudgingChanges(words={"summary_labels": ["Nutshell"]}))
    assert told.moves[("missing_summary", "accepted")] >= 1
    assert 3 <= told.reread <= 6
