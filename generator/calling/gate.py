"""The queue in front of one endpoint: first come, first served, for as long as it takes.

A call keeps its place over its attempts: who was refused goes before who was never sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from types import TracebackType

from generator.calling.endpoint_limits import Blocked, EndpointLimits, Permit
from generator.calling.pausing import pause
from generator.calling.waits import Waits
from generator.errors import BadResponse, CallFailed, ConnectionFault, RateLimited, ServerFault
from generator.values import Usage

_SHORTEST_LOOK_S = 0.001
"""Clocks round: a wait that is over by a hair must not become a loop of empty waits."""


class Slot:
    """One request under way at an endpoint, from entering to leaving the block."""

    __slots__ = ("_again", "_gate", "_permit", "_refused", "_tokens", "_waited", "usage")

    def __init__(
        self, gate: EndpointGate, tokens: int, waited: bool, again: bool, refused: int
    ) -> None:
        self._again = again
        self._gate = gate
        self._tokens = tokens
        self._waited = waited
        self._refused = refused
        self._permit: Permit | None = None
        self.usage = Usage()

    def done(self, usage: Usage) -> None:
        """The answer came, with these token counts."""
        self.usage = usage

    async def __aenter__(self) -> Slot:
        self._permit = self._gate.permit_at_once(self._tokens, self._waited, self._refused)
        if self._permit is None:
            self._permit = await self._gate.permit(
                self._tokens, self._waited, self._again, self._refused
            )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._permit is not None
        self._gate.left(self._permit, self.usage, error)


class EndpointGate:
    """Lets requests through by the limits of their endpoint.

    Waiting here has no deadline: a queue in front of a slow but healthy server
    is no failure. A call that is cancelled while it waits leaves the queue, and
    one that is cancelled in its slot gives the slot back.
    """

    def __init__(
        self,
        limits: EndpointLimits,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        waits: Waits | None = None,
    ) -> None:
        self.limits = limits
        self._clock = clock
        self._sleep = sleep
        self._waits = waits
        self._queue: deque[asyncio.Event] = deque()
        # So many at its beginning were refused before, and wait for another attempt.
        self._again = 0

    @property
    def queued(self) -> int:
        """Calls that wait for a slot."""
        return self._count()

    def slot(
        self,
        estimated_tokens: int = 0,
        *,
        waited: bool = False,
        again: bool = False,
        refused: int = 0,
    ) -> Slot:
        """A slot for one request of about so many tokens (prompt and answer).

        `waited`: its call has waited for as long as the server asked it to. `again`: an
        attempt of it failed before; it goes before those that were never sent. `refused`:
        so many 429s it has met. How the block ends tells the limits what happened:
        `Slot.done` was called, or it raised `RateLimited`, another `CallFailed`, or
        anything else.
        """
        return Slot(self, estimated_tokens, waited, again, refused)

    def permit_at_once(self, tokens: int, waited: bool, refused: int) -> Permit | None:
        """The right to a request where nobody waits and nothing blocks it; else None."""
        if self._queue:
            return None
        permit = self.limits.try_start(self._clock(), tokens, waited=waited, refused=refused)
        return permit if isinstance(permit, Permit) else None

    async def permit(self, tokens: int, waited: bool, again: bool, refused: int) -> Permit:
        """The right to a request, when its turn has come and nothing blocks it any more."""
        turn = asyncio.Event()
        if again:
            self._queue.insert(self._again, turn)
            self._again += 1
        else:
            self._queue.append(turn)
        try:
            while True:
                turn.clear()
                if self._queue[0] is not turn:
                    await turn.wait()
                    continue
                permit = self.limits.try_start(
                    self._clock(), tokens, waited=waited, refused=refused
                )
                if isinstance(permit, Permit):
                    return permit
                await self._look_again(permit, turn)
        finally:
            # Nothing awaits between this and the caller's block: no permit can be lost.
            self._again -= again
            if self._queue[0] is turn:
                self._queue.popleft()
            else:
                self._queue.remove(turn)
            self._call_first()

    def left(self, permit: Permit, usage: Usage, error: BaseException | None) -> None:
        """A request has ended, with an error or with these token counts."""
        if error is None:
            self.limits.succeeded(permit, self._clock(), _total(usage))
        else:
            self._failed(permit, error)
        self._call_first()

    async def _look_again(self, blocked: Blocked, turn: asyncio.Event) -> None:
        delay = blocked.delay_s
        if delay is None:
            await turn.wait()
            return
        delay = max(delay, _SHORTEST_LOOK_S)
        until = self._clock() + delay
        waits = self._waits
        # Everyone in the queue waits for what its first waits for.
        with nullcontext() if waits is None else waits.waiting(blocked.why, until, self._count):
            await pause(delay, turn, self._sleep)

    def _count(self) -> int:
        return len(self._queue)

    def _call_first(self) -> None:
        if self._queue:
            self._queue[0].set()

    def _failed(self, permit: Permit, error: BaseException) -> None:
        now = self._clock()
        if isinstance(error, RateLimited):
            self.limits.rate_limited(permit, now, error.retry_after_s)
        elif isinstance(error, ServerFault | ConnectionFault | BadResponse):
            self.limits.troubled(permit, now)
        elif isinstance(error, CallFailed):
            self.limits.refused(permit)
        else:
            self.limits.released(permit)


def _total(usage: Usage) -> int | None:
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    return usage.prompt_tokens + usage.completion_tokens
