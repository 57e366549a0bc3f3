"""Who waits for what, in one short text for the progress line."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Wait:
    """Calls that wait: `why` in a word ("429", "503", "tpm"), `until` in clock seconds."""

    why: str
    until: float
    count: Callable[[], int]


def _one() -> int:
    return 1


class Waits:
    """All calls that wait at this moment. `begun` is called when one begins to wait."""

    def __init__(self, begun: Callable[[], None] | None = None) -> None:
        self._waiting: dict[int, Wait] = {}
        self._begun = begun

    def __len__(self) -> int:
        return len(self._waiting)

    @contextmanager
    def waiting(self, why: str, until: float, count: Callable[[], int] = _one) -> Iterator[None]:
        """Within this block, `count()` calls (one) wait until `until` because of `why`."""
        wait = Wait(why, until, count)
        self._waiting[id(wait)] = wait
        if self._begun is not None:
            self._begun()
        try:
            yield
        finally:
            del self._waiting[id(wait)]

    def describe(self, now: float) -> str:
        """`waiting 42 s: 429 ×17, 503 ×2`, or nothing when nobody waits.

        The seconds are the longest wait that is left; the numbers are calls that
        wait now, the most frequent reason first.
        """
        if not self._waiting:
            return ""
        longest_s = max(0.0, max(wait.until for wait in self._waiting.values()) - now)
        counts = Counter[str]()
        for wait in self._waiting.values():
            counts[wait.why] += wait.count()
        ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        reasons = ", ".join(f"{why} ×{count}" for why, count in ordered)
        return f"waiting {math.ceil(longest_s):,} s: {reasons}"


class WaitTeller:
    """Tells of the waits at most once an interval, also while nothing else happens.

    `run` lasts as long as somebody waits; start it again when it has ended.
    `clock` and `tick` (a sleep) are in seconds.
    """

    def __init__(
        self,
        waits: Waits,
        tell: Callable[[str], None],
        *,
        clock: Callable[[], float],
        tick: Callable[[float], Awaitable[None]],
        interval_s: float = 1.0,
    ) -> None:
        self._waits = waits
        self._tell = tell
        self._clock = clock
        self._tick = tick
        self._interval_s = interval_s
        self._told_at = -math.inf

    async def run(self) -> None:
        """Tell until nobody waits any more, then clear the text."""
        told = False
        while self._waits:
            now = self._clock()
            left_s = self._told_at + self._interval_s - now
            if left_s <= 0:
                self._told_at = now
                self._tell(self._waits.describe(now))
                told = True
                left_s = self._interval_s
            await self._tick(left_s)
        if told:
            self._tell("")
