"""Whoever reads a candidate, the verdict is the same; and a run never depends on its helper."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from judged_runs import make_run, make_talks, varied_answers, varied_talks

from generator.candidates import judged, stored_candidate
from generator.interpreting import Interpreting, ProcessorTime
from generator.judging import reader_of_run, settings_of_run
from generator.recipes.model import Candidate, Interpretation, Item, Reader
from generator.run_directory import RunDirectory
from generator.store import RunStore, VerdictColumns

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no process beside a run is started on Windows"
)

ALWAYS_BUSY = ProcessorTime(cores=lambda: 2, share=-1.0, watched_s=0.0)


@dataclass(frozen=True)
class Recipe:
    """What `Interpreting` sees of a prepared recipe."""

    reader: Reader

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        return self.reader.interpret(item, candidate)

    def corpus_judge(self) -> None:
        return None


Work = tuple[Item, int, Candidate]


def work_of(run: Path) -> tuple[Recipe, list[Work]]:
    """A run's reader and all that it has read, from its store."""
    manifest = RunDirectory(run).read_manifest()
    recipe, settings = settings_of_run(manifest)
    store = RunStore(RunDirectory(run).store, create=False, writable=False)
    try:
        work = [
            (
                Item(item.key, item.id, item.source, item.line, item.payload),
                item.seq,
                stored_candidate(store, verdict),
            )
            for item, verdict in store.judged()
        ]
    finally:
        store.close()
    return Recipe(reader_of_run(manifest, recipe, settings)), work


@pytest.fixture(scope="module")
def one_call(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recipe, list[Work]]:
    return work_of(make_run(tmp_path_factory.mktemp("calls"), varied_answers()))


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recipe, list[Work]]:
    return work_of(make_talks(tmp_path_factory.mktemp("talks"), varied_talks()))


@asynccontextmanager
async def reading_apart(recipe: Recipe, first: Work) -> AsyncIterator[Interpreting]:
    """An `Interpreting` whose process is there and reads."""
    interpreting = Interpreting(recipe, workers=64, processor=ALWAYS_BUSY)
    try:
        async with asyncio.timeout(60):
            while interpreting.process_id is None:
                await interpreting.verdict(*first)
                await asyncio.sleep(0)
        yield interpreting
    finally:
        interpreting.close()


def alone(recipe: Recipe, work: list[Work]) -> list[VerdictColumns]:
    return [judged(recipe, *one) for one in work]


async def all_of(interpreting: Interpreting, work: list[Work]) -> list[VerdictColumns]:
    return await asyncio.gather(*(interpreting.verdict(*one) for one in work))


@pytest.mark.parametrize("kind", ["one_call", "talks"])
def test_a_process_beside_the_run_reads_as_the_run_does(
    kind: str, request: pytest.FixtureRequest
) -> None:
    recipe, work = request.getfixturevalue(kind)
    # Copies enough for many batches.
    work = work * 12

    async def main() -> None:
        async with reading_apart(recipe, work[0]) as interpreting:
            assert await all_of(interpreting, work) == alone(recipe, work)
            assert interpreting.process_id is not None

    asyncio.run(main())


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("moment", ["before", "within"])
def test_a_killed_process_costs_no_verdict(
    moment: str, one_call: tuple[Recipe, list[Work]]
) -> None:
    recipe, work = one_call
    work = work * 12

    async def main() -> None:
        async with reading_apart(recipe, work[0]) as interpreting:
            pid = interpreting.process_id
            assert pid is not None
            if moment == "within":
                asked = asyncio.ensure_future(all_of(interpreting, work))
                await asyncio.sleep(0)
                kill(pid)
                found = await asked
            else:
                kill(pid)
                found = await all_of(interpreting, work)
            assert found == alone(recipe, work)
            assert interpreting.process_id is None

    asyncio.run(main())


