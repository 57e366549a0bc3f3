"""The one seam every model call passes.

Stored answer → retries → budget → slot → backend → store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from generator.calling.adaptive import LimitChange
from generator.calling.budget import Budget
from generator.calling.charging import Purse
from generator.calling.endpoint_limits import EndpointLimits, LimitSettings
from generator.calling.gate import EndpointGate
from generator.calling.key import CallIdentity, identify
from generator.calling.one_call import Circumstances, Environs, OneCall
from generator.calling.retry import RetryPolicy
from generator.calling.roles import RoleBinding
from generator.calling.waits import Waits, WaitTeller
from generator.errors import CallFailed, ConnectionFault, GivenUp, Retryable, Unreachable
from generator.store import AttemptRow, CallRow, RunStore, pack_request
from generator.values import Completion, Constraint, Message, Request, with_stops

__all__ = ["Caller", "Endpoint", "Environs"]

_DEAD_AFTER = 20
"""So many calls in a row that exhausted their attempts on connections mean: nobody is there."""


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
        self._around = Circumstances(
            environs=environs or Environs(),
            retry=retry or RetryPolicy(),
            purse=Purse(budget),
            closing=asyncio.Event(),
            waits=Waits(self._keep_telling),
        )
        self._on_call = on_call
        self._teller = self._make_teller(on_wait)
        self._telling: asyncio.Task[None] | None = None
        settings = LimitSettings(concurrency, rpm, tpm)
        self._endpoints = {
            b.backend.endpoint: Endpoint(self._make_gate(settings)) for b in bindings
        }

    def _make_gate(self, settings: LimitSettings) -> EndpointGate:
        environs = self._around.environs
        limits = EndpointLimits(settings, now=environs.monotonic())
        return EndpointGate(
            limits, clock=environs.monotonic, sleep=environs.sleep, waits=self._around.waits
        )

    def _make_teller(self, on_wait: Callable[[str], None] | None) -> WaitTeller | None:
        if on_wait is None:
            return None
        environs = self._around.environs
        return WaitTeller(self._around.waits, on_wait, clock=environs.monotonic, tick=environs.tick)

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
        self._around.closing.set()
        self._around.purse.close()

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
        asked: set[str] | None = None,
    ) -> CallRow:
        """The stored or fresh answer, durable before it is returned.

        `sample` tells apart several answers wanted for one and the same request.
        `asked` is given for an item that the store has never held: the keys of
        what it has asked since, which are all it can find there. It is kept up.
        Raises `CallFailed` when the call failed for good, `RunStopped` when no
        call can succeed any more.
        """
        binding = self._bindings[role]
        sampling = with_stops(binding.sampling, stop)
        if sample and sampling.seed is not None:
            # The same seed would give a deterministic server's faulty answer again.
            sampling = replace(sampling, seed=sampling.seed + sample)
        request = Request(tuple(messages), prompt, sampling, constraint)
        identity = identify(request, endpoint=binding.backend.endpoint, sample=sample)
        if asked is None or identity.key in asked:
            stored = self._store.find_call(identity.key, item=item)
            if stored is not None:
                return stored
        if asked is not None:
            asked.add(identity.key)
        return await self._call(item, binding, request, sample, identity)

    async def _call(
        self,
        item: str,
        binding: RoleBinding,
        request: Request,
        sample: int,
        identity: CallIdentity,
    ) -> CallRow:
        endpoint = self._endpoints[binding.backend.endpoint]

        def note(error: BaseException, wait_s: float | None) -> None:
            self._note_attempt(item, binding.role, identity.key, error, wait_s)

        call = OneCall(self._around, endpoint.gate, binding, request, sample, note)
        try:
            completion = await call.complete()
        except CallFailed as error:
            closing = self._around.closing.is_set()
            if isinstance(error, ConnectionFault) and not closing:
                endpoint.lost_in_a_row += 1
                if endpoint.seems_dead():
                    raise self._unreachable(binding, endpoint, error) from error
            if isinstance(error, Retryable) and closing:
                raise GivenUp(f"the run is ending; the last attempt: {error}") from error
            raise
        endpoint.answered += 1
        endpoint.lost_in_a_row = 0
        row = CallRow(
            key=identity.key,
            request_hash=identity.request_hash,
            item=item,
            role=binding.role,
            sample=sample,
            spec=binding.backend.spec,
            request=pack_request(request),
            completion=completion,
            attempts=call.attempts,
            at=self._around.environs.clock(),
        )
        await self._store.put_call(row)
        if self._on_call is not None:
            self._on_call(completion)
        return row

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
            f"{binding.backend.spec}: {str(error).rstrip('.')}; {found}. Nothing more is sent; "
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
                at=self._around.environs.clock(),
            )
        )
