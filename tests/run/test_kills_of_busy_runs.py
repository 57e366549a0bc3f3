"""Kills while a second process reads for the run, and while the line files are being written."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from corpus import write_papers
from test_kills_under_fire import VIEWS, answered, stored

from generator.fakeserver import FakeServer, FakeServerSettings, parse_fault, parse_latency

ITEMS, CONCURRENCY = 400, 40
KILLS_AT_WORK, KILLS_AT_THE_FILES = 8, 2
LEAST_AT_WORK = 2
"""On a slow machine the run ends before it was killed so often."""

MOST_TRIES = 20
"""Line files are written so fast that some kills come too late."""

READS_S = 0.6
"""About what a reading process takes until it reads; some kills come before, some behind it."""

BUSY_RUN = """
import asyncio, sys
from pathlib import Path
from generator.interpreting import ProcessorTime
from generator.job import run_job
from generator.progress import SilentProgress
from generator.settings import RunSettings

papers, out, model, concurrency = sys.argv[1:]
settings = RunSettings(
    recipe="paperpersichat-davinci", inputs=(papers,), out=Path(out), model=model,
    concurrency=int(concurrency),
)
busy = ProcessorTime(share=0.0, watched_s=0.0, cores=lambda: 2)
result = asyncio.run(run_job(settings, environ={}, progress=SilentProgress(), processor=busy))
sys.exit(0 if result.complete else 3)
"""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists() or sys.platform == "win32", reason="needs /proc"
)


def readers_of(process_id: int) -> list[int]:
    """The processes that read for the run in a process."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{process_id}/task").glob("*/children"):
            for child in task.read_text().split():
                command = Path(f"/proc/{child}/cmdline").read_bytes()
                found += [int(child)] if b"generator.interpreting.child" in command else []
    return found


def is_alive(process_id: int) -> bool:
    try:
        state = (
            Path(f"/proc/{process_id}/stat")
            .read_text(encoding="utf-8")
            .rpartition(")")[2]
            .split()[0]
        )
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def wait_for(true: Callable[[], object], process: subprocess.Popen[bytes]) -> bool:
    """Look until it is true; False where the process has ended before."""
    while process.poll() is None:
        if true():
            return True
        time.sleep(0.001)
    return False


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a run; what reads for it must end by itself."""
    readers = readers_of(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    ends = time.monotonic() + 20
    while any(map(is_alive, readers)):
        assert time.monotonic() < ends, "a reading process outlives its run"
        time.sleep(0.005)


class ReaderThere:
    """True once a process has read for the run for so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: float | None = None

    def __call__(self, process_id: int) -> bool:
        if not readers_of(process_id):
            return False
        if self._since is None:
            self._since = time.monotonic()
        return time.monotonic() - self._since >= self._seconds


class BeingWritten:
    """True so many seconds after a line file has begun to be written."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._path = path
        self._seconds = seconds

    def __call__(self, process_id: int) -> bool:
        if not self._path.exists():
            return False
        time.sleep(self._seconds)
        return True


@pytest.mark.slow
def test_kills_of_a_run_that_reads_in_a_second_process(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", ITEMS)
    faults = ("torn_body=0.02", "refusal=0.03", "length=0.03")
    settings = FakeServerSettings(
        seed=5,
        latency=parse_latency("uniform:0.2,0.6"),
        faults=tuple(parse_fault(text) for text in faults),
    )
    rng = random.Random(23)
    with FakeServer(settings) as server:

        def start(out: Path, concurrency: int = CONCURRENCY) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                [sys.executable, "-c", BUSY_RUN, str(papers), str(out),
                 f"openai:fake@{server.base_url}", str(concurrency)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip

        assert start(tmp_path / "whole", concurrency=200).wait(300) == 0
        out = tmp_path / "killed"
        done: set[str] = set()

        def killed_when(reached: Callable[[int], bool]) -> bool:
            """Start the run, kill it then; what was stored before must not be asked again."""
            nonlocal done
            seen = len(answered(server))
            process = start(out)
            hit = wait_for(lambda: reached(process.pid), process)
            if hit:
                kill(process)
            assert not done & set(answered(server)[seen:])
            done = stored(out)
            return hit

        in_the_middle = 0
        for _ in range(KILLS_AT_WORK):
            if not killed_when(ReaderThere(rng.uniform(0.0, 2 * READS_S))):
                break
            in_the_middle += 0 < len(done) < ITEMS
        assert in_the_middle >= LEAST_AT_WORK
        assert start(out).wait(300) == 0
        done = stored(out)
        assert len(done) == ITEMS
        at_files = 0
        for _ in range(MOST_TRIES):
            view = out / f".{rng.choice(VIEWS)}.tmp"
            at_files += killed_when(BeingWritten(view, rng.uniform(0, 0.02)))
            if at_files == KILLS_AT_THE_FILES:
                break
        assert at_files
        asked = len(answered(server))
        assert start(out).wait(300) == 0
        assert len(answered(server)) == asked
    for view in VIEWS:
        assert (out / view).read_bytes() == (tmp_path / "whole" / view).read_bytes()
    assert not [path for path in os.listdir(out) if path.endswith(".tmp")]
