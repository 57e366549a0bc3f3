"""A run whose candidates another process reads, killed or not, writes the same files."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from judged_runs import RECIPE, paper, view_bytes
from test_interpreting import ALWAYS_BUSY

from generator.fakeserver import FakeServer, FakeServerSettings
from generator.interpreting import ProcessorTime
from generator.job import run_job
from generator.progress import SilentProgress
from generator.settings import RunSettings

ITEMS = 700
ALONE = ProcessorTime(cores=lambda: 1)

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists() or sys.platform == "win32", reason="needs /proc"
)


def readers_of_this_process() -> list[int]:
    """The processes that read for a run of this one."""
    return [
        int(pid)
        for thread in Path("/proc/self/task").iterdir()
        for pid in content(thread / "children").split()
        if b"generator.interpreting.child" in content(Path("/proc", pid.decode(), "cmdline"))
    ]


def content(path: Path) -> bytes:
    """What the file holds: nothing once its thread or process has ended."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


class Killing(SilentProgress):
    """Kills the reading process once it has been there for so many items; `seen`: it was there."""

    def __init__(self, after: int | None) -> None:
        self._after = after
        self._items = 0
        self.seen = 0

    def item(self, place: str) -> None:
        found = readers_of_this_process()
        self.seen += bool(found)
        if found and self.seen == self._after:
            os.kill(found[0], signal.SIGKILL)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer(FakeServerSettings(seed=5)) as running:
        yield running


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    path.write_text("".join(json.dumps(paper(n)) + "\n" for n in range(ITEMS)), encoding="utf-8")
    return path


def run(
    server: FakeServer, papers: Path, out: Path, processor: ProcessorTime, progress: Killing
) -> dict[str, bytes]:
    settings = RunSettings(
        recipe=RECIPE, inputs=(str(papers),), out=out, concurrency=40,
        model=f"openai:fake@{server.base_url}",
    )  # fmt: skip
    result = asyncio.run(run_job(settings, environ={}, progress=progress, processor=processor))
    assert result.complete
    assert result.counts["items"] == result.counts["calls"] == ITEMS
    return view_bytes(out)


@pytest.fixture(scope="module")
def alone(
    server: FakeServer, papers: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, bytes]:
    progress = Killing(None)
    views = run(server, papers, tmp_path_factory.mktemp("alone") / "run", ALONE, progress)
    assert not progress.seen
    return views


@pytest.mark.parametrize(
    "killed_after", [None, 1, 250], ids=["left-alone", "killed-as-it-starts", "killed-at-work"]
)
def test_the_files_do_not_depend_on_who_reads(
    killed_after: int | None,
    server: FakeServer,
    papers: Path,
    alone: dict[str, bytes],
    tmp_path: Path,
) -> None:
    progress = Killing(killed_after)
    assert run(server, papers, tmp_path / "run", ALWAYS_BUSY, progress) == alone
    assert progress.seen
    assert not readers_of_this_process()
