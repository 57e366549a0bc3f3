"""How many requests may be in flight at one endpoint: a pure controller, no clock, no asyncio.

It falls once per burst of 429s, remembers the level that failed, climbs back to
just below it, and goes beyond only after many clean answers, a little at a time.
Faults of the server (5xx, timeouts) pause the growth and never lower the level.
What is refused at the lowest level too is not refused for the level: then nothing is
remembered, and the level grows with every answer, until many in a row were clean.
A server's Retry-After is no business of this controller: it delays requests,
and a long one must not keep the level from being adapted.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

SMALL_CEILING = 8
"""A ceiling up to here is tried from the start; a larger one is approached."""

_FALL = 0.75
"""The share of the level that is kept after a burst."""

_BLAMELESS_FALL = 0.9
"""The same where lower levels were refused as well."""

_PROBE_SHARE = 10
"""One tenth of the level that failed is the step beyond it."""

_PATIENCE = 50
"""So many clean answers just below the failed level allow a step beyond it; at first."""

_LONGEST_PATIENCE = 800

_KEPT_CHANGES = 200


@dataclass(frozen=True, slots=True)
class LimitChange:
    """The level from `at` on (seconds, the limiter's clock), and why it changed.

    `why` is `start`, `grow`, `probe` (a step to or beyond the level that failed)
    or `rate_limited`.
    """

    at: float
    limit: int
    why: str


def starting_level(ceiling: int) -> int:
    """Where to begin: at a small ceiling, at half of a large one (but no lower than 8)."""
    return min(ceiling, max(SMALL_CEILING, ceiling // 2))


class AdaptiveConcurrency:
    """The level of one endpoint, between `floor` and `ceiling`, beginning at `start`.

    Each request is started in a *generation*; a fall begins the next one. A 429
    of a request from an earlier generation belongs to the burst that already
    made the level fall, and an old answer says nothing about the new level.
    Raises `ValueError` unless 1 <= floor <= start <= ceiling.
    """

    def __init__(self, start: int, ceiling: int, floor: int = 1, *, now: float = 0.0) -> None:
        if not 1 <= floor <= start <= ceiling:
            raise ValueError(f"floor {floor}, start {start} and ceiling {ceiling} do not fit")
        self.ceiling = ceiling
        self.floor = floor
        self.generation = 0
        self.failed_level: int | None = None
        self._level = start
        self._clean = 0
        self._patience = _PATIENCE
        self._blameless = False
        self._clean_row = 0
        self._changes: deque[LimitChange] = deque(maxlen=_KEPT_CHANGES)
        self._note(now, "start")

    @property
    def allowed(self) -> int:
        """Requests that may be in flight."""
        return self._level

    @property
    def changes(self) -> tuple[LimitChange, ...]:
        """The latest changes of the level, the oldest first."""
        return tuple(self._changes)

    def on_success(self, now: float, generation: int) -> None:
        """A request of `generation` was answered."""
        if generation != self.generation or self._level >= self.ceiling:
            return
        self._clean += 1
        self._clean_row += 1
        if self._clean_row >= _PATIENCE:
            self._blameless = False
        if self._clean >= self._needed():
            self._grow(now)

    def on_trouble(self, now: float) -> None:
        """A request met a 5xx or a fault of the connection: growth pauses for one round."""
        self._clean = -self._level

    def on_blameless(self) -> None:
        """A request met a 429 that no level would have spared it: nothing is remembered."""
        self.failed_level = None

    def on_rate_limited(self, now: float, generation: int) -> bool:
        """A request of `generation` met a 429. True when the level fell: a new burst."""
        if generation != self.generation:
            return False
        if self._level == self.floor:
            self._blameless = True
        if self._blameless:
            self.failed_level = None
        elif self.failed_level is None or self._level < self.failed_level:
            self.failed_level = self._level
        else:
            # A step beyond the memory failed: the memory was right, try less often.
            self._patience = min(2 * self._patience, _LONGEST_PATIENCE)
        self.generation += 1
        self._clean = self._clean_row = 0
        fall = _BLAMELESS_FALL if self._blameless else _FALL
        self._level = max(self.floor, int(self._level * fall))
        self._note(now, "rate_limited")
        return True

    def _needed(self) -> int:
        """Clean answers before the next step: one at first, then a round, then many."""
        if self.failed_level is None:
            return 1
        if self._level + 1 < self.failed_level:
            return self._level
        return max(self._patience, 2 * self._level)

    def _grow(self, now: float) -> None:
        self._clean = 0
        failed = self.failed_level
        if failed is None or self._level + 1 < failed:
            self._level += 1
            self._note(now, "grow")
            return
        if self._level >= failed:
            # This level failed once and now holds: the memory gives way to what is.
            self.failed_level = self._level + 1
            self._patience = _PATIENCE
        self._level = min(self.ceiling, self._level + max(1, failed // _PROBE_SHARE))
        self._note(now, "probe")

    def _note(self, now: float, why: str) -> None:
        self._changes.append(LimitChange(now, self._level, why))
