"""The queue in front of one endpoint: first come, first served, for as long as it takes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext

from generator.calling.endpoint_limits import Blocked, EndpointLimits, Permit
from generator.calling.pausing import pause
from generator.calling.waits import Waits
from generator.errors import BadResponse, CallFailed, ConnectionFault, RateLimited, ServerFault
from generator.values import Usage

_SHORTEST_LOOK_S = 0.001
"""Clocks round: a wait that is over by a hair must not become a loop of empty waits."""


class Slot:
    """One request under way at an endpoint."""

    def __init__(self) -> None:
        self.usage: Usage | None = None

    def done(self, usage: Usage) -> None:
        """The answer came, with these token counts."""
        self.usage = usage


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

    @property
    def queued(self) -> int:
        """Calls that wait for a slot."""
        return self._count()

    @asynccontextmanager
    async def slot(self, estimated_tokens: int = 0, *, waited: bool = False) -> AsyncIterator[Slot]:
        """A slot for one request of about so many tokens (prompt and answer).

        `waited`: its call has waited for as long as the server asked it to. How
        the block ends tells the limits what happened: `Slot.done` was called, or
        it raised `RateLimited`, another `CallFailed`, or anything else.
        """
        permit = await self._permit(estimated_tokens, waited)
        slot = Slot()
        try:
            yield slot
        except BaseException as error:
            self._failed(permit, error)
            raise
        else:
            usage = slot.usage or Usage()
            self.limits.succeeded(permit, self._clock(), _total(usage))
        finally:
            self._call_first()

    async def _permit(self, tokens: int, waited: bool) -> Permit:
        turn = asyncio.Event()
        self._queue.append(turn)
        try:
            while True:
                turn.clear()
                if self._queue[0] is not turn:
                    await turn.wait()
                    continue
                now = self._clock()
                blocked = self.limits.blocked(now, tokens, waited=waited)
                if blocked is None:
                    return self.limits.start(now, tokens, waited=waited)
                await self._look_again(blocked, turn)
        finally:
            # Nothing awaits between this and the caller's `try`: no permit can be lost.
            self._queue.remove(turn)
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
