"""A person's word on a sample, as a library and on the command line."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from judged_runs import (
    RECIPE,
    dialogue_about,
    ids,
    make_run,
    places,
    varied_answers,
    view_bytes,
)

import generator
from generator.cli import main
from generator.deciding import decide, decisions, undo, write_stale_views
from generator.errors import StoreFault, WrongUse
from generator.exports.write import export_run
from generator.refiltering import refilter
from generator.report import summarise
from generator.run_directory import RunDirectory
from generator.shapes import validate_file
from generator.store import Decision, RunLock, RunStore
from generator.views import write_views

EDIT: dict[str, Any] = {
    "summary": "一台仪器，重新讲述。",
    "turns": [
        {"speaker": "person", "text": "它是什么？ $x_1$ <script>"},
        {"speaker": "bot", "text": "مقياس رطوبة."},
    ],
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("base"), varied_answers())


@pytest.fixture
def run(base: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(base, tmp_path / "run"))


def one(run: Path, place: str) -> str:
    """The key of the first sample that stands there."""
    return next(key for key, found in places(run).items() if found == place)


def line(run: Path, name: str, item: str) -> dict[str, Any]:
    lines = map(json.loads, (run / name).read_text(encoding="utf-8").splitlines())
    found: dict[str, Any] = next(
        one for one in lines if one.get("item", one.get("provenance", {}).get("item")) == item
    )
    return found


def assert_views_are_whole(run: Path) -> None:
    """The files are those that would be written from the store as a whole."""
    found = view_bytes(run)
    store = RunStore(RunDirectory(run).store, create=False)
    write_views(RunDirectory(run), store, RunDirectory(run).read_manifest())
    store.close()
    assert found == view_bytes(run)


def test_a_rejected_sample_is_taken_in_and_given_back(run: Path) -> None:
    before, key = view_bytes(run), one(run, "truncated")
    result = decide(run, key, "accept", note="whole enough")
    assert (result.sample.before, result.sample.after) == ("truncated", "accepted")
    assert line(run, "provenance.jsonl", key)["decision"] == {
        "action": "accept", "note": "whole enough", "edited": False,
    }  # fmt: skip
    assert result.counts["accepted"] == summarise(run).counts["accepted"]
    assert ids(run, "provenance.jsonl").count(result.sample.id) == 1
    assert result.sample.id not in ids(run, "rejected.jsonl")
    assert_views_are_whole(run)
    undo(run, key)
    assert view_bytes(run) == before


def test_an_accepted_sample_is_taken_out(run: Path) -> None:
    key = one(run, "accepted")
    decide(run, key, "refuse", note="about another paper")
    refused = line(run, "rejected.jsonl", key)
    assert refused["reasons"][0] == {
        "stage": "person", "code": "refused_by_person", "detail": "about another paper",
        "span": None,
    }  # fmt: skip
    assert refused["record"] is not None
    assert summarise(run).adds_up
    assert ("person", "refused_by_person") in [(r.stage, r.code) for r in summarise(run).reasons]
    assert_views_are_whole(run)


def test_an_edit_becomes_a_record_of_the_shape(run: Path, tmp_path: Path) -> None:
    key = one(run, "missing_summary")
    decide(run, key, "accept", edited=EDIT)
    records = [json.loads(x) for x in (run / "dialogues.jsonl").read_text("utf-8").splitlines()]
    (record,) = [r for r in records if r["parsed_dialogue"]["summary"] == EDIT["summary"]]
    assert record["parsed_dialogue"]["turns"] == EDIT["turns"]
    assert record["dialogue"].startswith("Nutshell:")
    assert list(validate_file(run / "dialogues.jsonl", "paperpersichat")) == []
    assert line(run, "provenance.jsonl", key)["decision"]["edited"] is True
    export_run(run, "summarization", tmp_path / "pairs.jsonl")
    assert EDIT["summary"] in (tmp_path / "pairs.jsonl").read_text(encoding="utf-8")


def test_an_accepted_sample_can_be_put_in_other_words(run: Path) -> None:
    key = one(run, "accepted")
    decide(run, key, "accept", edited=EDIT)
    again = {**EDIT, "summary": "Anew."}
    decide(run, key, "accept", edited=again)
    undo(run, key)
    assert EDIT["summary"] in (run / "dialogues.jsonl").read_text(encoding="utf-8")
    history = [past.decision for past in decisions(run, key)]
    assert [d.undone_at is None for d in history] == [True, False]
    assert [d.parsed["summary"] for d in history if d.parsed] == [EDIT["summary"], "Anew."]


def test_a_refusal_frees_the_copy_behind_it_and_undo_binds_it_again(run: Path) -> None:
    before = places(run)
    copies = [key for key, place in before.items() if place == "duplicate_dialogue"]
    first = list(before)[1]
    result = decide(run, first, "refuse")
    assert [(side.key, side.before, side.after) for side in result.others] == [
        (copies[0], "duplicate_dialogue", "accepted")
    ]
    assert [places(run)[key] for key in copies[1:]] == ["duplicate_dialogue"] * len(copies[1:])
    assert_views_are_whole(run)
    undo(run, first)
    assert places(run) == before
    assert_views_are_whole(run)


def test_a_copy_that_a_person_accepts_stays_and_so_does_the_first(run: Path) -> None:
    copy = one(run, "duplicate_dialogue")
    result = decide(run, copy, "accept")
    assert result.others == ()
    assert places(run)[list(places(run))[1]] == "accepted"
    assert_views_are_whole(run)


def test_an_accepted_dialogue_makes_its_later_copies_duplicates(run: Path) -> None:
    first, second = list(places(run))[:2]
    store = RunStore(run / "store.sqlite", create=False, writable=False)
    verdict = store.verdict_of(second)
    store.close()
    assert verdict is not None
    result = decide(run, first, "accept", edited=verdict.parsed)
    assert [(side.key, side.after) for side in result.others] == [(second, "duplicate_dialogue")]
    assert_views_are_whole(run)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        pytest.param(lambda r: decide(r, "nobody", "accept"), "no item 'nobody'", id="unknown"),
        pytest.param(lambda r: decide(r, one(r, "accepted"), "accept"), "already", id="accepted"),
        pytest.param(lambda r: decide(r, one(r, "ungrounded"), "refuse"), "already", id="refused"),
        pytest.param(lambda r: decide(r, one(r, "refusal"), "accept"), "summary and turns",
                     id="nothing was read"),
        pytest.param(lambda r: decide(r, one(r, "ungrounded"), "perhaps"), "accept or refuse",
                     id="no such action"),
        pytest.param(lambda r: undo(r, one(r, "accepted")), "no decision", id="nothing to undo"),
        pytest.param(lambda r: decide(r, one(r, "accepted"), "refuse", edited=EDIT),
                     "only what is accepted", id="an edit of a refusal"),
        pytest.param(lambda r: decide(r / "nowhere", "x", "accept"), "no run directory",
                     id="no run"),
    ],
)  # fmt: skip
def test_what_cannot_be_decided_is_said(
    run: Path, call: Callable[[Path], object], says: str
) -> None:
    before = view_bytes(run)
    with pytest.raises(WrongUse, match=says):
        call(run)
    assert view_bytes(run) == before
    assert list(decisions(run)) == []


@pytest.mark.parametrize(
    ("edited", "says"),
    [
        pytest.param({}, "an edit must be", id="empty"),
        pytest.param({**EDIT, "more": 1}, "nothing else", id="another key"),
        pytest.param({**EDIT, "summary": " "}, "parsed_dialogue.summary", id="blank summary"),
        pytest.param({**EDIT, "turns": EDIT["turns"][:1]}, "parsed_dialogue.turns", id="odd"),
        pytest.param({**EDIT, "turns": EDIT["turns"][::-1]}, 'expected "person"', id="bot first"),
        pytest.param({**EDIT, "turns": [{"speaker": "me", "text": "x"}]}, "turn 1", id="speaker"),
        pytest.param({**EDIT, "turns": "x"}, "an edit must be", id="no list"),
        pytest.param({**EDIT, "summary": "\ud800"}, "surrogate", id="half a character"),
    ],
)
def test_an_edit_that_is_no_record_is_refused(run: Path, edited: dict[str, Any], says: str) -> None:
    with pytest.raises(WrongUse, match=says):
        decide(run, one(run, "missing_summary"), "accept", edited=edited)
    assert list(decisions(run)) == []


def test_an_ambiguous_id_asks_for_the_key(run: Path) -> None:
    with closing(sqlite3.connect(run / "store.sqlite")) as store, store:
        store.execute("UPDATE items SET id = 'twice' WHERE seq < 2")
    with pytest.raises(WrongUse, match=r"2 items .* 'twice'.* the key"):
        decide(run, "twice", "refuse")
    assert decide(run, list(places(run))[1], "refuse").sample.id == "twice"


def test_a_run_that_is_being_written_is_left_alone(run: Path) -> None:
    lock = RunLock(run)
    lock.acquire()
    try:
        with pytest.raises(StoreFault, match="Wait for it to end, then decide again"):
            decide(run, one(run, "accepted"), "refuse")
    finally:
        lock.release()
    assert decide(run, one(run, "accepted"), "refuse").sample.after == "refused_by_person"


def test_an_interrupted_refilter_is_finished_first(run: Path) -> None:
    store = RunStore(run / "store.sqlite", create=False)
    store.put_meta("refilter_pending", True)
    store.close()
    with pytest.raises(StoreFault, match="refilter"):
        decide(run, one(run, "accepted"), "refuse")


def test_an_older_store_is_read_as_it_is_and_learns_of_decisions(run: Path) -> None:
    before = places(run)
    with closing(sqlite3.connect(run / "store.sqlite")) as store, store:
        store.execute("DROP TABLE decisions")
        store.execute("UPDATE meta SET value = '1' WHERE name = 'schema_version'")
    assert places(run) == before
    assert list(decisions(run)) == []
    assert summarise(run).adds_up
    reader = RunStore(run / "store.sqlite", create=False, writable=False)
    try:
        decide(run, one(run, "accepted"), "refuse")
        assert next(iter(reader.decisions())).action == "refuse"
    finally:
        reader.close()
    with closing(sqlite3.connect(run / "store.sqlite")) as store:
        assert store.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchone() == (
            "2",
        )


def test_views_that_were_touched_or_left_behind_are_written_whole(run: Path) -> None:
    (run / "dialogues.jsonl").write_text("{}\n", encoding="utf-8")
    decide(run, one(run, "accepted"), "refuse")
    assert_views_are_whole(run)
    before = view_bytes(run)
    decide(run, one(run, "accepted"), "refuse", views=False)
    assert view_bytes(run) == before
    assert write_stale_views(run)
    assert not write_stale_views(run)
    assert_views_are_whole(run)


def test_a_decision_that_was_cut_short_is_carried_through_by_the_same_command(run: Path) -> None:
    first = list(places(run))[1]
    store = RunStore(run / "store.sqlite", create=False)
    store.put_decision(Decision(first, "refuse", "then the lights went out", 1.0))
    store.close()
    with pytest.raises(WrongUse, match="already"):
        decide(run, first, "refuse")
    assert list(places(run).values()).count("duplicate_dialogue") == 1
    assert_views_are_whole(run)
    assert line(run, "rejected.jsonl", first)["reasons"][0]["detail"].startswith("then the")


def test_truncated_answers_done_again_leave_an_acceptance_alone(tmp_path: Path) -> None:
    cut = {"text": dialogue_about(1), "finish_reason": "length"}
    run = make_run(tmp_path, [dialogue_about(0), cut, {**cut, "text": dialogue_about(2)}])
    kept, again = list(places(run))[1:]
    decide(run, kept, "accept")
    generator.generate(RECIPE, tmp_path / "papers.jsonl", out=run, retry_truncated=True,
                       model=f"scripted:{tmp_path / 'script.jsonl'}",
                       sampling={"writer": {"max_tokens": 3000}})  # fmt: skip
    assert line(run, "provenance.jsonl", kept)["other_max_tokens"] == {}
    asked_again = line(run, "rejected.jsonl", again)["provenance"]
    assert asked_again["other_max_tokens"] == {"writer": 3000}
    assert places(run)[kept] == "accepted"


def test_a_target_counts_decisions_and_keeps_those_it_cuts_off(tmp_path: Path) -> None:
    answers = [dialogue_about(number) for number in range(6)]
    run = make_run(tmp_path, [*answers])
    keys = list(places(run))
    decide(run, keys[1], "refuse")
    decide(run, keys[5], "refuse", note="later")

    def to_target(wanted: int | None) -> None:
        generator.generate(RECIPE, tmp_path / "papers.jsonl", out=run, target=wanted,
                           model=f"scripted:{tmp_path / 'script.jsonl'}")  # fmt: skip

    to_target(2)
    assert places(run) == {
        keys[0]: "accepted", keys[1]: "refused_by_person", keys[2]: "accepted",
    }  # fmt: skip
    with pytest.raises(WrongUse, match="no verdict yet"):
        decide(run, keys[5], "accept")
    to_target(None)
    found = places(run)
    assert [found[key] for key in keys] == [
        "accepted", "refused_by_person", "accepted", "accepted", "accepted", "refused_by_person",
    ]  # fmt: skip
    assert next(d.decision.note for d in decisions(run, keys[5])) == "later"


def test_the_command_line(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit = tmp_path / "edit.json"
    edit.write_text(json.dumps(EDIT), encoding="utf-8")
    key = one(run, "missing_summary")
    assert main(["decide", str(run), key, "accept", "--edit", str(edit), "--note", "mended"]) == 0
    said = capsys.readouterr().out
    assert "missing_summary → accepted" in said
    assert "no model call" in said
    assert main(["decide", str(run), key, "undo"]) == 0
    assert "accepted → missing_summary" in capsys.readouterr().out
    assert main(["decide", str(run), "nobody", "accept"]) == 2
    assert main(["decide", str(run), key, "undo", "--note", "x"]) == 2
    edit.write_text("[1", encoding="utf-8")
    assert main(["decide", str(run), key, "accept", "--edit", str(edit)]) == 2
    assert main(["decide", str(run), key, "accept", "--edit", str(tmp_path / "none.json")]) == 2
    errors = capsys.readouterr().err
    assert "Traceback" not in errors
    assert "no valid JSON" in errors
    assert places(run)[key] == "missing_summary"


def test_refilter_keeps_an_acceptance_word_for_word(run: Path) -> None:
    key = one(run, "truncated")
    decide(run, key, "accept")
    before = line(run, "provenance.jsonl", key)["decision"]
    refilter(run, parser="original", filters={"min_pairs": 4, "max_echo": 0.0})
    assert places(run)[key] == "accepted"
    assert line(run, "provenance.jsonl", key)["decision"] == before
    assert_views_are_whole(run)
