"""One call from its first attempt to its answer: slot, budget, backend, and the retries between."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType

from generator.backends.samples import complete_sample
from generator.calling.budget import Budget, Reservation
from generator.calling.gate import EndpointGate
from generator.calling.pausing import pause
from generator.calling.retry import CallRetries, RetryPolicy
from generator.calling.roles import RoleBinding
from generator.calling.token_estimates import TokenEstimate, estimate_prompt
from generator.calling.waits import Waits
from generator.errors import CallFailed, ConnectionFault, GivenUp, RateLimited, Retryable
from generator.values import Backend, Completion, Request, Usage


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
    budget: Budget | None
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
        """One attempt, in a slot of the endpoint and within the budget.

        The slot is held for the request alone: whoever waits to try again later
        takes none.
        """
        again = self._failed is not None
        waited = getattr(self._failed, "retry_after_s", None) is not None
        self._failed = None
        request = self._request
        prompt = estimate_prompt(request)
        tokens = prompt.likely + (request.sampling.max_tokens or 0)
        async with self._gate.slot(
            tokens, waited=waited, again=again, refused=self._refused
        ) as slot:
            if self._around.closing.is_set():
                raise GivenUp("the run is ending; this call was not made")
            backend = self._binding.backend
            with _Charge(self._around.budget, backend, request, prompt) as charge:
                completion = await complete_sample(backend, request, self._sample)
                charge.settle(completion.usage)
            slot.done(completion.usage)
        return completion


class _Charge:
    """Within its block an attempt's most cost is set aside; a known usage takes its place."""

    __slots__ = ("_backend", "_budget", "_estimate", "_held", "_request")

    def __init__(
        self, budget: Budget | None, backend: Backend, request: Request, estimate: TokenEstimate
    ) -> None:
        self._budget = budget
        self._backend = backend
        self._request = request
        self._estimate = estimate
        self._held: Reservation | None = None

    def settle(self, usage: Usage) -> None:
        """The answer came, with these token counts."""
        if self._budget is not None and self._held is not None:
            self._budget.settle(self._held, usage)

    def __enter__(self) -> _Charge:
        if self._budget is not None:
            backend = self._backend
            self._held = self._budget.reserve(
                backend.spec,
                self._request,
                context_tokens=backend.capabilities.context_tokens,
                estimate=self._estimate,
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        budget, held = self._budget, self._held
        if budget is None or held is None or held.ended:
            return
        status = error.status if isinstance(error, CallFailed) else None
        if status is not None and 200 <= status < 300:
            # A 200 that held no answer may be on the bill.
            budget.settle(held, Usage())
        else:
            budget.release(held)


def _reason(error: CallFailed | None) -> str:
    """What a call waits for, in a word: the HTTP status where there is one."""
    if isinstance(error, RateLimited):
        return "429"
    if error is None or error.status is None:
        return "connection" if isinstance(error, ConnectionFault) else "fault"
    return str(error.status)
