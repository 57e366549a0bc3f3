"""Knowing, in input order, when enough was accepted, or when nothing ever will be.

Items finish out of order; what is said here is said of the unbroken run of
finished items from the first on, so it is the same at any concurrency.
"""

from __future__ import annotations

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