def test_signals_for_the_run_leave_the_process_beside_it_alone(
    one_call: tuple[Recipe, list[Work]],
) -> None:
    recipe, work = one_call

    async def main() -> None:
        async with reading_apart(recipe, work[0]) as interpreting:
            pid = interpreting.process_id
            assert pid is not None
            os.kill(pid, signal.SIGINT)
            os.kill(pid, signal.SIGTERM)
            assert await all_of(interpreting, work) == alone(recipe, work)
            assert interpreting.process_id == pid

    asyncio.run(main())


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_secrets_of_the_environment_do_not_reach_the_process(
    one_call: tuple[Recipe, list[Work]], monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, work = one_call
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-others")

    async def main() -> None:
        async with reading_apart(recipe, work[0]) as interpreting:
            environ = Path(f"/proc/{interpreting.process_id}/environ").read_bytes()
            assert b"PYTHONPATH=" in environ
            assert b"sk-not-for-others" not in environ

    asyncio.run(main())


@dataclass(frozen=True)
class Failing:
    """A reader that fails at every candidate but those without an answer."""

    inner: Reader

    def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
        if candidate.answers:
            raise ZeroDivisionError(item.id)
        return self.inner.interpret(item, candidate)

    def corpus_judge(self) -> None:
        return None


def test_what_a_reader_raises_is_raised_in_the_run(one_call: tuple[Recipe, list[Work]]) -> None:
    recipe, work = one_call
    failing = Recipe(Failing(recipe.reader))
    item, seq, _ = work[0]

    async def main() -> None:
        async with reading_apart(failing, (item, seq, Candidate())) as interpreting:
            with pytest.raises(ZeroDivisionError, match=item.id.replace(".", r"\.")):
                await interpreting.verdict(*work[0])
            assert interpreting.process_id is not None

    asyncio.run(main())


def unpicklable(reader: Reader) -> Reader:
    class Local(Failing):
        """A class that no other process can import."""

        def interpret(self, item: Item, candidate: Candidate) -> Interpretation:
            return self.inner.interpret(item, candidate)

    return Local(reader)


def unchanged(reader: Reader) -> Reader:
    return reader


@pytest.mark.parametrize(
    ("made", "workers", "processor"),
    [
        pytest.param(unpicklable, 64, ALWAYS_BUSY, id="reader-that-no-pickle-holds"),
        pytest.param(unchanged, 4, ALWAYS_BUSY, id="few-workers"),
        pytest.param(
            unchanged, 64, ProcessorTime(cores=lambda: 1, share=-1.0, watched_s=0.0), id="one-core"
        ),
        pytest.param(
            unchanged, 64, ProcessorTime(cores=lambda: 2, share=2.0, watched_s=0.0), id="not-busy"
        ),
    ],
)
def test_a_run_reads_by_itself_where_it_must_or_where_nothing_is_gained(
    made: Callable[[Reader], Reader],
    workers: int,
    processor: ProcessorTime,
    one_call: tuple[Recipe, list[Work]],
) -> None:
    recipe, work = one_call
    here = Recipe(made(recipe.reader))

    async def main() -> None:
        interpreting = Interpreting(here, workers=workers, processor=processor)
        try:
            for _ in range(3):
                assert await all_of(interpreting, work) == alone(recipe, work)
                assert interpreting.process_id is None
        finally:
            interpreting.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("used_s", "started"),
    [
        pytest.param((0, 1, 1, 1, 1, 1), False, id="busy-as-it-begins"),
        pytest.param((0, 1, 1, 2, 2, 3), False, id="busy-now-and-then"),
        pytest.param((0, 1, 2, 2, 2, 2), True, id="busy-twice-in-a-row"),
        pytest.param((0, 0, 0, 1, 2, 2), True, id="busy-later"),
    ],
)
def test_a_process_is_started_for_a_run_that_stays_busy(
    used_s: tuple[int, ...],
    started: bool,
    one_call: tuple[Recipe, list[Work]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe, work = one_call
    asked: list[object] = []

    def start(*given: object, **_: object) -> None:
        asked.append(given)
        raise OSError("none is to be had")

    monkeypatch.setattr("generator.interpreting.child_process.subprocess.Popen", start)
    seconds, used = count(), iter(used_s)
    processor = ProcessorTime(
        clock=lambda: float(next(seconds)), used=lambda: float(next(used)), cores=lambda: 2
    )

    async def main() -> None:
        interpreting = Interpreting(recipe, workers=64, processor=processor)
        try:
            for _ in used_s[:-1] if started else used_s:
                await interpreting.verdict(*work[0])
                await asyncio.sleep(0)
        finally:
            interpreting.close()

    asyncio.run(main())
    assert bool(asked) is started


OUTLIVED = """
import asyncio, os, sys
sys.path[:0] = {paths!r}
from test_interpreting import reading_apart, work_of
async def main():
    recipe, work = work_of(__import__("pathlib").Path({run!r}))
    async with reading_apart(recipe, work[0]) as interpreting:
        print(interpreting.process_id, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd_open")
def test_the_process_ends_with_its_run_even_when_that_is_killed(tmp_path: Path) -> None:
    run = make_run(tmp_path, varied_answers()[:2])
    here = Path(__file__).parent
    program = OUTLIVED.format(paths=[str(here), str(here.parent)], run=str(run))
    started: subprocess.Popen[Any] = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE
    )
    assert started.stdout is not None
    try:
        watched = os.pidfd_open(int(started.stdout.readline()))
    finally:
        started.kill()
        started.wait()
        started.stdout.close()
    try:
        ended, _, _ = select.select([watched], [], [], 60)
        assert ended == [watched]
    finally:
        os.close(watched)
