"""Windows of a rate limit: so much in so many seconds, then nothing until the window ends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Window:
    """`limit` units (requests or tokens) in each `period_s` seconds.

    A window begins with the first request after the one before has ended. A
    request larger than the limit is let into an empty window, so that it can be
    answered at all.
    """

    limit: int
    period_s: float
    used: int = 0
    began_s: float | None = None

    def wait_s(self, now_s: float, cost: int = 1) -> float | None:
        """Seconds until there may be room again, or None when there is room now."""
        self._roll(now_s)
        if self.began_s is None or self.used == 0 or self.used + cost <= self.limit:
            return None
        return self.began_s + self.period_s - now_s

    def take(self, now_s: float, cost: int = 1) -> None:
        """Use up units of the running window, also beyond its limit."""
        self._roll(now_s)
        if self.began_s is None:
            self.began_s = now_s
        self.used += cost

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)

    def _roll(self, now_s: float) -> None:
        if self.began_s is not None and now_s - self.began_s >= self.period_s:
            self.began_s = None
            self.used = 0
