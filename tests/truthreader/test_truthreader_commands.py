"""The recipe on the command line: flags, wrong use, preview, forecast, report, export, validate."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cited_corpus import read_lines
from cited_runs import COUNT, PLAIN, Made

from generator.cli import main
from generator.recipes.truthreader.reading import ASSIGNMENT_CODES

FACTS = ["--set", "recipe.question_mix=fact:1", "--set", "recipe.history_mix=0:1",
         "--multi-share", "0"]  # fmt: skip


def command(corpus: Made, out: Path, *more: str) -> int:
    model = f"scripted:{corpus.script}"
    given = ["--out", str(out), "--model", model, "--lang", corpus.lang, "--seed", "7", "--quiet"]
    return main(["generate", "truthreader", str(corpus.documents), *given, *FACTS, *more])


def test_a_corpus_from_the_command_line(
    corpus: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert command(corpus, run, "--unanswerable-share", "0.5", "--judge") == 0
    shares = [o["plan"]["answerable"] for o in read_lines(run / "provenance.jsonl")]
    assert {True, False} == set(shares)
    capsys.readouterr()
    assert main(["report", str(run), "--show", "1"]) == 0
    said = capsys.readouterr().out
    assert "documents that are never cited" in said
    assert "published" in said
    assert "sentences that the judge finds entailed" in said
    assert "Question: " in said
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "judge_recall" in page
    assert "PaperPersiChat" not in page
    assert main(["validate", str(run / "dialogues.jsonl"), "--shape", "truthreader"]) == 0
    assert main(["refilter", str(run)]) == 0
    assert main(["rejects", str(run)]) == 0


def test_questions_are_exported_with_their_numbered_documents(
    corpus: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.run(tmp_path / "run")
    assert main(["export", str(tmp_path / "run"), "--to", "qa", "--out", str(tmp_path / "qa")]) == 0
    exported = read_lines(tmp_path / "qa")
    records = read_lines(tmp_path / "run" / "dialogues.jsonl")
    assert [e["question"] for e in exported] == [r["question"] for r in records]
    assert [e["answerable"] for e in exported] == ["[" in r["answer"] for r in records]
    for line, record in zip(exported, records, strict=True):
        last = len(record["documents"])
        assert f"[{last}] {record['documents'][-1]['title']}\n" in line["context"]
    capsys.readouterr()
    wrong = ["export", str(tmp_path / "run"), "--to", "summarization", "--out", str(tmp_path / "s")]
    assert main(wrong) == 2
    assert "no summary" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--multi-share", "1.5"], "multi_share must be from 0 to 1"),
        (["--unanswerable-share", "-1"], "unanswerable_share must be from 0 to 1"),
        (["--set", "recipe.question_mix=poem:1"], "no 'poem'"),
        (["--set", "recipe.shuffle=1"], "there is no setting recipe.shuffle"),
        (["--set", "filters.off=nonsense"], "no reject code 'nonsense'"),
        (["--rounds", "3"], "has no setting --rounds"),
        (["--on-overflow", "trim"], "passage_tokens"),
        (["--variant", "few-shot"], "--variant few-shot"),
        (["--role", "writer=embedded"], "no role 'writer'"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_wrong_use_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text('{"title": "A", "text": "Something."}\n')
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "Something."}\n')
    arguments = ["generate", "truthreader", str(documents), "--out", str(tmp_path / "run")]
    assert main([*arguments, "--model", f"scripted:{script}", *more]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert len(errors.strip().split("\n")) == 1
    assert not (tmp_path / "run" / "manifest.json").exists()


def test_inputs_without_a_document_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text('{"title": "A", "text": "Too short."}\n')
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "Something."}\n')
    arguments = ["truthreader", str(documents), "--model", f"scripted:{script}"]
    assert main(["generate", *arguments, "--out", str(tmp_path / "run")]) == 1
    assert "short_document" in capsys.readouterr().out
    assert main(["generate", *arguments, "--out", str(tmp_path / "run"), "--dry-run"]) == 2
    assert "short_document" in capsys.readouterr().err
    assert main(["preview", *arguments]) == 1


def test_a_forecast_counts_the_calls_of_every_role(
    corpus: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(corpus, tmp_path / "run", "--dry-run") == 0
    said = capsys.readouterr().out
    assert re.search(rf"calls: +{2 * COUNT} for {COUNT} items", said)
    assert f"{COUNT} items, 0 skipped" in said
    assert not (tmp_path / "run").exists()


def test_a_preview_shows_prompts_answers_and_verdict(
    corpus: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["preview", "truthreader", str(corpus.documents), "--lang", corpus.lang]
    assert main([*arguments, "--model", f"scripted:{corpus.script}", *FACTS,
                 "--unanswerable-share", "0"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "asker is asked" in said
    assert "answerer answers" in said
    assert "── accepted ──" in said
    start = said.index("── parsed ──") + len("── parsed ──")
    parsed = json.loads(said[start : said.index("── accepted ──")])
    assert set(parsed) == {"question", "history", "answer"}


def test_options_of_the_command_line_are_those_of_the_library(corpus: Made, tmp_path: Path) -> None:
    assert command(corpus, tmp_path / "a", "--unanswerable-share", "0.4") in (0, 1)
    corpus.run(tmp_path / "b", replace(PLAIN, history_mix="0:1", topic_switch_share=0.3))
    a, b = (read_lines(tmp_path / run / "provenance.jsonl") for run in ("a", "b"))
    assert [o["plan"] for o in a] == [o["plan"] for o in b]


def test_the_codes_of_the_recipe_itself_are_described() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "reject-codes-truthreader.md"
    text = page.read_text(encoding="utf-8")
    for code, info in ASSIGNMENT_CODES.items():
        assert f"| {info.stages[0]} | `{code}` |" in text
