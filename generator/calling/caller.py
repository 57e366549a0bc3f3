"""The one seam every model call passes: stored answer → slot → retries → backend → store."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from generator.backends.samples import complete_sample
from generator.calling.key import request_hash, request_key
from generator.calling.retry import CallRetries, RetryPolicy
from generator.calling.roles import RoleBinding
from generator.errors import CallFailed, ConnectionFault, Unreachable
from generator.store import AttemptRow, CallRow, RunStore, pack_request
from generator.values import Completion, Constraint, Message, Request, with_stops

_DEAD_AFTER = 20
"""So many calls in a row that exhausted their attempts on connections mean: nobody is there."""


@dataclass(frozen=True, slots=True)
class Environs:
    """What the outside world gives: time, sleep and chance, replaceable in tests."""

    clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: random.Random = field(default_factory=random.Random)


def answers_again(completion: Completion) -> bool:
    """Whether a stored completion may answer another item's equal request.

    Refusals, truncations and empty texts are kept for inspection only.
    """
    return (
        bool(completion.text.strip())
        and completion.refusal is None
        and completion.finish_reason not in ("length", "content_filter")
    )


class Endpoint:
    """What all roles that use one endpoint share: its slots and its health."""

    def __init__(self, concurrency: int) -> None:
        self.slots = asyncio.Semaphore(concurrency)
        self.answered = 0
        self.lost_in_a_row = 0

    def seems_dead(self) -> bool:
        """Nothing was ever answered, or a long row of calls found nobody there."""
        return not self.answered or self.lost_in_a_row >= _DEAD_AFTER


class Caller:
    """Answers requests of any role, from the store where it can."""

    def __init__(
        self,
        store: RunStore,
        bindings: Sequence[RoleBinding],
        *,
        concurrency: int,
        retry: RetryPolicy | None = None,
        environs: Environs | None = None,
        on_call: Callable[[Completion], None] | None = None,
    ) -> None:
        self._store = store
        self._bindings: Mapping[str, RoleBinding] = {b.role: b for b in bindings}
        self._endpoints = {b.backend.endpoint: Endpoint(concurrency) for b in bindings}
        self._retry = retry or RetryPolicy()
        self._environs = environs or Environs()
        self._on_call = on_call
        self._closing = asyncio.Event()

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
        request = Request(tuple(messages), prompt, sampling, constraint)
        key = request_key(request, endpoint=binding.backend.endpoint, sample=sample)
        for stored in self._store.find_calls(key, item=item):
            if stored.item == item or answers_again(stored.completion):
                return stored
        return await self._call(item, binding, request, sample, key)

    async def _call(
        self, item: str, binding: RoleBinding, request: Request, sample: int, key: str
    ) -> CallRow:
        endpoint = self._endpoints[binding.backend.endpoint]
        retries = CallRetries(self._retry, self._environs.rng, self._closing.is_set)

        def before_sleep(error: BaseException, wait_s: float) -> None:
            self._note_attempt(item, binding.role, key, error, wait_s)

        async def attempt() -> Completion:
            async with endpoint.slots:
                return await complete_sample(binding.backend, request, sample)

        try:
            completion: Completion = await retries.controller(self._pause, before_sleep)(attempt)
        except CallFailed as error:
            self._note_attempt(item, binding.role, key, error, None)
            if isinstance(error, ConnectionFault):
                endpoint.lost_in_a_row += 1
                if endpoint.seems_dead():
                    raise Unreachable(
                        f"{binding.backend.spec}: {error} Nothing more is sent; check the address "
                        "and the network, then run the same command to go on."
                    ) from error
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

    async def _pause(self, seconds: float) -> None:
        """Sleep, but no longer than until the run begins to end."""
        waits = [
            asyncio.ensure_future(self._environs.sleep(seconds)),
            asyncio.ensure_future(self._closing.wait()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

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
