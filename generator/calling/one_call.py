"""One call from its first attempt to its answer: budget, slot, backend, and the retries between."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from generator.backends.samples import complete_sample
from generator.calling.charging import Purse
from generator.calling.gate import EndpointGate
from generator.calling.pausing import pause
from generator.calling.retry import CallRetries, RetryPolicy
from generator.calling.roles import RoleBinding
from generator.calling.token_estimates import estimate_prompt
from generator.calling.waits import Waits
from generator.errors import CallFailed, ConnectionFault, GivenUp, RateLimited, Retryable
from generator.values import Completion, Request


@dataclass(frozen=True, slots=True)
class Environs:
    """What the outside world gives: time, sleep and chance, replaceable in tests.

    `clock` is the time of day (seconds since the epoch), `monotonic` the clock of
    the limits and `sleep` what passes their time; `tick` only paces what is told.
    """

    clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: random.Random = field(default_factory=random.Random)
    monotonic: Callable[[], float] = time.monotonic
    tick: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What all calls of a run share. Once `closing` is set, a failed attempt is final."""

    environs: Environs
    retry: RetryPolicy
    purse: Purse
    closing: asyncio.Event
    waits: Waits


NoteFailure = Callable[[BaseException, float | None], None]
"""Told of each failed attempt, and how long the next one is put off (None: there is none)."""


class OneCall:
    """Answers one request, over as many attempts as it takes."""

    __slots__ = ("_around", "_binding", "_failed", "_gate", "_note", "_refused", "_request",
                 "_sample", "attempts")  # fmt: skip

    def __init__(
        self,
        around: Circumstances,
        gate: EndpointGate,
        binding: RoleBinding,
        request: Request,
        sample: int,
        note: NoteFailure,
    ) -> None:
        self._around = around
        self._gate = gate
        self._binding = binding
        self._request = request
        self._sample = sample
        self._note = note
        self._failed: CallFailed | None = None
        self._refused = 0
        self.attempts = 1
        """Attempts made so far, rate limits included."""

    async def complete(self) -> Completion:
        """The answer. Raises what the last attempt failed with; every failure was noted."""
        try:
            return await self._attempt()
        except Retryable as error:
            first = error
        except CallFailed as error:
            self._note_final(error)
            raise
        around = self._around
        retries = CallRetries(around.retry, around.environs.rng, around.closing.is_set)
        try:
            return await retries.after(first, self._attempt, self._sleep, self._before_sleep)
        except CallFailed as error:
            self._note_final(error)
            raise
        finally:
            self.attempts += retries.attempts

    def _note_final(self, error: CallFailed) -> None:
        if self._failed is None and not isinstance(error, GivenUp):
            self._note(error, None)

    def _before_sleep(self, error: BaseException, wait_s: float) -> None:
        self._failed = error if isinstance(error, CallFailed) else None
        self._refused += isinstance(error, RateLimited)
        self._note(error, wait_s)

    async def _sleep(self, seconds: float) -> None:
        around = self._around
        until = around.environs.monotonic() + seconds
        with around.waits.waiting(_reason(self._failed), until):
            await pause(seconds, around.closing, around.environs.sleep)
        if self._failed is not None and around.closing.is_set():
            raise self._failed

    async def _attempt(self) -> Completion:
        """One attempt, within the budget and in a slot of the endpoint.

        The slot is held for the request alone: whoever waits to try again later
        takes none.
        """
        again = self._failed is not None
        waited = getattr(self._failed, "retry_after_s", None) is not None
        self._failed = None
        request = self._request
        prompt = estimate_prompt(request)
        tokens = prompt.likely + (request.sampling.max_tokens or 0)
        backend = self._binding.backend
        async with (
            self._around.purse.charge(backend, request, prompt) as charge,
            self._gate.slot(tokens, waited=waited, again=again, refused=self._refused) as slot,
        ):
            if self._around.closing.is_set():
                raise GivenUp("the run is ending; this call was not made")
            completion = await complete_sample(backend, request, self._sample)
            charge.settle(completion.usage)
            slot.done(completion.usage)
        return completion


def _reason(error: CallFailed | None) -> str:
    """What a call waits for, in a word: the HTTP status where there is one."""
    if isinstance(error, RateLimited):
        return "429"
    if error is None or error.status is None:
        return "connection" if isinstance(error, ConnectionFault) else "fault"
    return str(error.status)
