"""What-if in use: progress, stopping, pages, saved settings, the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_runs import make_run, places, varied_answers, view_bytes

from generator.cli import main
from generator.errors import StoreFault, WrongUse
from generator.judging import changes_from
from generator.recipes.parser_words import ParserWords
from generator.refiltering import refilter
from generator.settings_file import merge_settings, read_settings, write_settings
from generator.store import RunStore
from generator.whatif import (
    JudgingChanges,
    WhatIfCancelled,
    WhatIfProgress,
    settings_to_save,
    what_if,
)
from generator.whatif.mentions import Mentions
from parsers.dialogue import parse_dialogue


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("base"), varied_answers())


@pytest.fixture
def run(base: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(base, tmp_path / "run"))


def test_progress_ends_at_the_exact_count_and_estimates_on_the_way(base: Path) -> None:
    told: list[WhatIfProgress] = []
    result = what_if(base, JudgingChanges(parser="original"), progress=told.append, workers=0)
    assert [one.phase for one in told[:1]] == ["looking"]
    reading = [one for one in told if one.phase == "reading"]
    assert reading[-1].done == reading[-1].total == result.reread == len(places(base))
    assert reading[-1].accepted is not None


@pytest.mark.parametrize("workers", [0, 2])
def test_it_can_be_stopped(base: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.whatif.simulation._WORTH_A_CREW", 1)
    phases: list[str] = []
    with pytest.raises(WhatIfCancelled):
        what_if(base, JudgingChanges(parser="original"), workers=workers,
                progress=lambda one: phases.append(one.phase),
                stop=lambda: "reading" in phases)  # fmt: skip


def test_pages_are_parts_of_one_list(base: Path) -> None:
    result = what_if(base, JudgingChanges(filters={"max_answer_tokens": 6}))
    everything = result.page(limit=100)
    assert len(everything) == result.moved > 5
    assert result.page(0, 3) + result.page(3, 100) == everything
    assert [one.seq for one in everything] == sorted(one.seq for one in everything)
    (old, new), count = next(iter(result.moves.items()))
    assert len(result.page(limit=100, before=old, after=new)) == count
    assert result.page(offset=1000) == []


def test_nothing_changes_without_changes(base: Path) -> None:
    result = what_if(base, JudgingChanges())
    assert (result.moved, result.reread, dict(result.moves)) == (0, 0, {})
    assert result.before == result.after


def test_verdicts_of_another_version_are_not_trusted(run: Path) -> None:
    store = RunStore(run / "store.sqlite", create=False)
    store.put_meta("judged_by", "0.0.1")
    store.close()
    assert what_if(run, JudgingChanges()).reread == len(places(run))
    refilter(run)
    assert what_if(run, JudgingChanges()).reread == 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"filters": {"max_ecco": 1}}, "max_ecco", id="no such filter setting"),
        pytest.param({"filters": {"max_echo": 2}}, "between 0 and 1", id="out of bounds"),
        pytest.param({"filters": {"max_echo": "much"}}, "a number", id="no number"),
        pytest.param({"filters": {"min_pairs": 2.5}}, "whole number", id="no whole number"),
        pytest.param({"filters": {"off": ["nothing"]}}, "no reject code", id="no such code"),
        pytest.param({"filters": {"off": ["refused_by_person"]}}, "no reject code",
                     id="a person's word is not switched off"),
        pytest.param({"words": {"patterns": ["person:(a+)+"]}}, "too many ways", id="slow pattern"),
        pytest.param({"words": {"person_labels": ["a:b"]}}, "can be no label", id="no label"),
        pytest.param({"parser": "other"}, "no parser 'other'", id="no such parser"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_named(
    base: Path, changes: dict[str, object], says: str
) -> None:
    with pytest.raises(WrongUse, match=says):
        what_if(base, JudgingChanges(**changes))  # type: ignore[arg-type]


def test_an_interrupted_refilter_is_finished_first(run: Path) -> None:
    store = RunStore(run / "store.sqlite", create=False)
    store.put_meta("refilter_pending", True)
    store.close()
    with pytest.raises(StoreFault, match="refilter"):
        what_if(run, JudgingChanges())


@pytest.mark.parametrize("name", ["kept.toml", "kept.json"])
def test_saved_settings_bring_a_run_there(run: Path, tmp_path: Path, name: str) -> None:
    refilter(run, filters={"min_pairs": 1})
    changes = JudgingChanges(
        words={
            "summary_labels": ["Nutshell", "引\u007f言"],
            "patterns": [r"person:onlooker \d{1,2}"],
        },
        filters={"max_echo": 0.3, "off": ["loop"], "min_pairs": 2},
    )  # fmt: skip
    path = tmp_path / name
    write_settings(path, settings_to_save(run, changes))
    groups = read_settings(path)
    assert groups["filters"] == {"off": ["loop"], "min_pairs": 2, "max_echo": 0.3}
    read = changes_from(groups)
    assert what_if(run, read).page(limit=100) == what_if(run, changes).page(limit=100)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        pytest.param("a.toml", "[filters\n", "no valid TOML", id="toml"),
        pytest.param("a.json", "{", "no valid JSON", id="json"),
        pytest.param("a.json", "[1]", "expected groups", id="no groups"),
        pytest.param("a.toml", "max_echo = 1", "outside a group", id="no group"),
        pytest.param("a.toml", "[filters]\nx = {a = 1}", "filters.x must be", id="nested"),
        pytest.param("a.toml", "[writer]\ntemperature = 1", "writer", id="a role"),
        pytest.param("a.toml", b"\xff", "not UTF-8", id="bytes"),
    ],
)
def test_a_settings_file_that_is_none_is_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | bytes,
    says: str,
) -> None:  # fmt: skip
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert main(["refilter", str(run), "--settings", str(path)]) == 2
    assert says in capsys.readouterr().err


def test_later_settings_win(tmp_path: Path) -> None:
    assert merge_settings({"filters": {"a": 1, "b": 2}}, {"filters": {"b": 3}, "x": {}}) == {
        "filters": {"a": 1, "b": 3}, "x": {},
    }  # fmt: skip


def test_a_dry_run_tells_and_writes_nothing(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, found = view_bytes(run), places(run)
    kept = run.parent / "kept.toml"
    label = "parser.summary_labels=Nutshell"
    assert main(["refilter", str(run), "--dry-run", "--set", label, "--save", str(kept)]) == 0
    said = capsys.readouterr().out
    assert "missing_summary → accepted" in said
    assert "nothing was written" in said
    assert (view_bytes(run), places(run)) == (before, found)
    assert main(["refilter", str(run), "--settings", str(kept)]) == 0
    assert "missing_summary → accepted" in capsys.readouterr().out
    assert main(["refilter", str(run), "--dry-run", "--set", "parser.summary_labels="]) == 0
    assert "accepted → missing_summary" in capsys.readouterr().out


PIECES = st.sampled_from(
    ["Gist", "gist", "ＧＩＳＴ", "G\u00adist", "G*i*st", "Gi'st", "gist's", "G\\u0069st",
     "G&#105;st", "G<b>i</b>st", "Person", "You", "Summary", ":", "：", " ", "\n", "**", "- ",
     "(", ")", "and", " & ", "Q", "It works well.", "How so?", "\\n", "\\t", "s", "'s", "1", "“",
     '"', "{", "}"]
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=25), st.sampled_from(["Gist", "Gist Q", "gist and q", "giſt"]))
def test_a_text_that_mentions_no_word_is_read_the_same(pieces: list[str], label: str) -> None:
    raw = "Summary: A short text.\n" + "".join(pieces) + "\nPerson: Why?\nYou: So it is."
    words = ParserWords(summary_labels=(label,))
    if not Mentions(ParserWords(), words)(raw):
        assert parse_dialogue(raw, vocabulary=words.vocabulary()) == parse_dialogue(raw)


@pytest.mark.parametrize(
    "raw",
    ["Gist: x", "ＧＩＳＴ： x", "**G\u00adist**: x", json.dumps({"Gist": "x"}), "G\\u0069st: x",
     "G&#105;st: x", "the GIST's word", "g i s t"],
)  # fmt: skip
def test_a_word_is_found_however_it_is_written(raw: str) -> None:
    assert Mentions(ParserWords(), ParserWords(summary_labels=("Gist",)))(raw)
    assert not Mentions(ParserWords(), ParserWords(summary_labels=("Nutshell",)))("Summary: x")
