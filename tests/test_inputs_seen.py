"""Inputs that a run has read are not read again to know them; a change is never missed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import generator
from generator.errors import SettingsDiffer, WrongUse
from generator.inputs_seen import SETTLED_S, InputsSeen, fingerprint_inputs, see_inputs

LATER_S = 60.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    papers = tmp_path / "papers"
    (papers / "deep").mkdir(parents=True)
    (papers / "a.jsonl").write_text('{"title": "A"}\n', encoding="utf-8")
    (papers / "deep" / "b.jsonl").write_text('{"title": "B"}\n', encoding="utf-8")
    return papers


def later() -> float:
    """A time of day at which the files just written have settled."""
    return time.time() + LATER_S


def seen(paths: list[Path], known: InputsSeen | None = None) -> InputsSeen:
    return see_inputs(paths, known, now=later())


def unreadable(*_: object) -> str:
    raise AssertionError("the inputs were read again")


def test_unchanged_inputs_are_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = seen([folder])
    assert known.contents == fingerprint_inputs([folder])
    monkeypatch.setattr("generator.inputs_seen.fingerprint_inputs", unreadable)
    assert seen([folder], known) == known
    assert seen([folder], InputsSeen.from_json(known.to_json())) == known


def rewrite_unnoticeably(folder: Path) -> None:
    """Other words of the same length, and the time of the last change set back."""
    file = folder / "a.jsonl"
    before = file.stat()
    file.write_text('{"title": "Z"}\n', encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(folder: Path) -> None:
    """Another file of the same length and time takes its place."""
    new = folder.parent / "new"
    new.write_text('{"title": "Z"}\n', encoding="utf-8")
    shutil.copystat(folder / "a.jsonl", new)
    new.replace(folder / "a.jsonl")


def append(folder: Path) -> None:
    with (folder / "deep" / "b.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"title": "C"}\n')


def rename(folder: Path) -> None:
    (folder / "a.jsonl").rename(folder / "z.jsonl")


def add(folder: Path) -> None:
    (folder / "c.jsonl").write_text("", encoding="utf-8")


def remove(folder: Path) -> None:
    (folder / "deep" / "b.jsonl").unlink()


@pytest.mark.skipif(os.name == "nt", reason="needs the time at which a file's entry changed")
@pytest.mark.parametrize("change", [rewrite_unnoticeably, replace, append, rename, add, remove])
def test_no_change_is_missed(folder: Path, change: Callable[[Path], None]) -> None:
    known = seen([folder])
    change(folder)
    changed = seen([folder], known)
    assert changed.contents == fingerprint_inputs([folder])
    assert changed.contents != known.contents


def test_a_touched_file_is_read_again_and_found_the_same(folder: Path) -> None:
    known = seen([folder])
    os.utime(folder / "a.jsonl", (1, 1))
    touched = seen([folder], known)
    assert touched.contents == known.contents
    assert touched.state != known.state


def test_files_changed_a_moment_ago_are_read_each_time(folder: Path) -> None:
    newest = max(file.stat().st_ctime for file in folder.rglob("*.jsonl"))
    assert see_inputs([folder], now=newest + 0.9 * SETTLED_S).state is None
    assert see_inputs([folder], now=newest + 1.1 * SETTLED_S).state is not None


def test_doubt_on_both_sides_is_no_agreement(folder: Path) -> None:
    newest = max(file.stat().st_ctime for file in folder.rglob("*.jsonl"))
    wrong = InputsSeen("0" * 64, None)
    assert see_inputs([folder], wrong, now=newest).contents == fingerprint_inputs([folder])


def test_inputs_that_are_gone_are_named(folder: Path) -> None:
    known = seen([folder])
    with pytest.raises(WrongUse, match=r"gone\.jsonl"):
        seen([folder / "gone.jsonl"], known)


def generate(papers: Path, out: Path) -> generator.RunResult:
    script = out.parent / "script.jsonl"
    script.write_text('{"text": "No."}\n', encoding="utf-8")
    return generator.generate(
        "paperpersichat-davinci", [papers], out=out, model=f"scripted:{script}"
    )


def settle(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what was written count as written long ago."""
    monkeypatch.setattr("generator.inputs_seen.SETTLED_S", -LATER_S)


def test_a_resumed_run_does_not_read_its_inputs_to_know_them(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(folder, monkeypatch)
    first = generate(folder, tmp_path / "run")
    monkeypatch.setattr("generator.inputs_seen.fingerprint_inputs", unreadable)
    assert generate(folder, tmp_path / "run").counts == first.counts


def test_a_resumed_run_refuses_changed_inputs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(folder, monkeypatch)
    generate(folder, tmp_path / "run")
    append(folder)
    with pytest.raises(SettingsDiffer, match="input"):
        generate(folder, tmp_path / "run")
    # What was refused is not remembered as if it were the run's.
    with pytest.raises(SettingsDiffer, match="input"):
        generate(folder, tmp_path / "run")
