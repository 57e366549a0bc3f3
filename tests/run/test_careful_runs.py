"""Runs under odd circumstances: streams as inputs, an output among the inputs, stops half-way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from corpus import paper, write_papers, write_script

import generator
from generator.fakeserver import FakeServer, FakeServerSettings

RECIPE = "paperpersichat-davinci"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")


def cli(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *map(str, arguments)],
        input=stdin, capture_output=True, check=False, timeout=120,
    )  # fmt: skip


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_standard_input_is_kept_and_another_one_is_refused(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 3).read_bytes()
    script = write_script(tmp_path / "s.jsonl", {}, 6)
    out = tmp_path / "run"
    command = ("generate", RECIPE, "-", "--out", out, "--model", f"scripted:{script}", "--quiet")
    assert cli(*command, stdin=papers).returncode == 0
    before = {view: (out / view).read_bytes() for view in VIEWS}
    other = json.dumps(paper(5)).encode()
    refused = cli(*command, stdin=other)
    assert refused.returncode == 2
    assert b"inputs" in refused.stderr
    assert {view: (out / view).read_bytes() for view in VIEWS} == before
    assert cli(*command, stdin=papers).returncode == 0
    assert {view: (out / view).read_bytes() for view in VIEWS} == before
    assert len(lines(out / "dialogues.jsonl")) == 3


def test_a_process_substitution_is_read_once(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 3)
    script = write_script(tmp_path / "s.jsonl", {}, 3)
    line = (
        f"{sys.executable} -m generator.cli generate {RECIPE} <(cat {papers}) "
        f"--out {tmp_path / 'run'} --model scripted:{script} --quiet"
    )
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(lines(tmp_path / "run" / "dialogues.jsonl")) == 3


def test_an_output_below_the_inputs_is_not_read_as_input(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    write_papers(folder / "p.jsonl", 3)
    script = write_script(tmp_path / "s.jsonl", {}, 3)
    for _ in range(2):
        result = generator.generate(RECIPE, folder, out=folder / "run", model=f"scripted:{script}")
        assert result.counts["items"] == 3


def test_bad_first_lines_do_not_make_a_jsonl_file_a_text(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 4)
    papers.write_text("".join(f"bad line {n}\n" for n in range(9)) + papers.read_text())
    done = cli("segments", papers)
    assert len(done.stdout.splitlines()) == 4
    assert done.stderr.count(b"bad_json") == 9


@pytest.mark.parametrize("after", [0.35, 0.6, 0.9])
def test_a_killed_refilter_never_passes_for_the_finished_corpus(
    tmp_path: Path, after: float
) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 300)
    script = write_script(tmp_path / "s.jsonl", {}, 300)
    out = tmp_path / "run"
    generator.generate(RECIPE, papers, out=out, model=f"scripted:{script}")
    before = {view: (out / view).read_bytes() for view in VIEWS}
    process = subprocess.Popen(
        [sys.executable, "-m", "generator.cli", "refilter", str(out), "--set",
         "filters.min_pairs=5"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    again = cli("generate", RECIPE, papers, "--out", out, "--model", f"scripted:{script}")
    views = {view: (out / view).read_bytes() for view in VIEWS}
    # Either nothing had begun, or the command is refused until the refilter is finished.
    assert (again.returncode == 0 and views == before) or again.returncode in (2, 3)
    assert cli("refilter", out, "--set", "filters.min_pairs=2").returncode == 0
    assert {view: (out / view).read_bytes() for view in VIEWS} == before


def test_giving_up_leaves_the_same_files_at_any_concurrency(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 60)
    bad = {n: {"text": f"No dialogue here, number {n}. It is prose."} for n in range(60)}
    script = write_script(tmp_path / "s.jsonl", bad, 60)
    found = []
    for concurrency in (1, 32):
        out = tmp_path / f"run{concurrency}"
        generator.generate(RECIPE, papers, out=out, model=f"scripted:{script}",
                           concurrency=concurrency, give_up_after=20)  # fmt: skip
        found.append({view: (out / view).read_bytes() for view in VIEWS})
    assert found[0] == found[1]
    assert len(lines(tmp_path / "run1" / "rejected.jsonl")) == 20


def test_an_unfinished_run_says_so(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 300)
    script = write_script(
        tmp_path / "s.jsonl", {n: {"text": "x", "latency_s": 0.05} for n in range(300)}, 300
    )
    out = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-m", "generator.cli", "generate", RECIPE, str(papers), "--out", str(out),
         "--model", f"scripted:{script}", "--concurrency", "1", "--quiet"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while not (out / "store.sqlite-wal").exists() and time.monotonic() < deadline:
        process.poll()
    process.send_signal(signal.SIGTERM)
    process.wait(60)
    assert b"not finished: interrupted" in cli("report", out).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        pytest.param(["--set", "filters.off=duplicate_dialog"], 2, b"duplicate_dialog",
                     id="a code that is none"),
        pytest.param(["--model", ""], 2, b"SPEC", id="an empty model"),
        pytest.param(["--set", "writer.temperature=-5"], 2, b"temperature", id="a cold writer"),
        pytest.param(["--give-up-after", "-3"], 2, b"give-up-after", id="a negative patience"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, arguments: list[str], code: int, says: bytes
) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 1)
    script = write_script(tmp_path / "s.jsonl", {}, 1)
    done = cli("generate", RECIPE, papers, "--out", tmp_path / "run", "--model",
               f"scripted:{script}", *arguments)  # fmt: skip
    assert done.returncode == code
    assert says in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_preview_of_a_server_that_is_not_there_ends_with_3(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 1)
    assert (
        cli("preview", RECIPE, papers, "--model", "openai:x@http://127.0.0.1:9/v1").returncode == 3
    )


def test_lines_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "generator.cli", "parse"], input="摘要：桥。\n问：多长？\n".encode(),
        capture_output=True, check=False,
        env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))


def test_the_terminal_is_not_steered_by_a_heading(tmp_path: Path) -> None:
    record = paper(0)
    record["sections"] = [{"heading": "\x1b[31m\x1b]0;x\x07", "text": "Short."}] * 2
    (tmp_path / "p.json").write_text(json.dumps(record))
    done = cli("segments", tmp_path / "p.json", "--min-sections", "1")
    assert b"\x1b" not in done.stderr


def test_a_text_far_beyond_the_context_is_trimmed_until_it_fits(tmp_path: Path) -> None:
    record = paper(0)
    record["sections"][0]["text"] = "The gauge is read twice a day. " * 60_000  # type: ignore[index]
    (tmp_path / "p.json").write_text(json.dumps(record))
    with FakeServer(FakeServerSettings(context_tokens=3000)) as server:
        result = generator.generate(
            RECIPE, tmp_path / "p.json", out=tmp_path / "run", on_overflow="trim",
            model=f"openai:fake@{server.base_url}",
        )  # fmt: skip
    assert result.counts["failed"] == 0
    codes = [
        r["code"] for line in lines(tmp_path / "run" / "rejected.jsonl") for r in line["reasons"]
    ]
    assert "context_overflow" not in codes
    refused = [line["provenance"] for line in lines(tmp_path / "run" / "rejected.jsonl")]
    kept = [*lines(tmp_path / "run" / "provenance.jsonl"), *refused]
    assert kept[0]["measures"]["trimmed_chars"] > 1_000_000


def test_every_key_of_the_line_files_is_described(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 2)
    script = write_script(tmp_path / "s.jsonl", {1: {"text": ""}}, 2)
    generator.generate(RECIPE, papers, out=tmp_path / "run", model=f"scripted:{script}")
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
    for name in ("provenance", "rejected", "timings", "skipped"):
        for key in lines(tmp_path / "run" / f"{name}.jsonl")[0]:
            assert f"`{key}`" in page, f"{name}: {key}"
    for path in (tmp_path / "run").iterdir():
        if not path.name.startswith(".") and not path.name.endswith(("-wal", "-shm")):
            assert f"`{path.name}`" in page, path.name
