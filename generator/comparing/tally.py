"""Counting pairs of items: places, reasons and measures, with memory for the names alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from generator.comparing.model import PLACES, MeasurePair, ReasonPair
from generator.report.measures import is_length, numbers
from generator.report.spread import Spread
from generator.store import PairedItem, Place, Standing

ReasonName = tuple[str, str]


class _Side:
    """The counts of one run."""

    def __init__(self) -> None:
        self.places: Counter[str] = Counter()
        self.first: Counter[ReasonName] = Counter()
        self.any: Counter[ReasonName] = Counter()
        self.measures: defaultdict[str, Spread] = defaultdict(Spread)

    def add(self, standing: Standing) -> None:
        self.places[standing.place] += 1
        if standing.place == "accepted":
            for name, value in numbers(standing.measures):
                self.measures[name].add(value)
        elif standing.reasons:
            found = [(r["stage"], r["code"]) for r in standing.reasons]
            self.first[found[0]] += 1
            self.any.update(set(found))


class PairTally:
    """Is shown every shared item once."""

    def __init__(self) -> None:
        self._a, self._b = _Side(), _Side()
        self._moved: Counter[tuple[Place, Place]] = Counter()
        self._differences: dict[str, list[float]] = {}
        self.other_reason = 0

    def add(self, pair: PairedItem) -> None:
        self._a.add(pair.a)
        self._b.add(pair.b)
        self._moved[pair.a.place, pair.b.place] += 1
        if pair.a.place == pair.b.place == "accepted":
            self._compare(pair.a.measures, pair.b.measures)
        elif pair.a.place == pair.b.place == "rejected" and pair.a.reason != pair.b.reason:
            self.other_reason += 1

    def places(self) -> tuple[dict[str, int], dict[str, int]]:
        a, b = self._a.places, self._b.places
        return {p: a[p] for p in PLACES}, {p: b[p] for p in PLACES}

    def moved(self) -> dict[tuple[Place, Place], int]:
        """In the order of the places, those of the first run outermost."""
        return {(a, b): self._moved[a, b] for a in PLACES for b in PLACES if self._moved[a, b]}

    def reasons(self) -> tuple[ReasonPair, ...]:
        """The most frequent first."""
        a, b = self._a, self._b
        names = sorted(
            a.any.keys() | b.any.keys(),
            key=lambda n: (-a.first[n] - b.first[n], -a.any[n] - b.any[n], n),
        )
        return tuple(ReasonPair(*n, a.first[n], a.any[n], b.first[n], b.any[n]) for n in names)

    def measures(self) -> tuple[MeasurePair, ...]:
        """Lengths first, then by name."""
        a, b = self._a.measures, self._b.measures
        names = sorted(a.keys() | b.keys(), key=lambda name: (not is_length(name), name))
        return tuple(self._measure(name, a.get(name), b.get(name)) for name in names)

    def _measure(self, name: str, a: Spread | None, b: Spread | None) -> MeasurePair:
        count, total = self._differences.get(name, (0, 0.0))
        return MeasurePair(
            name, is_length(name), a or Spread(), b or Spread(), int(count),
            round(total / count, 9) if count else None,
        )  # fmt: skip

    def _compare(self, a: Mapping[str, Any], b: Mapping[str, Any]) -> None:
        others = dict(numbers(b))
        for name, value in numbers(a):
            if name in others:
                seen = self._differences.setdefault(name, [0, 0.0])
                seen[0] += 1
                seen[1] += others[name] - value
