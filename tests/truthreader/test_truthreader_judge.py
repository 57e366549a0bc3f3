"""The judge of citations: what it is asked, how its answers are read, and what they count for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cited_corpus import read_lines, script_lines, write_script
from cited_runs import COUNT, PLAIN, Made

from generator.recipes.truthreader.entailment import (
    Check,
    Statement,
    entailment,
    next_check,
    read_verdict,
    statements_of,
)
from generator.refiltering import refilter
from generator.run_directory import RunDirectory
from generator.store import RunStore

JUDGED = replace(PLAIN, judge=True, unanswerable_share=0.0, history_mix="0:1")


@pytest.mark.parametrize(
    ("raw", "verdict"),
    [
        ("Yes", True),
        ("yes.", True),
        ("**Yes**", True),
        ("Yes, the passage says so.", True),
        ("<think>It might, or not. No.</think>\nYes", True),
        ("No", False),
        ("no, because it says the opposite: yes", False),
        ("NO.", False),
        ("Not supported.", False),
        ("是", True),
        ("是的，段落里说了。", True),
        ("支持。", True),
        ("否", False),
        ("否。段落没有提到。", False),
        ("不支持", False),
        ("不是。", False),
        ("Yesterday it was different", None),
        ("Nobody knows", None),
        ("Yes and no", None),
        ("It is hard to say", None),
        ("是不是这样很难说", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_verdict_is_read_strictly(raw: str, verdict: bool | None) -> None:
    assert read_verdict(raw) is verdict


def told(statements: tuple[Statement, ...], holds: dict[Check, bool]) -> dict[Check, bool | None]:
    """Ask until nothing is wanted any more; what is not in `holds` is answered with no."""
    verdicts: dict[Check, bool | None] = {}
    while (check := next_check(statements, verdicts)) is not None:
        verdicts[check] = holds.get(check, False)
    return verdicts


def test_sentences_are_asked_about_without_their_markers() -> None:
    found = statements_of(
        "One is red[1]. Two are blue[3][2]. Three are odd[9]. "
        "The fourth barn is painted green every spring.",
        3,
    )
    assert found == (
        Statement("One is red.", (1,)),
        Statement("Two are blue.", (3, 2)),
        Statement("Three are odd.", ()),
        Statement("The fourth barn is painted green every spring.", ()),
    )


def test_recall_and_precision_are_those_of_alce() -> None:
    both = Statement("Both are needed.", (1, 2))
    one = Statement("One is enough, the other idle.", (1, 3))
    alone = Statement("Alone and right.", (2,))
    wrong = Statement("Not so.", (1,))
    bare = Statement("No marker.", ())
    statements = (both, one, alone, wrong, bare)
    verdicts = told(
        statements,
        {
            Check(both.text, (1, 2)): True,
            Check(one.text, (1, 3)): True,
            Check(one.text, (1,)): True,
            Check(alone.text, (2,)): True,
        },
    )
    found = entailment(statements, verdicts, {both.text: True, alone.text: True, wrong.text: True})
    assert found.recall == pytest.approx(3 / 5)
    # Both markers of the first, the first of the second, that of the third; not the idle one.
    assert found.precision == pytest.approx(4 / 6, abs=1e-4)
    assert found.agreement == pytest.approx(2 / 3, abs=1e-4)
    assert found.judged == 5
    assert found.unclear == 0


def test_nothing_is_asked_that_the_verdicts_so_far_make_needless() -> None:
    refused = (Statement("No.", (1, 2, 3)),)
    assert list(told(refused, {})) == [Check("No.", (1, 2, 3))]
    single = (Statement("Yes.", (2,)),)
    assert list(told(single, {Check("Yes.", (2,)): True})) == [Check("Yes.", (2,))]


def judged_run(corpus: Made, tmp_path: Path, verdict: str, **more: Any) -> Path:
    lines = script_lines(COUNT, corpus.lang)
    lines[0]["text"] = verdict
    script = write_script(tmp_path / "judged.jsonl", lines)
    corpus.run(tmp_path / "run", more.pop("options", JUDGED), model=f"scripted:{script}", **more)
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("verdict", "share"),
    [pytest.param("Yes", 1.0, id="yes"), pytest.param("否", 0.0, id="no")],
)
def test_verdicts_are_stored_as_calls_and_counted(
    corpus: Made, tmp_path: Path, verdict: str, share: float
) -> None:
    run = judged_run(corpus, tmp_path, verdict)
    origins = read_lines(run / "provenance.jsonl")
    assert len(origins) == COUNT
    for origin in origins:
        measures = origin["measures"]
        assert measures["judge_recall"] == measures["judge_precision"] == share
        assert measures["judge_agreement"] == share
        assert measures["judged_sentences"] == 1
        assert set(origin["roles"]) == {"asker", "answerer", "judge"}
    store = RunStore(run / "store.sqlite", create=False, writable=False)
    judge = [store.find_call(o["calls"][-1], item=o["item"]) for o in origins]
    store.close()
    assert {call.completion.text for call in judge if call is not None} == {verdict}
    before = (run / "provenance.jsonl").read_bytes()
    assert refilter(run).moved == {}
    assert (run / "provenance.jsonl").read_bytes() == before


def test_an_unclear_verdict_counts_for_neither_side(corpus: Made, tmp_path: Path) -> None:
    run = judged_run(corpus, tmp_path, "Hm.")
    for origin in read_lines(run / "provenance.jsonl"):
        assert "judge_recall" not in origin["measures"]
        assert origin["measures"]["unclear_verdicts"] == 1


def test_a_judge_that_is_given_a_model_is_asked_and_none_otherwise(
    corpus: Made, tmp_path: Path
) -> None:
    options = replace(JUDGED, judge=False)
    role = {"judge": f"scripted:{corpus.script}"}
    run = judged_run(corpus, tmp_path, "Yes", options=options, roles=role)
    settings = RunDirectory(run).read_manifest()["settings"]
    assert settings["options"]["judge"] is True
    assert "judge" in settings["roles"]
    corpus.run(tmp_path / "without", options)
    settings = RunDirectory(tmp_path / "without").read_manifest()["settings"]
    assert set(settings["roles"]) == {"asker", "answerer"}
