"""Yields, keys, prices and what a user sees of a run."""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from whole_runs import (
    ONE_CALL,
    SELF_PLAY,
    body_of,
    command,
    fake_server,
    finished,
    first_reasons,
    generate_command,
    hurried,
    lines,
    run,
    write_papers,
)

import generator
from generator.backends.scripted import Answer, Match, Script, ScriptLine
from generator.progress import SilentProgress, progress_for
from generator.report.html import write_report
from generator.report.terminal import describe_run


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("most", [1, 5])
def test_a_run_without_yield_ends_after_exactly_so_many_items(
    tmp_path: Path, lang: str, most: int
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 30, times=2)
    with fake_server("prose") as server:
        settings = {"recipe_settings": _settings(lang), "give_up_after": most}
        result = hurried(server, papers, tmp_path / "run", **settings)
        # One request an item, and one that was under way when the last verdict came.
        assert most <= server.stats()["requests"] <= most + 1
    assert isinstance(result.stopped, generator.RunStopped)
    assert f"none of the first {most} items was accepted" in str(result.stopped)
    reasons = set(first_reasons(tmp_path / "run").values())
    assert len(reasons) == 1
    assert reasons.pop() in str(result.stopped)
    assert str(result.counts["rejected"]) in describe_run(tmp_path / "run")


def _settings(lang: str) -> Any:
    from generator.recipes.model import RecipeSettings

    return RecipeSettings(lang=lang)


def test_one_accepted_item_is_enough_to_go_on(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12, times=2)
    with fake_server("prose=0.5") as server:
        result = hurried(server, papers, tmp_path / "run", give_up_after=6)
        assert server.stats()["requests"] == 12
    assert result.stopped is None
    assert 0 < result.counts["accepted"] < 12


def test_no_item_is_tried_without_end(tmp_path: Path) -> None:
    # Each answer of both sides is one and the same text, so that every turn is at fault.
    same = Script((ScriptLine(Answer("What is it about?")),))
    papers = write_papers(tmp_path / "papers.jsonl", 1)
    with fake_server(script=same) as server:
        result = run(server, papers, tmp_path / "run", recipe=SELF_PLAY)
        assert server.stats()["requests"] <= 9 + 2 * 9
    assert result.counts["rejected"] == 1


def test_samples_that_say_the_same_are_counted_once_and_reported(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 24, times=2)
    told = [_dialogue(n) for n in range(6)]
    script = Script(
        tuple(
            ScriptLine(Answer(told[n % 6]), Match(contains=(body_of(n, times=2),)))
            for n in range(24)
        )
    )
    with fake_server(script=script) as server:
        result = run(server, papers, tmp_path / "run")
    assert result.counts["accepted"] == 6
    reasons = list(first_reasons(tmp_path / "run").values())
    assert reasons == ["corpus/duplicate_dialogue"] * 18
    assert "corpus/duplicate_dialogue" in describe_run(tmp_path / "run")


def _dialogue(number: int) -> str:
    return (
        f"Summary: The desk number {number} sorts tide gauges and reads the old ones twice.\n"
        "Person: How are the gauges sorted?\n"
        "You: By the age of their last calibration.\n"
        f"Person: What happens to old gauges at desk {number}?\n"
        "You: Old gauges are read twice before their level enters the harbour chart.\n"
        "Person: How does a drifting gauge show?\n"
        "You: By a slope that its neighbours do not share.\n"
        "Person: What did the second reading replace?\n"
        "You: It replaced a costly satellite link.\n"
    )


@pytest.fixture
def empty_run(tmp_path: Path) -> Path:
    (tmp_path / "papers.jsonl").write_text('{"nothing": "here"}\n')
    generator.generate(
        ONE_CALL, tmp_path / "papers.jsonl", out=tmp_path / "run",
        model="openai:m@http://127.0.0.1:9/v1", environ={},
    )  # fmt: skip
    return tmp_path / "run"


def test_a_run_of_nothing_can_be_summed_up(empty_run: Path) -> None:
    summary = generator.summarise(empty_run)
    assert summary.yield_share is None
    assert summary.adds_up
    assert "0  accepted" in describe_run(empty_run)
    assert "accepted" in write_report(empty_run).read_text(encoding="utf-8")
    assert not generator.refilter(empty_run).moved


