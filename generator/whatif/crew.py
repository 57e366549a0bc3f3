"""Reading samples again on every core: worker processes, fed once, heard as they answer."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from generator.errors import StoreFault
from generator.whatif.rejudging import Outcome
from generator.whatif.worker import Order

_LOOK_AROUND_S = 0.1

Batch = list[Outcome]


def outcomes_of(order: Order, shares: Sequence[array[int]]) -> Iterator[Batch | None]:
    """What worker processes, one a share, find at those places; None now and then while they work.

    Ending the iteration ends the processes. Raises `StoreFault` when one of them fails.
    """
    heard: queue.SimpleQueue[list[Any] | str | None] = queue.SimpleQueue()
    workers = [_Worker(order, share, heard) for share in shares]
    try:
        working = len(workers)
        while working:
            try:
                told = heard.get(timeout=_LOOK_AROUND_S)
            except queue.Empty:
                yield None
                continue
            if told is None:
                working -= 1
            elif isinstance(told, str):
                raise StoreFault(f"reading the stored answers again failed: {told}")
            else:
                yield [Outcome(*line) for line in told]
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """One process and the thread that listens to it."""

    def __init__(
        self, order: Order, share: array[int], heard: queue.SimpleQueue[list[Any] | str | None]
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "generator.whatif.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._heard = heard
        self._ended = False
        self._thread = threading.Thread(
            target=self._listen, args=(order.to_line() + share.tobytes(),), daemon=True
        )
        self._thread.start()

    def _listen(self, told: bytes) -> None:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with suppress(OSError):
            process.stdin.write(told)
            process.stdin.close()
        for line in process.stdout:
            value = json.loads(line)
            self._heard.put(value if isinstance(value, list) else str(value["error"]))
        said = process.stderr.read().decode("utf-8", "replace").strip()
        if process.wait() and not self._ended:
            self._heard.put(said.rpartition("\n")[2] or f"exit code {process.returncode}")
        self._heard.put(None)

    def end(self) -> None:
        self._ended = True
        if self._process.poll() is None:
            self._process.kill()
        self._thread.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
