"""Limits per minute (requests, tokens) that one's own requests keep to: pure, clock given."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

PERIOD_S = 60.0


@dataclass(slots=True)
class Use:
    """What one request took out of a window at `at`; `amount` can be corrected later."""

    at: float
    amount: int


class RateWindow:
    """At most `limit_per_minute` units in *any* 60 seconds (a sliding window).

    A server that counts in fixed minutes, wherever they begin, then never sees
    more than the limit. An amount larger than the limit goes into an empty
    window, since it could never be sent otherwise. Raises `ValueError` for a
    limit below 1.
    """

    def __init__(self, limit_per_minute: int) -> None:
        if limit_per_minute < 1:
            raise ValueError(f"a limit per minute must be at least 1, not {limit_per_minute}")
        self.limit = limit_per_minute
        self._uses: deque[Use] = deque()
        self._used = 0

    def delay(self, now: float, amount: int = 1) -> float:
        """Seconds until `amount` has room; 0.0 when it has room now."""
        self._forget(now)
        room = max(0, self.limit - amount)
        over = self._used - room
        if over <= 0:
            return 0.0
        for use in self._uses:
            over -= use.amount
            if over <= 0:
                return max(0.0, use.at + PERIOD_S - now)
        return 0.0

    def take(self, now: float, amount: int = 1) -> Use:
        """Use up `amount`; ask `delay` first."""
        self._forget(now)
        use = Use(now, amount)
        self._uses.append(use)
        self._used += amount
        return use

    def correct(self, use: Use, amount: int) -> None:
        """Replace an estimate by what was really used; it stays at its own time."""
        if self._uses and use.at >= self._uses[0].at:
            self._used += amount - use.amount
        use.amount = amount

    def used(self, now: float) -> int:
        """Units used in the 60 seconds before `now`."""
        self._forget(now)
        return self._used

    def _forget(self, now: float) -> None:
        while self._uses and self._uses[0].at + PERIOD_S <= now:
            self._used -= self._uses.popleft().amount
