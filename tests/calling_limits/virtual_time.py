"""An event loop whose time passes only when nothing is left to do: hours in no time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """Jumps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        super().__init__()
        self._virtual_now = 0.0

    def time(self) -> float:
        return self._virtual_now

    def _run_once(self) -> None:
        if not self._ready:
            # A cancelled timer in front would make the loop wait for the next one in real time.
            due = min((t._when for t in self._scheduled if not t._cancelled), default=0.0)
            self._virtual_now = max(self._virtual_now, due)
        super()._run_once()


def now() -> float:
    """Seconds of virtual time since the loop began; 0.0 before it did."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return 0.0


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
