"""The command line as a user meets it: real processes, exit codes, one clear message."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import good_dialogue, write_papers, write_script

from generator.cli import COMMANDS, build_parser, main

RECIPE = "paperpersichat-davinci"


def command(
    *arguments: object, stdin: str = "", **environ: str
) -> subprocess.CompletedProcess[str]:
    plain = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *map(str, arguments)],
        input=stdin, capture_output=True, text=True, timeout=120, check=False,
        env={**plain, "PYTHONIOENCODING": "utf-8", **environ},
    )  # fmt: skip


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A finished run of six items, two of them rejected."""
    papers = write_papers(tmp_path / "papers.jsonl", 6)
    script = write_script(
        tmp_path / "s.jsonl",
        {
            1: {"text": "Summary: [short summary]\nPerson: [question]\nYou: [answer]"},
            4: {"text": good_dialogue(4), "finish_reason": "length"},
        },
        6,
    )
    out = tmp_path / "run"
    assert main(["generate", RECIPE, str(papers), "--out", str(out), "--model",
                 f"scripted:{script}", "--quiet"]) == 0  # fmt: skip
    return out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser(name).parse_args([name, "--help"])
    assert ended.value.code == 0
    assert "usage: dialogsmith" in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from generator.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'openai', 'pydantic', 'jinja2', 'lxml', 'asyncio', 'sqlite3', 'tqdm', 'httpx2'}\n"
        "sys.exit(', '.join(sorted(heavy & sys.modules.keys())) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"loaded by --help: {done.stderr}"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        pytest.param(["nonsense"], 2, "invalid choice", id="unknown command"),
        pytest.param(["generate", RECIPE, "x.json"], 2, "--out", id="no run directory"),
        pytest.param(["generate", "no-such", "x.json", "--out", "o"], 2, "paperpersichat-davinci",
                     id="unknown recipe"),
        pytest.param(["generate", RECIPE, "absent.json", "--out", "o", "--model", "scripted:s"], 2,
                     "s", id="no script"),
        pytest.param(["generate", RECIPE, "absent.json", "--out", "o", "--model", "openai:m"], 3,
                     "OPENAI_API_KEY", id="no key"),
        pytest.param(["generate", RECIPE, "a", "--out", "o", "--model", "opnai:m"], 2, "openai",
                     id="misspelt backend"),
        pytest.param(["generate", RECIPE, "a", "--out", "o", "--role", "writer"], 2, "NAME=SPEC",
                     id="role without a SPEC"),
        pytest.param(["generate", RECIPE, "a", "--out", "o", "--set", "filters.max_echo=x"], 2,
                     "filters.max_echo", id="a setting that is no number"),
        pytest.param(["generate", RECIPE, "a", "--out", "o", "--set", "filters.maxecho=1"], 2,
                     "max_echo", id="unknown setting"),
        pytest.param(["generate", RECIPE, "a", "--out", "o", "--prompts", "none"], 2, "no such",
                     id="no template folder"),
        pytest.param(["segments", "absent.json"], 2, "absent.json", id="missing input"),
        pytest.param(["rejects", "absent"], 2, "no run directory", id="no run"),
        pytest.param(["report", "absent"], 2, "no run directory", id="no run to report"),
        pytest.param(["refilter", "absent"], 2, "no run directory", id="no run to refilter"),
        pytest.param(["validate", "absent.jsonl", "--shape", "truthreader"], 2, "absent.jsonl",
                     id="nothing to validate"),
        pytest.param(["parse", "absent.txt"], 2, "absent.txt", id="nothing to parse"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_clear_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command(*arguments)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "o" / "store.sqlite").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"", "empty_input", id="empty file"),
        pytest.param(b"\x00\x01\x02\xff\xfe\xfd" * 50, "skipped", id="binary"),
        pytest.param(b'{"unknown": "keys"}', "unknown_format", id="unknown keys"),
    ],
)
def test_an_input_without_papers_is_explained(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(content)
    done = command("segments", path)
    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_segments_are_json_lines(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 3)
    packed = tmp_path / "p.bin"
    packed.write_bytes(gzip.compress(papers.read_bytes()))
    done = command("segments", packed)
    given = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(given) == 3
    assert all(len(g["text"]) >= 1000 for g in given)
    assert [g["id"] for g in given] == [f"{g['paper_id']}_0" for g in given]


@pytest.mark.parametrize("parser", ["dialogsmith", "original"])
def test_parse_reads_standard_input(parser: str) -> None:
    done = command("parse", "--parser", parser, stdin=good_dialogue(3))
    parsed = json.loads(done.stdout)
    assert done.returncode == 0
    assert list(parsed) == ["summary", "turns"]
    assert len(parsed["turns"]) == 8


def test_parse_says_why_not() -> None:
    done = command("parse", stdin="Summary: It is tidy.\n")
    assert done.returncode == 0
    assert json.loads(done.stdout)["reject"]["code"] == "too_few_turns"


def test_rejects_shows_reason_place_and_raw_text(run_dir: Path) -> None:
    done = command("rejects", run_dir)
    assert "parse/placeholder_text" in done.stdout
    assert "call/truncated" in done.stdout
    assert "⟦" in done.stdout
    assert "\x1b" not in done.stdout


def test_rejects_can_be_narrowed_and_read_by_machines(run_dir: Path) -> None:
    done = command("rejects", run_dir, "--reason", "truncated", "--json")
    (line,) = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert line["reasons"][0]["code"] == "truncated"
    assert line["raw"] == [good_dialogue(4)]


def test_report_writes_a_page_that_loads_nothing(run_dir: Path) -> None:
    done = command("report", run_dir, "--show", "1")
    page = (run_dir / "report.html").read_text(encoding="utf-8")
    assert "Summary: The text describes" in done.stdout
    assert "parse/placeholder_text" in page
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page


def test_refilter_changes_sides_without_a_call(run_dir: Path) -> None:
    before = (run_dir / "dialogues.jsonl").read_bytes()
    stricter = command("refilter", run_dir, "--set", "filters.min_pairs=5")
    assert "0 accepted, 6 rejected; no model call" in stricter.stdout
    assert (run_dir / "dialogues.jsonl").read_bytes() == b""
    back = command("refilter", run_dir, "--set", "filters.min_pairs=2")
    assert "4 accepted, 2 rejected" in back.stdout
    assert (run_dir / "dialogues.jsonl").read_bytes() == before


def test_refilter_with_the_original_parser(run_dir: Path) -> None:
    done = command("refilter", run_dir, "--parser", "original")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((run_dir / "manifest.json").read_text())
    assert manifest["settings"]["parser"] == "original"


def test_the_corpus_is_valid_and_a_broken_one_is_not(run_dir: Path) -> None:
    path = run_dir / "dialogues.jsonl"
    assert command("validate", path, "--shape", "paperpersichat").returncode == 0
    broken = run_dir.parent / "broken.jsonl"
    broken.write_text(path.read_text().replace('"bot"', '"robot"', 1))
    done = command("validate", broken, "--shape", "paperpersichat")
    assert done.returncode == 1
    assert f"{broken}:1:" in done.stdout


def test_preview_shows_everything_and_writes_nothing(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 2)
    script = write_script(tmp_path / "s.jsonl", {}, 2)
    before = sorted(tmp_path.rglob("*"))
    done = command("preview", RECIPE, papers, "--model", f"scripted:{script}")
    assert "Generate a dialogue between you and another person" in done.stdout
    assert "── accepted ──" in done.stdout
    assert "2 for 2 items" in done.stdout
    assert "2 items, 8 skipped" in done.stdout
    assert sorted(tmp_path.rglob("*")) == before


def test_models_lists_the_backends() -> None:
    done = command("models")
    for name in ("openai", "openai-completions", "embedded", "replay", "scripted"):
        assert f"\n{name}\n" in f"\n{done.stdout}"


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 200)
    line = f"{sys.executable} -m generator.cli segments {papers} | head -n 1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_progress_in_a_pipe_is_plain(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 4)
    script = write_script(tmp_path / "s.jsonl", {}, 4)
    done = command("generate", RECIPE, papers, "--out", tmp_path / "o",
                   "--model", f"scripted:{script}")  # fmt: skip
    assert done.returncode == 0
    assert "\r" not in done.stderr
    assert "4  accepted" in done.stdout


def test_a_template_mistake_is_named_before_any_call(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", 1)
    script = write_script(tmp_path / "s.jsonl", {}, 1)
    folder = tmp_path / "mine" / RECIPE / "en"
    folder.mkdir(parents=True)
    (folder / "plain.jinja").write_text("Talk about it:\n{{ txet }}\n")
    done = command("generate", RECIPE, papers, "--out", tmp_path / "o", "--model",
                   f"scripted:{script}", "--prompts", tmp_path / "mine")  # fmt: skip
    assert done.returncode == 2
    assert "plain.jinja" in done.stderr
    assert "txet" in done.stderr
    assert not (tmp_path / "o").exists()
