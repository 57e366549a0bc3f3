"""What-if and decisions over self-play, where questions are compared across the corpus."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from judged_runs import make_talks, places, varied_talks, view_bytes

from generator.deciding import decide, undo
from generator.recipes.selfplay import SelfPlayOptions
from generator.refiltering import refilter
from generator.run_directory import RunDirectory
from generator.store import RunStore
from generator.views import write_views
from generator.whatif import JudgingChanges, what_if

SHARES = st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0])
FILTERS = st.fixed_dictionaries(
    {},
    optional={
        "off": st.lists(
            st.sampled_from(["leak", "repeated_in_corpus", "generic_questions", "merged_questions",
                             "repeated_question"]), max_size=3, unique=True),
        "max_leak_share": SHARES,
        "max_leaked_phrases": st.integers(0, 4),
        "max_leaked_numbers": st.integers(0, 2),
        "min_leaked_units": st.integers(0, 6),
        "max_generic_questions": st.integers(0, 2),
        "max_unanswerable_share": SHARES,
        "min_corpus_units": st.integers(0, 6),
        "max_corpus_repeats": SHARES,
        "max_echo": SHARES,
        "min_grounding": SHARES,
        "max_content_overlap": SHARES,
    },
)  # fmt: skip
CHANGES = st.builds(
    JudgingChanges,
    words=st.sampled_from([{}, {}, {"bot_labels": ("Scriptor",)}]),
    filters=FILTERS,
)
OPEN = {"off": ["leak", "generic_questions"], "max_corpus_repeats": 0.5}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_talks(
        tmp_path_factory.mktemp("talks"), varied_talks(), options=SelfPlayOptions(rounds=2)
    )
    assert {"accepted", "leak", "repeated_in_corpus"} <= set(places(made).values())
    return made


def check(run: Path, changes: JudgingChanges) -> None:
    before = places(run)
    told = what_if(run, changes)
    done = refilter(run, parser=changes.parser, filters=changes.filters, words=changes.words)
    after = places(run)
    moved = {key: (old, after[key]) for key, old in before.items() if old != after[key]}
    assert {m.key: (m.before, m.after) for m in told.page(limit=1000)} == moved
    assert dict(told.moves) == dict(done.moved)
    assert told.after.accepted == done.counts["accepted"]


@settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(first=CHANGES, then=CHANGES, refused=st.integers(0, 7))
@example(
    first=JudgingChanges(filters=OPEN), then=JudgingChanges(filters={"max_corpus_repeats": 0.0}),
    refused=0,
)  # fmt: skip
def test_what_if_is_what_refilter_gives(
    run: Path, tmp_path: Path, first: JudgingChanges, then: JudgingChanges, refused: int
) -> None:
    target = tmp_path / "again"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run, target)
    check(target, first)
    key = list(places(target))[refused]
    if places(target)[key] == "accepted":
        decide(target, key, "refuse")
    check(target, then)


def test_a_refused_talk_frees_its_questions_and_undo_takes_them_back(
    run: Path, tmp_path: Path
) -> None:
    target = Path(shutil.copytree(run, tmp_path / "run"))
    before, files = places(target), view_bytes(target)
    first = next(key for key, place in before.items() if place == "accepted")
    result = decide(target, first, "refuse")
    assert [(s.before, s.after) for s in result.others] == [("repeated_in_corpus", "accepted")]
    found = view_bytes(target)
    store = RunStore(RunDirectory(target).store, create=False)
    write_views(RunDirectory(target), store, RunDirectory(target).read_manifest())
    store.close()
    assert found == view_bytes(target)
    undo(target, first)
    assert view_bytes(target) == files


def test_an_edited_talk_is_its_utterances_in_lines(run: Path, tmp_path: Path) -> None:
    target = Path(shutil.copytree(run, tmp_path / "run"))
    key = next(key for key, place in places(target).items() if place == "leak")
    turns = [{"speaker": "person", "text": "What?"}, {"speaker": "bot", "text": "That."}]
    decide(target, key, "accept", edited={"summary": "A gauge.", "turns": turns})
    assert '"dialogue": "What?\\nThat."' in (target / "dialogues.jsonl").read_text("utf-8")
