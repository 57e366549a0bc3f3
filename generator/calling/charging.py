"""What an attempt is charged to the budget, and the queue of those it has no room for yet.

What a request sets aside is the most it can cost, several times what most cost. So one
that does not fit beside what is in flight waits until that has ended: the run stops only
when a request could pass a cap by itself.
"""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType

from generator.calling.budget import Budget, Reservation
from generator.calling.token_estimates import TokenEstimate
from generator.errors import CallFailed
from generator.values import Backend, Request, Usage


class Purse:
    """A budget that all calls of a run share: first come, first served."""

    def __init__(self, budget: Budget | None) -> None:
        self._budget = budget
        self._queue: deque[asyncio.Event] = deque()
        self._closing = False

    def charge(self, backend: Backend, request: Request, estimate: TokenEstimate) -> Charge:
        """Within its block the most that an attempt can cost is set aside."""
        return Charge(self, backend, request, estimate)

    def close(self) -> None:
        """The run is ending: whoever waits for room is let through without a charge."""
        self._closing = True
        for turn in self._queue:
            turn.set()

    async def reserve(
        self, backend: Backend, request: Request, estimate: TokenEstimate
    ) -> Reservation | None:
        """Set aside the most a request can cost, when there is room; None: nothing to keep to.

        Raises `BudgetReached` when it could pass a cap though all else in flight cost nothing.
        """
        budget = self._budget
        if budget is None:
            return None

        def attempt() -> Reservation | None:
            return budget.reserve(
                backend.spec,
                request,
                context_tokens=backend.capabilities.context_tokens,
                estimate=estimate,
            )

        if not self._queue and (held := attempt()) is not None:
            return held
        turn = asyncio.Event()
        self._queue.append(turn)
        try:
            while not self._closing:
                turn.clear()
                if self._queue[0] is turn and (held := attempt()) is not None:
                    return held
                await turn.wait()
            return None
        finally:
            self._queue.remove(turn)
            self._call_first()

    def settle(self, held: Reservation, usage: Usage) -> None:
        """An answer came: its usage takes the place of what was set aside."""
        if self._budget is not None:
            self._budget.settle(held, usage)
            self._call_first()

    def release(self, held: Reservation) -> None:
        """No answer came, and nothing is counted."""
        if self._budget is not None:
            self._budget.release(held)
            self._call_first()

    def _call_first(self) -> None:
        if self._queue:
            self._queue[0].set()


class Charge:
    """Within its block an attempt's most cost is set aside; a known usage takes its place."""

    __slots__ = ("_backend", "_estimate", "_held", "_purse", "_request")

    def __init__(
        self, purse: Purse, backend: Backend, request: Request, estimate: TokenEstimate
    ) -> None:
        self._purse = purse
        self._backend = backend
        self._request = request
        self._estimate = estimate
        self._held: Reservation | None = None

    def settle(self, usage: Usage) -> None:
        """The answer came, with these token counts."""
        if self._held is not None:
            self._purse.settle(self._held, usage)

    async def __aenter__(self) -> Charge:
        self._held = await self._purse.reserve(self._backend, self._request, self._estimate)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        held = self._held
        if held is None or held.ended:
            return
        status = error.status if isinstance(error, CallFailed) else None
        if status is not None and 200 <= status < 300:
            # A 200 that held no answer may be on the bill.
            self._purse.settle(held, Usage())
        else:
            self._purse.release(held)
