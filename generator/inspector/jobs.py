"""Work that takes longer than a page may: in threads, with progress, results kept for a while."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from generator.errors import DialogsmithError

_KEPT = 6


class Stopped(DialogsmithError):
    """The work is not wanted any more."""


@dataclass(slots=True)
class Job:
    """A piece of work: `phase`, `done` of `total`; then a `result`, or the `error` in words."""

    number: int
    kind: str
    phase: str = "starting"
    done: int = 0
    total: int = 0
    finished: bool = False
    result: Any = None
    error: str | None = None
    _stop: threading.Event = field(default_factory=threading.Event)

    def tell(self, phase: str, done: int, total: int) -> None:
        """Note progress. Raises `Stopped` when the work is to end."""
        self.phase, self.done, self.total = phase, done, total
        if self._stop.is_set():
            raise Stopped("stopped")

    def stopped(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number, "phase": self.phase, "done": self.done, "total": self.total,
            "finished": self.finished, "error": self.error,
        }  # fmt: skip


class Jobs:
    """The pieces of work of one inspector; of each kind one runs at a time."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._count = 0

    def ask(self, kind: str, key: Hashable, work: Callable[[Job], Any]) -> Job:
        """The work known by `key`: running, done, or begun now; another of its kind is stopped."""
        with self._lock:
            known = self._jobs.get((kind, key))
            if known is not None and not known.stopped():
                self._jobs.move_to_end((kind, key))
                return known
            for other in self._jobs.values():
                if other.kind == kind and not other.finished:
                    other.stop()
            self._count += 1
            job = Job(self._count, kind)
            self._jobs[kind, key] = job
            for old in [k for k, j in self._jobs.items() if j.finished][:-_KEPT]:
                del self._jobs[old]
        threading.Thread(target=_run, args=(job, work), name=f"job-{kind}", daemon=True).start()
        return job

    def known(self, kind: str, key: Hashable) -> Job | None:
        """The work known by `key`, if it was asked for."""
        with self._lock:
            return self._jobs.get((kind, key))

    def numbered(self, number: int) -> Job | None:
        with self._lock:
            return next((job for job in self._jobs.values() if job.number == number), None)

    def close(self) -> None:
        """Tell everything that runs to end."""
        with self._lock:
            for job in self._jobs.values():
                job.stop()


def _run(job: Job, work: Callable[[Job], Any]) -> None:
    try:
        job.result = work(job)
    except DialogsmithError as error:
        job.error = str(error)
    except Exception as error:
        job.error = f"the work failed: {error!r}"
    finally:
        job.finished = True
