"""Knowing, in input order, when enough was accepted, or when nothing ever will be.

Items finish out of order; what is said here is said of the unbroken run of
finished items from the first on, so it is the same at any concurrency.
"""

from __future__ import annotations

from bisect import bisect_left
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
    """The places of items that may still count for a target: in work, or accepted out of order.

    An item is worth beginning while those before it cannot meet the target without it. So
    no call is made that a run of one request at a time would not have made.
    """

    def __init__(self) -> None:
        self._places: list[int] = []

    def add(self, place: int) -> None:
        at = bisect_left(self._places, place)
        if at == len(self._places) or self._places[at] != place:
            self._places.insert(at, place)

    def drop(self, place: int) -> None:
        at = bisect_left(self._places, place)
        if at < len(self._places) and self._places[at] == place:
            del self._places[at]

    def before(self, place: int) -> int:
        """How many stand before a place."""
        return bisect_left(self._places, place)


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
