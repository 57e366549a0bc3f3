"""Knowing, in input order, when enough was accepted, or when nothing ever will be.

Items finish out of order; what is said here is said of the unbroken run of
finished items from the first on, so it is the same at any concurrency.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from generator.errors import NoYield

Value = TypeVar("Value")

GIVE_UP_WITHOUT_YIELD = 100
"""So many items from the first on, none of them accepted, end a run early."""


class InOrder(Generic[Value]):
    """Takes numbered values in any order and gives them back in order, without gaps."""

    def __init__(self) -> None:
        self._next = 0
        self._waiting: dict[int, Value] = {}

    @property
    def next(self) -> int:
        """The number that everything waits for."""
        return self._next

    def add(self, number: int, value: Value) -> Iterator[tuple[int, Value]]:
        """Take one value; gives all that are now in order."""
        if number >= self._next:
            self._waiting[number] = value
        while self._next in self._waiting:
            yield self._next, self._waiting.pop(self._next)
            self._next += 1


class Hopeful:
    """The places of items that may still count for a target: in work, or accepted out of order."""

    def __init__(self) -> None:
        self._in_work: list[int] = []
        self._accepted: list[int] = []

    def begin(self, place: int) -> None:
        """The item there is about to be worked on."""
        insort(self._in_work, place)

    def accept(self, place: int) -> None:
        """It is accepted, while one before it is still in work."""
        _take_out(self._in_work, place)
        insort(self._accepted, place)

    def drop(self, place: int) -> None:
        """It is refused, or its turn in the order has come."""
        _take_out(self._in_work, place)
        _take_out(self._accepted, place)

    def expected_before(self, place: int, share: float) -> float:
        """How many before a place will have counted, when `share` of those in work will."""
        sure = bisect_left(self._accepted, place)
        return sure + share * bisect_left(self._in_work, place)


def _take_out(places: list[int], place: int) -> None:
    at = bisect_left(places, place)
    if at < len(places) and places[at] == place:
        del places[at]


@dataclass(slots=True)
class Yield:
    """The accepted and refused items so far, in input order."""

    target: int | None = None
    give_up_after: int = GIVE_UP_WITHOUT_YIELD
    accepted: int = 0
    judged: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def count(self, reason: str | None) -> None:
        """Count one item: `reason` is its first reject reason, None when it is accepted."""
        self.judged += 1
        if reason is None:
            self.accepted += 1
        else:
            self.reasons[reason] += 1

    @property
    def share(self) -> float:
        """The share of items that are accepted, as far as is known; at first all of them."""
        return (self.accepted + 1) / (self.judged + 1)

    def wants(self, place: int, hopeful: Hopeful) -> bool:
        """Whether the target may need the item there: those before it are not likely to meet it.

        So few calls are made that a run of one request at a time would not make, and where
        little is accepted many can still be in flight.
        """
        if self.target is None:
            return True
        return self.accepted + hopeful.expected_before(place, self.share) < self.target

    @property
    def reached(self) -> bool:
        """The target is met; what comes later in the input is not wanted."""
        return self.target is not None and self.accepted >= self.target

    def check(self) -> None:
        """Raise `NoYield` when the first items gave nothing at all."""
        if self.accepted or not self.give_up_after or self.judged < self.give_up_after:
            return
        reason, count = self.reasons.most_common(1)[0]
        raise NoYield(
            f"none of the first {self.judged} items was accepted; {count} of them were rejected "
            f"for {reason}. See `dialogsmith rejects` for these samples and docs/reject-codes.md "
            "for what to try: often another model, another --variant, or a larger max_tokens. "
            "--give-up-after 0 goes on regardless."
        )
