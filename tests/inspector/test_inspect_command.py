"""`dialogsmith inspect` as a process: its address, its end, and wrong use."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.cli import main

WAIT_S = 60


@contextmanager
def inspecting(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process, and the address it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "generator.cli", "inspect", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
def test_it_prints_its_address_and_ends_when_told(mixed_run: Path, number: signal.Signals) -> None:
    with inspecting(str(mixed_run), "--no-open") as (process, url):
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(url, timeout=WAIT_S) as answer:
            assert b"Where the items went" in answer.read()
        process.send_signal(number)
        out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert out == ""
    assert err.endswith("inspect: ended\n")
    assert "Traceback" not in err


def test_a_port_of_ones_own(mixed_run: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with inspecting(str(mixed_run), "--no-open", "--port", str(port)) as (_, url):
        assert url == f"http://127.0.0.1:{port}/"


def test_the_browser_is_opened_unless_told_not_to(
    own_run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def open_then_end(url: str) -> bool:
        opened.append(url)
        signal.raise_signal(signal.SIGINT)
        return False

    monkeypatch.setattr("webbrowser.open", open_then_end)
    assert main(["inspect", str(own_run)]) == 0
    said = capsys.readouterr()
    assert opened == [said.out.strip()]
    assert "no browser could be opened" in said.err


def test_a_port_that_is_taken_is_said(mixed_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["inspect", str(mixed_run), "--no-open", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert f"port {port}" in said
    assert "--port" in said


@pytest.mark.parametrize("what", ["nothing", "an empty folder", "no store", "a file"])
def test_what_is_no_run_is_said(
    tmp_path: Path, mixed_run: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x"
    if what == "a file":
        path.write_text("hello", encoding="utf-8")
    elif what != "nothing":
        path.mkdir()
    if what == "no store":
        (path / "manifest.json").write_bytes((mixed_run / "manifest.json").read_bytes())
    assert main(["inspect", str(path), "--no-open"]) in (2, 3)
    said = capsys.readouterr().err
    assert said.startswith("dialogsmith: ")
    assert str(path) in said
    assert "Traceback" not in said


def test_another_run_to_compare_must_be_a_run(
    own_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(own_run), "--no-open", "--compare", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
