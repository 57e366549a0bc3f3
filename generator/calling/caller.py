"""The one seam every model call passes.

Stored answer → retries → slot → budget → backend → store.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from generator.backends.samples import complete_sample
from generator.calling.adaptive import LimitChange
from generator.calling.budget import Budget
from generator.calling.endpoint_limits import EndpointLimits, LimitSettings
from generator.calling.gate import EndpointGate
from generator.calling.key import request_hash, request_key
from generator.calling.pausing import pause
from generator.calling.retry import CallRetries, RetryPolicy
from generator.calling.roles import RoleBinding
from generator.calling.token_estimates import estimate_prompt
from generator.calling.waits import Waits, WaitTeller
from generator.errors import (
    CallFailed,
    ConnectionFault,
    GivenUp,
    RateLimited,
    Retryable,
    Unreachable,
)
from generator.store import AttemptRow, CallRow, RunStore, pack_request
from generator.values import Completion, Constraint, Message, Request, Usage, with_stops

_DEAD_AFTER = 20
"""So many calls in a row that exhausted their attempts on connections mean: nobody is there."""


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


class Endpoint:
    """What all roles that use one endpoint share: its limits and its health."""

    def __init__(self, gate: EndpointGate) -> None:
        self.gate = gate
        self.answered = 0
        self.lost_in_a_row = 0

    def seems_dead(self) -> bool:
        """Nothing was ever answered, or a long row of calls found nobody there."""
        return not self.answered or self.lost_in_a_row >= _DEAD_AFTER


class Caller:
    """Answers requests of any role, from the store where it can.

    `concurrency`, `rpm` and `tpm` are limits of each endpoint, whichever roles
    use it. `on_wait` is told who waits for what (an empty text: nobody), at most
    once a second.
    """

    def __init__(
        self,
        store: RunStore,
        bindings: Sequence[RoleBinding],
        *,
        concurrency: int,
        rpm: int | None = None,
        tpm: int | None = None,
        budget: Budget | None = None,
        retry: RetryPolicy | None = None,
        environs: Environs | None = None,
        on_call: Callable[[Completion], None] | None = None,
        on_wait: Callable[[str], None] | None = None,
    ) -> None:
        self._store = store
        self._bindings: Mapping[str, RoleBinding] = {b.role: b for b in bindings}
        self._budget = budget
        self._retry = retry or RetryPolicy()
        self._environs = environs or Environs()
        self._on_call = on_call
        self._closing = asyncio.Event()
        self._waits = Waits(self._keep_telling)
        self._teller = self._make_teller(on_wait)
        self._telling: asyncio.Task[None] | None = None
        settings = LimitSettings(concurrency, rpm, tpm)
        self._endpoints = {
            b.backend.endpoint: Endpoint(self._make_gate(settings)) for b in bindings
        }

    def _make_gate(self, settings: LimitSettings) -> EndpointGate:
        environs = self._environs
        limits = EndpointLimits(settings, now=environs.monotonic())
        return EndpointGate(
            limits, clock=environs.monotonic, sleep=environs.sleep, waits=self._waits
        )

    def _make_teller(self, on_wait: Callable[[str], None] | None) -> WaitTeller | None:
        if on_wait is None:
            return None
        environs = self._environs
        return WaitTeller(self._waits, on_wait, clock=environs.monotonic, tick=environs.tick)

    @property
    def limit_changes(self) -> dict[str, tuple[LimitChange, ...]]:
        """By endpoint: the latest changes of how many requests may be in flight."""
        return {name: e.gate.limits.changes for name, e in self._endpoints.items()}

    @property
    def rate_limits(self) -> dict[str, int]:
        """By endpoint: how many 429s it sent."""
        return {name: e.gate.limits.rate_limits for name, e in self._endpoints.items()}

    def stop_retrying(self) -> None:
        """From now on a failed attempt is final, and no one waits for another."""
        self._closing.set()

    async def ask(
        self,
        item: str,
        role: str,
        *,
        messages: Sequence[Message] = (),
        prompt: str | None = None,
        constraint: Constraint | None = None,
        stop: tuple[str, ...] = (),
        sample: int = 0,
    ) -> CallRow:
        """The stored or fresh answer, durable before it is returned.

        `sample` tells apart several answers wanted for one and the same request.
        Raises `CallFailed` when the call failed for good, `RunStopped` when no
        call can succeed any more.
        """
        binding = self._bindings[role]
        sampling = with_stops(binding.sampling, stop)
        if sample and sampling.seed is not None:
            # The same seed would give a deterministic server's faulty answer again.
            sampling = replace(sampling, seed=sampling.seed + sample)
        request = Request(tuple(messages), prompt, sampling, constraint)
        key = request_key(request, endpoint=binding.backend.endpoint, sample=sample)
        stored = self._store.find_call(key, item=item)
        if stored is not None:
            return stored
        return await self._call(item, binding, request, sample, key)

    async def _call(
        self, item: str, binding: RoleBinding, request: Request, sample: int, key: str
    ) -> CallRow:
        endpoint = self._endpoints[binding.backend.endpoint]
        retries = CallRetries(self._retry, self._environs.rng, self._closing.is_set)
        failed: CallFailed | None = None

        def before_sleep(error: BaseException, wait_s: float) -> None:
            nonlocal failed
            failed = error if isinstance(error, CallFailed) else None
            self._note_attempt(item, binding.role, key, error, wait_s)

        async def sleep(seconds: float) -> None:
            until = self._environs.monotonic() + seconds
            with self._waits.waiting(_reason(failed), until):
                await pause(seconds, self._closing, self._environs.sleep)
            if failed is not None and self._closing.is_set():
                raise failed

        async def attempt() -> Completion:
            nonlocal failed
            waited = getattr(failed, "retry_after_s", None) is not None
            failed = None
            return await self._attempt(endpoint, binding, request, sample, waited)

        try:
            completion: Completion = await retries.controller(sleep, before_sleep)(attempt)
        except CallFailed as error:
            if failed is None and not isinstance(error, GivenUp):
                self._note_attempt(item, binding.role, key, error, None)
            if isinstance(error, ConnectionFault) and not self._closing.is_set():
                endpoint.lost_in_a_row += 1
                if endpoint.seems_dead():
                    raise self._unreachable(binding, endpoint, error) from error
            if isinstance(error, Retryable) and self._closing.is_set():
                raise GivenUp(f"the run is ending; the last attempt: {error}") from error
            raise
        endpoint.answered += 1
        endpoint.lost_in_a_row = 0
        row = CallRow(
            key=key,
            request_hash=request_hash(request, sample=sample),
            item=item,
            role=binding.role,
            sample=sample,
            spec=binding.backend.spec,
            request=pack_request(request),
            completion=completion,
            attempts=retries.attempts + 1,
            at=self._environs.clock(),
        )
        await self._store.put_call(row)
        if self._on_call is not None:
            self._on_call(completion)
        return row

    async def _attempt(
        self,
        endpoint: Endpoint,
        binding: RoleBinding,
        request: Request,
        sample: int,
        waited: bool,
    ) -> Completion:
        """One attempt, in a slot of the endpoint and within the budget.

        The slot is held for the request alone: whoever waits to try again later
        takes none.
        """
        estimate = estimate_prompt(request).likely + (request.sampling.max_tokens or 0)
        async with endpoint.gate.slot(estimate, waited=waited) as slot:
            if self._closing.is_set():
                raise GivenUp("the run is ending; this call was not made")
            with self._charged(binding, request) as charge:
                completion = await complete_sample(binding.backend, request, sample)
                charge(completion.usage)
            slot.done(completion.usage)
        return completion

    @contextmanager
    def _charged(self, binding: RoleBinding, request: Request) -> Iterator[Callable[[Usage], None]]:
        """Reserves what one attempt can cost; what is called with the usage settles it."""
        budget, backend = self._budget, binding.backend
        if budget is None:
            yield lambda usage: None
            return
        reservation = budget.reserve(
            backend.spec, request, context_tokens=backend.capabilities.context_tokens
        )
        try:
            yield lambda usage: budget.settle(reservation, usage)
        except CallFailed as error:
            if error.status is not None and 200 <= error.status < 300:
                # A 200 that held no answer may be on the bill.
                budget.settle(reservation, Usage())
            raise
        finally:
            if not reservation.ended:
                budget.release(reservation)

    def _keep_telling(self) -> None:
        if self._teller is not None and (self._telling is None or self._telling.done()):
            self._telling = asyncio.ensure_future(self._teller.run())

    def _unreachable(
        self, binding: RoleBinding, endpoint: Endpoint, error: ConnectionFault
    ) -> Unreachable:
        found = (
            f"{endpoint.lost_in_a_row} calls in a row found nobody there"
            if endpoint.answered
            else "nothing was ever answered there"
        )
        return Unreachable(
            f"{binding.backend.spec}: {error} {found[0].upper()}{found[1:]}. Nothing more is sent; "
            "check the address and the network, then run the same command to go on."
        )

    def _note_attempt(
        self, item: str, role: str, key: str, error: BaseException, wait_s: float | None
    ) -> None:
        self._store.put_attempt(
            AttemptRow(
                call_key=key,
                item=item,
                role=role,
                code=getattr(error, "code", type(error).__name__),
                status=getattr(error, "status", None),
                detail=str(error),
                body=getattr(error, "body", None),
                wait_s=wait_s,
                at=self._environs.clock(),
            )
        )


def _reason(error: CallFailed | None) -> str:
    """What a call waits for, in a word: the HTTP status where there is one."""
    if isinstance(error, RateLimited):
        return "429"
    if error is None or error.status is None:
        return "connection" if isinstance(error, ConnectionFault) else "fault"
    return str(error.status)
