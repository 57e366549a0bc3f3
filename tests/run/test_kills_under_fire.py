"""A hundred kills against a faulty server: nothing lost, nothing paid for twice, the same files."""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpus import write_papers

import generator
from generator.fakeserver import FakeServer, FakeServerSettings, parse_fault, parse_latency
from generator.store import RunStore

RECIPE = "paperpersichat-davinci"
ITEMS, KILLS, CONCURRENCY = 300, 100, 8
FAULTS = (
    "rate_limit_ms:20=0.06", "server_error=0.03", "torn_body=0.03", "reset=0.02",
    "choices_null=0.02", "html_200=0.02", "error_object_in_200=0.02", "refusal=0.03",
    "length=0.03", "content_filter_200=0.02", "usage_missing=0.02",
)  # fmt: skip
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")


def stored(run: Path) -> set[str]:
    """The request hashes of all calls that are in the store."""
    if not (run / "store.sqlite").exists():
        return set()
    store = RunStore(run / "store.sqlite", create=True, writable=False)
    rows = store._reader.execute("SELECT request_hash FROM calls").fetchall()
    store.close()
    return {row[0] for row in rows}


def answered(server: FakeServer) -> list[str]:
    """The request hashes the server has answered with something usable, in order."""
    return [entry.request for entry in server.entries() if entry.answered]


def let_run(
    process: subprocess.Popen[bytes], server: FakeServer, *, answers: int, seconds: float
) -> None:
    """Until the server has given some more answers, or for so long (starting takes a while)."""
    enough = server.stats()["answered"] + answers
    ends = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < ends:
        if answers and server.stats()["answered"] >= enough:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.003)


def kill_until_done(
    command: list[str], out: Path, server: FakeServer, rng: random.Random, kills_left: int
) -> int:
    """Start, kill, start again, until the run is done or enough was killed; how many kills."""
    kills = lost = 0
    seen = len(answered(server))
    done: set[str] = set()
    while True:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if kills < kills_left:
            seconds = rng.choice((0.2, 0.5, 0.8, 9, 9, 9))
            let_run(process, server, answers=rng.randint(0, 5), seconds=seconds)
        else:
            process.wait(300)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        answers = answered(server)
        # What was stored before this start is never asked for again.
        assert not done & set(answers[seen:])
        newly = len(answers) - seen
        seen = len(answers)
        before, done = len(done), stored(out)
        lost = newly - (len(done) - before)
        assert 0 <= lost <= CONCURRENCY
        if process.returncode == 0:
            return kills
        assert process.returncode == -signal.SIGKILL, process.returncode


@pytest.mark.slow
def test_a_hundred_kills_leave_the_files_of_an_uninterrupted_run(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", ITEMS)
    settings = FakeServerSettings(
        seed=5,
        latency=parse_latency("uniform:0.05,0.25"),
        faults=tuple(parse_fault(text) for text in FAULTS),
    )
    with FakeServer(settings) as server:
        model = f"openai:fake@{server.base_url}"
        generator.generate(RECIPE, papers, out=tmp_path / "whole", model=model, concurrency=32)
        rng = random.Random(17)
        kills = rounds = 0
        while kills < KILLS:
            rounds += 1
            out = tmp_path / f"killed{rounds}"
            command = [
                sys.executable, "-m", "generator.cli", "generate", RECIPE, str(papers), "--quiet",
                "--out", str(out), "--model", model, "--concurrency", str(CONCURRENCY),
                "--set", "retry.first_wait_s=0.02",
            ]  # fmt: skip
            kills += kill_until_done(command, out, server, rng, KILLS - kills)
            for view in VIEWS:
                assert (out / view).read_bytes() == (tmp_path / "whole" / view).read_bytes()
    assert kills >= KILLS
