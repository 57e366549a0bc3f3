"""How values spread: mean, median, percentiles and a histogram, in memory that stays flat."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

_MOST_DIFFERENT = 20_000
"""So many different values are kept as they are; beyond, three significant digits of each are."""


class Spread:
    """Counts values one by one. Exact up to 20,000 different ones (shares are recorded with four
    decimals and lengths are whole, so nearly always); the mean and both ends are always exact.

    Beyond that every value is rounded to three significant digits, so that a million records
    need no more memory than twenty thousand. Values that are not finite are not counted.
    """

    def __init__(self, values: Iterable[float] = ()) -> None:
        self._seen: Counter[float] = Counter()
        self._rounding = False
        self._total = 0.0
        self.count = 0
        """How many values there were."""
        self.whole = True
        """Whether every value was a whole number."""
        self.low = math.inf
        self.high = -math.inf
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        """Count one value."""
        if not math.isfinite(value):
            return
        self.count += 1
        self._total += value
        if self.whole and not float(value).is_integer():
            self.whole = False
        if value < self.low:
            self.low = value
        if value > self.high:
            self.high = value
        self._seen[_rounded(value) if self._rounding else value] += 1
        if len(self._seen) > _MOST_DIFFERENT and not self._rounding:
            self._rounding = True
            coarse: Counter[float] = Counter()
            for seen, times in self._seen.items():
                coarse[_rounded(seen)] += times
            self._seen = coarse

    @property
    def mean(self) -> float:
        """The mean. Raises `ValueError` when there was no value."""
        if not self.count:
            raise ValueError("no value was counted")
        if self._rounding:
            return self._total / self.count
        # Summed exactly, so that it does not depend on the order of the values.
        return math.fsum(value * times for value, times in self._seen.items()) / self.count

    @property
    def median(self) -> float:
        """The middle value; the mean of the two middle ones where their number is even."""
        return (self._at((self.count - 1) // 2) + self._at(self.count // 2)) / 2

    def quantile(self, share: float) -> float:
        """The smallest value that at least `share` (0 to 1) of the values do not exceed."""
        return self._at(max(0, math.ceil(share * self.count) - 1))

    def share_from(self, bound: float) -> float:
        """Share of the values that are `bound` or more."""
        return sum(times for value, times in self._seen.items() if value >= bound) / self.count

    def histogram(self, edges: Sequence[float]) -> list[int]:
        """How many values lie in each [edges[i], edges[i+1]); the last one has its upper end too.

        What lies outside the edges is counted in the nearest bin.
        """
        bins = [0] * (len(edges) - 1)
        for value, times in self._seen.items():
            place = bisect_right(edges, value) - 1
            bins[min(max(place, 0), len(bins) - 1)] += times
        return bins

    def _at(self, place: int) -> float:
        if not self.count:
            raise ValueError("no value was counted")
        passed = 0
        for value in sorted(self._seen):
            passed += self._seen[value]
            if passed > place:
                return value
        return self.high


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