CANARY = "sk-canary-77d1f0"


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [CANARY, "another"], ids=["key taken", "key refused"])
def test_the_key_is_in_no_file_and_in_no_output(tmp_path: Path, wanted: str) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3, times=2)
    with fake_server("length=0.5", api_key=wanted, log=tmp_path / "log.jsonl") as server:
        arguments = generate_command(server, papers, tmp_path / "run")
        done = finished(arguments, DIALOGSMITH_API_KEY=CANARY)
        answered = server.stats()["answered"]
    assert (answered > 0) == (wanted == CANARY)
    assert done.returncode == (0 if wanted == CANARY else 3), done.stderr
    write_report(tmp_path / "run")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 9
    assert CANARY not in done.stdout + done.stderr
    for path in written:
        assert CANARY.encode() not in path.read_bytes(), path


@pytest.fixture
def terminal() -> Iterator[tuple[Any, int]]:
    """A stream that is a terminal of 120 columns, and where to read what it shows."""
    termios = pytest.importorskip("termios")
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 120))
    with open(slave, "w", encoding="utf-8") as stream:
        yield stream, master
    os.close(master)


def test_the_stream_that_is_written_to_decides_about_the_bar(
    terminal: tuple[Any, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, _ = terminal
    monkeypatch.setattr(sys, "stdout", stream)
    pipe = io.StringIO()
    now = iter(range(0, 1000, 4))
    progress = progress_for(pipe, clock=lambda: float(next(now)))
    progress.start(200)
    for _ in range(100):
        progress.item("accepted")
    progress.close()
    told = pipe.getvalue()
    assert "\r" not in told
    # Four seconds an item, one line in ten seconds at most.
    assert 20 <= len(told.splitlines()) <= 40
    assert told.splitlines()[-1].startswith("99 of 200 items: accepted 99")


def test_a_terminal_gets_one_bar_that_is_closed_with_its_last_count(
    terminal: tuple[Any, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, master = terminal
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    progress = progress_for(stream, clock=lambda: 0.0)
    progress.start(3)
    for place in ("accepted", "rejected", "failed"):
        progress.item(place)
    progress.close()
    progress.close()
    raw = b""
    # A terminal hands over what there is, in pieces.
    while not raw.endswith(b"\n") and select.select([master], [], [], 5)[0]:
        raw += os.read(master, 100_000)
    shown = raw.decode()
    assert "\r" in shown
    assert "3/3" in shown
    assert "accepted 1, rejected 1, failed 1" in shown
    assert shown.endswith("\n")
    assert shown.count("\n") == 1


class Counting(SilentProgress):
    """Counts how often it is begun and ended."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def start(self, total: int | None) -> None:
        self.told.append("start")

    def close(self) -> None:
        self.told.append("close")


@pytest.mark.parametrize("fault", ["quota", "bad_request", "length=0.5"])
def test_the_display_is_closed_however_a_run_ends(tmp_path: Path, fault: str) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3, times=2)
    shown = Counting()
    with fake_server(fault) as server:
        hurried(server, papers, tmp_path / "run", progress=shown)
    assert shown.told == ["start", "close"]


def test_an_unknown_price_is_unknown_in_the_files(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 2, times=2)
    prices = tmp_path / "prices.json"
    prices.write_text('{"fake": {"input": 1, "output": 2}}')
    with fake_server() as server:
        run(server, papers, tmp_path / "run")
        run(server, papers, tmp_path / "priced", prices=prices)
    assert [o["cost"] for o in lines(tmp_path / "run" / "provenance.jsonl")] == [None, None]
    assert all(o["cost"] > 0 for o in lines(tmp_path / "priced" / "provenance.jsonl"))


@pytest.mark.slow
def test_a_run_that_yields_nothing_says_so_on_the_command_line(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 6, times=2)
    with fake_server("prose") as server:
        done = finished(generate_command(server, papers, tmp_path / "run", "--give-up-after", 3))
    assert done.returncode == 3
    assert "none of the first 3 items was accepted" in done.stderr
    assert "parse/not_a_dialogue" in done.stdout
    shown = finished(command("rejects", tmp_path / "run", "--reason", "not_a_dialogue"))
    assert "parse/not_a_dialogue" in shown.stdout
    assert "  | " in shown.stdout
