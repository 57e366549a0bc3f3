"""Reads candidates for a run, where there is time for it.

Parser and filters take as long as all else that a call costs. A run whose own thread
is busy starts one process beside it that reads; one is enough, since it reads faster
than one thread can call. Reading is pure, so it does not matter who does it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from generator.candidates import judged
from generator.interpreting.child_process import ChildProcess
from generator.recipes.model import Candidate, Item, Reader, ReadingApart
from generator.store import VerdictColumns

WORKERS_WORTH_IT = 32
"""With fewer items in work, what another process adds in waiting is more than what it saves."""

_BUSY_SHARE = 0.5
_WATCHED_S = 0.5
_BUSY_PERIODS = 2
"""The first period of a run is busier than what follows: everything begins at once."""

_ENOUGH_WAITING = 256
"""A process that is so far behind is slower than the run, which then reads some itself."""


def cores_here() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return os.cpu_count() or 1 if affinity is None else len(affinity(0))


def _can_start() -> bool:
    """Whether this interpreter can be started again, with a socket: not in a frozen program."""
    return sys.platform != "win32" and not getattr(sys, "frozen", False)


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """The clocks (seconds) by which a thread knows how busy it is, and how many cores there are.

    `share` is how much of its time the thread must be busy, in two periods of `watched_s`
    seconds one after the other, before another process is started.
    """

    clock: Callable[[], float] = time.monotonic
    used: Callable[[], float] = time.thread_time
    cores: Callable[[], int] = cores_here
    share: float = _BUSY_SHARE
    watched_s: float = _WATCHED_S


class Interpreting:
    """Gives verdicts on candidates. `workers` is how many may be wanted at once."""

    def __init__(
        self, reader: Reader, *, workers: int = 1, processor: ProcessorTime | None = None
    ) -> None:
        self._reader = reader
        self._processor = processor or ProcessorTime()
        self._apart = reader.reader if isinstance(reader, ReadingApart) else None
        if workers < WORKERS_WORTH_IT or not _can_start() or self._processor.cores() < 2:
            self._apart = None
        self._child: ChildProcess | None = None
        self._starting: asyncio.Task[None] | None = None
        self._since = self._processor.clock()
        self._used: float | None = None
        self._busy_periods = 0

    async def verdict(self, item: Item, seq: int, candidate: Candidate) -> VerdictColumns:
        """The verdict on a candidate of `item`, which stands at `seq` in the input.

        Raises what the reader raises.
        """
        if self._apart is not None:
            child = self._child
            if child is None:
                self._start_if_busy(self._apart)
            elif child.ready and child.waiting < _ENOUGH_WAITING:
                columns = await child.ask(item, seq, candidate)
                if columns is not None:
                    return columns
        return judged(self._reader, item, seq, candidate)

    @property
    def process_id(self) -> int | None:
        """The process beside the run, once it reads and as long as it does."""
        return self._child.process_id if self._child is not None and self._child.ready else None

    def close(self) -> None:
        """End the process, if there is one."""
        if self._starting is not None:
            self._starting.cancel()
        if self._child is not None:
            self._child.close()

    def _start_if_busy(self, reader: Reader) -> None:
        processor = self._processor
        now = processor.clock()
        if self._used is not None and now - self._since < processor.watched_s:
            return
        used = processor.used()
        if self._used is not None:
            busy = used - self._used >= processor.share * (now - self._since)
            self._busy_periods = self._busy_periods + 1 if busy else 0
        if self._busy_periods == _BUSY_PERIODS:
            self._child = ChildProcess()
            self._starting = asyncio.ensure_future(self._child.start(reader))
        self._since, self._used = now, used
