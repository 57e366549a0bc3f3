"""The live line tells the yield and which reasons cost most of it, while a run goes on."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from corpus import good_dialogue, write_papers, write_script

import generator
from generator.progress import BarProgress, LineProgress, SilentProgress

RECIPE = "paperpersichat-davinci"


class Clock:
    """Every look is eleven seconds after the one before."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 11
        return self.now


def last_line(codes: dict[str, int], accepted: int = 0, failed: int = 0) -> str:
    stream = io.StringIO()
    shown = LineProgress(stream, clock=Clock())
    shown.start(None)
    for _ in range(accepted):
        shown.item("accepted")
    for code, times in codes.items():
        for _ in range(times):
            shown.reason(code)
            shown.item("rejected")
    for _ in range(failed):
        shown.item("failed")
    return stream.getvalue().splitlines()[-1]


def test_the_three_most_frequent_reasons_are_named_and_the_others_counted() -> None:
    line = last_line({"loop": 2, "echo": 4, "empty": 1, "refusal": 3, "leak": 1}, accepted=9)
    assert "yield 45.0% (echo 4, refusal 3, loop 2, 2 other), tokens" in line
    assert line.startswith("20 items: accepted 9, rejected 11, failed 0, ")


def test_without_a_rejection_only_the_yield_is_told() -> None:
    assert "failed 0, yield 100.0%, tokens" in last_line({}, accepted=3)


def test_failed_items_are_no_part_of_the_yield() -> None:
    assert "yield 50.0% (echo 1)" in last_line({"echo": 1}, accepted=1, failed=7)


def test_before_anything_is_judged_no_yield_is_told() -> None:
    assert "yield" not in last_line({}, failed=2)


def test_the_bar_tells_the_same() -> None:
    stream = io.StringIO()
    bar = BarProgress(stream)
    bar.start(2)
    bar.item("accepted")
    bar.reason("echo")
    bar.item("rejected")
    bar.close()
    assert "accepted 1, rejected 1, failed 0, yield 50.0% (echo 1)" in stream.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
def test_a_terminal_that_does_not_know_its_width_shows_the_bar_too() -> None:
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as shown, open(theirs, "w", encoding="utf-8") as terminal:
        assert os.get_terminal_size(theirs).columns == 0
        bar = BarProgress(terminal)
        bar.start(2)
        bar.waiting("waiting 42 s: 429 ×17")
        bar.close()
        terminal.flush()
        assert "waiting 42 s: 429 ×17" in shown.read(10_000).decode()


class Noted(SilentProgress):
    def __init__(self) -> None:
        self.told: list[str] = []

    def reason(self, code: str) -> None:
        self.told.append(code)

    def item(self, place: str) -> None:
        self.told.append(place)

    def resumed(self, accepted: int, rejected: int) -> None:
        self.told.append("resumed accepted" if accepted else "resumed rejected")


def test_a_run_tells_the_reason_before_the_item_and_again_when_it_is_resumed(
    tmp_path: Path,
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3)
    script = write_script(
        tmp_path / "script.jsonl",
        {0: {"text": ""}, 2: {"text": good_dialogue(2), "finish_reason": "length"}},
        3,
    )
    shown = Noted()
    options = {"out": tmp_path / "run", "model": f"scripted:{script}", "concurrency": 1}
    generator.generate(RECIPE, papers, **options, progress=shown)  # type: ignore[arg-type]
    assert shown.told == ["empty_answer", "rejected", "accepted", "truncated", "rejected"]
    again = Noted()
    generator.generate(RECIPE, papers, **options, progress=again)  # type: ignore[arg-type]
    assert again.told == [
        "empty_answer", "resumed rejected", "resumed accepted", "truncated", "resumed rejected",
    ]  # fmt: skip
