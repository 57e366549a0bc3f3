"""Wrong use of a run: one clear message, the exit code as documented, nothing made or lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpus import write_papers, write_script

import generator
from generator.cli import main
from generator.commands.resume_hint import resume_command

RECIPE = "paperpersichat-davinci"
HUGE = "9" * 30


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command of a small scripted run, in the folder it is given in."""
    monkeypatch.chdir(tmp_path)
    write_papers(tmp_path / "p.jsonl", 2)
    write_script(tmp_path / "s.jsonl", {}, 2)
    return ["generate", RECIPE, "p.jsonl", "--out", "o", "--model", "scripted:s.jsonl", "--quiet"]


def said(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> tuple[int, str]:
    """Exit code and standard error of a command."""
    try:
        code = main(arguments)
    except SystemExit as ended:
        code = int(str(ended.code))
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--modle", "x"], "--modle x. `dialogsmith generate --help` tells the options"),
        (["--target", HUGE], "--target"),
        (["--limit", HUGE], "--limit"),
        (["--limit", "1.5"], "'1.5' is not a whole number"),
        (["--seed", "x"], "'x' is not a whole number"),
        (["--give-up-after", "-1"], "--give-up-after"),
        (["--max-cost", "inf"], "--max-cost"),
        (["--max-cost", "inf", "--dry-run"], "--max-cost"),
        (["--max-cost", "nan", "--dry-run"], "--max-cost"),
        (["--target", "5", "--limit", "3"], "cannot be met"),
        (["--set", "retry.max_attempts=0"], "max_attempts"),
        (["--set", "retry.first_wait_s=nan"], "first_wait_s"),
        (["--set", "retry.longest_wait_s=-1"], "longest_wait_s"),
        (["--set", "backend.request_timeout_s=0"], "request_timeout_s"),
        (["--set", "backend.request_timeout_s=inf"], "request_timeout_s"),
        (["--set", "backend.context_tokens=-1"], "context_tokens"),
        (["--set", "writer.extra=a"], "writer.extra"),
        (["--prompts", "."], "holds no template"),
        (["--branch", "absent"], "absent is no run directory"),
        (["--retry-truncated"], "holds no run yet"),
        (["--out", "p.jsonl"], "p.jsonl"),
        (["--out", "p.jsonl/run"], "p.jsonl/run"),
        (["--out", "x" * 300], "name too long"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_mistake_is_told_in_one_line_before_anything_is_made(
    begun: list[str], capsys: pytest.CaptureFixture[str], wrong: list[str], says: str
) -> None:
    before = sorted(os.listdir())
    code, errors = said(capsys, [*begun, *wrong])
    assert code == 2
    assert says in errors
    assert len(errors.splitlines()) == 1
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        ["rejects"], ["report"], ["refilter"], ["inspect", "--no-open"],
        ["export", "--to", "qa", "--out", "e"], ["validate", "--shape", "truthreader"],
    ],
    ids=lambda command: command[0],
)  # fmt: skip
@pytest.mark.parametrize("path", ["x" * 300, "p.jsonl/run"], ids=["long name", "below a file"])
def test_a_path_that_cannot_be_is_wrong_use(
    begun: list[str], capsys: pytest.CaptureFixture[str], command: list[str], path: str
) -> None:
    code, errors = said(capsys, [*command, path])
    assert code == 2
    assert len(errors.splitlines()) == 1


def test_what_the_system_refuses_is_no_traceback(
    begun: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> object:
        raise PermissionError(errno.EACCES, "Permission denied", "o")

    monkeypatch.setattr("generator.commands.generate.run_settings", denied)
    code, errors = said(capsys, begun)
    assert (code, errors) == (3, "dialogsmith: o: the system says: Permission denied\n")


def test_a_page_that_cannot_be_written_is_named(
    begun: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(begun) == 0

    really_open = Path.open

    def denied(path: Path, *options: Any, **named: Any) -> Any:
        if path.suffix == ".tmp":
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        return really_open(path, *options, **named)

    monkeypatch.setattr(Path, "open", denied)
    monkeypatch.setattr(Path, "unlink", denied)
    code, errors = said(capsys, ["report", "o"])
    assert code == 3
    assert errors.startswith("dialogsmith: o/report.html: cannot be written (Read-only")


@pytest.mark.parametrize("cap", [None, 1500, 100], ids=["the same", "said again", "smaller"])
def test_cut_answers_are_not_paid_for_again_without_a_larger_cap(
    begun: list[str], capsys: pytest.CaptureFixture[str], cap: int | None
) -> None:
    assert said(capsys, begun)[0] == 0
    kept = Path("o/dialogues.jsonl").read_bytes()
    wanted = [] if cap is None else ["--set", f"writer.max_tokens={cap}"]
    code, errors = said(capsys, [*begun, "--retry-truncated", *wanted])
    assert code == 2
    assert "writer.max_tokens=1500" in errors
    assert Path("o/dialogues.jsonl").read_bytes() == kept


def test_a_target_that_is_too_large_is_wrong_use_from_python(tmp_path: Path) -> None:
    with pytest.raises(generator.WrongUse, match="too large"):
        generator.generate(RECIPE, "p.jsonl", out=tmp_path / "o", target=int(HUGE))


@pytest.mark.parametrize(
    "word",
    [
        "two words", "it's", 'a"b$HOME`c', "a\nb", "tab\there", "文档", "back\\slash\n'quote'",
        os.fsdecode(b"latin-\xff\xe9"), "--out=x", "*", "",
    ],
)  # fmt: skip
def test_the_command_to_go_on_reads_back_as_it_was_typed(word: str, tmp_path: Path) -> None:
    show = "import sys, os; sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, sys.argv[1:])))"
    command = resume_command(["dialogsmith", "generate", word, "end"], tmp_path)
    assert command.isprintable()
    words = command.partition(" ")[2]
    done = subprocess.run(
        ["bash", "-c", f'"$0" -c "$1" {words}',
         sys.executable, show],
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.split(b"\0") == [b"generate", os.fsencode(word), b"end"]


def test_the_command_to_go_on_finds_the_program_and_what_was_piped_in(tmp_path: Path) -> None:
    kept = tmp_path / "inputs" / "standard-input"
    kept.parent.mkdir()
    kept.write_text("text")
    elsewhere = str(tmp_path / "venv" / "dialogsmith")
    command = resume_command([elsewhere, "generate", "-"], tmp_path)
    assert command == f"{elsewhere} generate - < {kept}"
