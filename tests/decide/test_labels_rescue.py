"""A label is added, and what was refused for its want enters the corpus: by the command line."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from judged_runs import RECIPE, dialogue_about, ids, make_run, places, varied_answers

from generator.cli import main
from generator.recipes.parser_words import ParserWords
from generator.run_directory import RunDirectory

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reviewing.md"


def command(
    *arguments: object, stdin: str = "", **environ: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *map(str, arguments)],
        input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
        env={**os.environ, **environ},
    )  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Six items: one has a summary label nobody knows, two have labels of a foreign tongue."""
    return make_run(
        tmp_path,
        [
            dialogue_about(0),
            dialogue_about(1, summary="Nutshell"),
            dialogue_about(2, summary="Kern", person="Gast", bot="Auskunft"),
            dialogue_about(3),
            dialogue_about(4, summary="梗概"),
            "I'm sorry, but I can't help with that.",
        ],
    )


def test_refilter_after_a_label_was_added_needs_no_model(run: Path, tmp_path: Path) -> None:
    refused = [key for key, place in places(run).items() if place == "missing_summary"]
    assert len(refused) >= 2
    (tmp_path / "script.jsonl").unlink()  # nothing could answer any more
    labels = "parser.summary_labels=Nutshell,梗概,kern"
    before = json.loads((run / "manifest.json").read_text("utf-8"))
    told = command("refilter", run, "--dry-run", "--set", labels)
    done = command("refilter", run, "--set", labels)
    assert (told.returncode, done.returncode) == (0, 0), done.stderr
    assert f"{len(refused):6}  missing_summary → accepted" in done.stdout
    assert f"{len(refused):6}  missing_summary → accepted" in told.stdout
    assert [places(run)[key] for key in refused] == ["accepted"] * len(refused)
    assert len(ids(run, "provenance.jsonl")) == 5
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["parser_words"]["summary_labels"] == ["Nutshell", "梗概", "kern"]
    assert "parser_words" not in before["settings"]
    assert command("refilter", run, "--set", "parser.summary_labels=").returncode == 0
    assert json.loads((run / "manifest.json").read_text("utf-8")) == before


def test_a_run_made_with_labels_reads_them_and_resumes_with_them_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ParserWords(summary_labels=("Kern",), person_labels=("Gast",), patterns=("bot:aus.*",))
    run = make_run(
        tmp_path,
        [dialogue_about(0, summary="Kern", person="Gast", bot="Auskunft")],
        parser_words=words,
    )
    assert list(places(run).values()) == ["accepted"]
    again = ["generate", RECIPE, str(tmp_path / "papers.jsonl"), "--out", str(run), "--quiet",
             "--model", f"scripted:{tmp_path / 'script.jsonl'}"]  # fmt: skip
    capsys.readouterr()
    assert main(again) == 2
    assert "parser_words.summary_labels" in capsys.readouterr().err
    sets = [
        "--set", "parser.summary_labels=Kern", "--set", "parser.person_labels=Gast",
        "--set", "parser.patterns=bot:aus.*",
    ]  # fmt: skip
    assert main([*again, *sets]) == 0
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({"parser": {"summary_labels": ["Kern"], "person_labels": ["Gast"],
                                           "patterns": ["bot:aus.*"]}}), "utf-8")  # fmt: skip
    assert main([*again, "--settings", str(kept)]) == 0
    assert main(["preview", *again[1:3], *again[-2:], "--settings", str(kept)]) == 0
    assert "accepted" in capsys.readouterr().out


def test_parse_takes_words_of_ones_own() -> None:
    raw = dialogue_about(0, summary="Kern", person="Gast", bot="Auskunft")
    assert "reject" in json.loads(command("parse", stdin=raw).stdout)
    done = command("parse", "--set", "parser.summary_labels=Kern", "--set",
                   "parser.person_labels=Gast", stdin=raw)  # fmt: skip
    assert [turn["speaker"] for turn in json.loads(done.stdout)["turns"]] == ["person", "bot"] * 3
    bad = command("parse", "--set", "parser.patterns=person:(x+)+", stdin=raw)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "too many ways" in bad.stderr
    assert "Traceback" not in bad.stderr


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        pytest.param({"person_labels": ("",)}, "can be no label", id="empty"),
        pytest.param({"person_labels": ("x" * 49,)}, "at most 48", id="long"),
        pytest.param({"bot_labels": ("a\nb",)}, "line break", id="two lines"),
        pytest.param({"bot_labels": ("A",), "person_labels": ("a",)}, "stands in", id="twice"),
        pytest.param({"summary_labels": ["a"]}, "list of texts", id="no tuple"),
        pytest.param({"person_labels": ("a",) * 201}, "201 entries", id="many"),
        pytest.param({"patterns": ("x",)}, "ROLE:EXPRESSION", id="no role"),
        pytest.param({"patterns": ("me:x",)}, "ROLE:EXPRESSION", id="no such role"),
    ],
)
def test_words_that_can_be_no_labels_are_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ParserWords(**fields)


def test_rejects_marks_the_faults(tmp_path: Path) -> None:
    run = make_run(tmp_path, varied_answers())
    everything = command("rejects", run)
    assert "rejected for" in everything.stdout
    assert "\x1b[" not in everything.stdout
    lines = command("rejects", run, "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [
        json.loads(line) for line in (run / "rejected.jsonl").read_text("utf-8").splitlines()
    ]
    one = command("rejects", run, "--reason", "label_residue", "--limit", "3").stdout
    assert "⟦" in one
    assert "filter/label_residue" in one
    only = command("rejects", run, "--stage", "call", "--json").stdout.splitlines()
    assert {r["stage"] for line in only for r in json.loads(line)["reasons"]} >= {"call"}
    none = command("rejects", run, "--reason", "leak")
    assert none.returncode == 0
    assert "no sample was rejected with reason leak" in none.stderr


def test_the_page_on_reviewing_says_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(tmp_path, varied_answers())
    found = places(run)
    names = {
        "REJECTED": next(k for k, place in found.items() if place == "truncated"),
        "ACCEPTED": next(k for k, place in found.items() if place == "accepted"),
    }
    turns = [{"speaker": "person", "text": "What?"}, {"speaker": "bot", "text": "That."}]
    (tmp_path / "edited.json").write_text(json.dumps({"summary": "A gauge.", "turns": turns}))
    (tmp_path / "outputs").mkdir()
    run.rename(tmp_path / "outputs" / "run1")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) >= 10
    for line in lines:
        words = [names.get(word, word) for word in shlex.split(line)]
        assert words[0] == "dialogsmith"
        assert main(words[1:]) == 0, line
        assert capsys.readouterr().out, line
    after = places(tmp_path / "outputs" / "run1")
    assert after[names["REJECTED"]] == "accepted"
    assert after[names["ACCEPTED"]] == "refused_by_person"
    manifest = RunDirectory(tmp_path / "outputs" / "run1").read_manifest()
    assert manifest["settings"]["parser_words"] == {
        "person_labels": [], "bot_labels": [], "summary_labels": ["Nutshell"], "patterns": [],
    }  # fmt: skip
