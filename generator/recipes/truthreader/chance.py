"""Draws that depend on a seed and a name, and on nothing else: no order, no state, no clock."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Thing = TypeVar("Thing")
Name = TypeVar("Name")

_BITS = 64


@dataclass(frozen=True, slots=True)
class Chance:
    """Draws for one item. The same seed, item and draw give the same result everywhere."""

    seed: int
    item: str

    def share(self, *draw: object) -> float:
        """A number from 0 up to, not including, 1."""
        text = "\0".join(map(str, (self.seed, self.item, *draw)))
        digest = hashlib.sha256(text.encode()).digest()
        drawn: float = int.from_bytes(digest[: _BITS // 8], "big") / 2**_BITS
        return drawn

    def below(self, count: int, *draw: object) -> int:
        """A whole number from 0 up to, not including, `count`."""
        return min(int(self.share(*draw) * count), count - 1)

    def shuffled(self, things: Sequence[Thing], *draw: object) -> list[Thing]:
        """All of them in a drawn order; every order is equally likely (Fisher and Yates)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1, *draw, last)
            order[last], order[other] = order[other], order[last]
        return order

    def weighted(self, weights: Mapping[Name, float], *draw: object) -> Name:
        """One of the names, each as likely as its weight says."""
        names = list(weights)
        left = self.share(*draw) * sum(weights.values())
        for name in names:
            left -= weights[name]
            if left < 0:
                return name
        return next(name for name in reversed(names) if weights[name] > 0)
