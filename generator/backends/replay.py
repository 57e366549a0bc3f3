"""`replay:RUN`: answers from an earlier run, so that a corpus is rebuilt without a model."""

from __future__ import annotations

from generator.backends.context import BackendContext, CallSource
from generator.backends.spec import BackendSpec
from generator.calling.key import request_hash
from generator.errors import NotInRun, WrongUse
from generator.values import Backend, Capabilities, Completion, Request

_ANYTHING = Capabilities(
    prompt_forms=frozenset({"chat", "completion"}),
    constraints=frozenset({"gbnf", "json_schema"}),
)


class ReplayBackend:
    """Answers with the stored completions of one run, unchanged.

    A request is found by what it asks, not by who answered it: see
    `generator.calling.key.request_hash`.
    """

    def __init__(self, source: CallSource, run: str) -> None:
        self._source = source
        self._run = run

    @property
    def spec(self) -> str:
        return f"replay:{self._run}"

    @property
    def endpoint(self) -> str:
        return self.spec

    @property
    def capabilities(self) -> Capabilities:
        return self._source.capabilities or _ANYTHING

    async def complete(self, request: Request) -> Completion:
        """The stored answer; `NotInRun` when the run never got one."""
        return await self.complete_sample(request, 0)

    async def complete_sample(self, request: Request, sample: int) -> Completion:
        """The stored answer number `sample`; `NotInRun` when the run never got one."""
        wanted = request_hash(request, sample=sample)
        completion = self._source.lookup(wanted)
        if completion is None:
            raise NotInRun(
                f"not in the replayed run {self._run}: request {wanted[:12]} (sample {sample}). "
                "Its template, its settings or its input have changed since; "
                "replay with the settings of that run, or ask a model"
            )
        return completion

    async def aclose(self) -> None:
        """Nothing is held open here; the source belongs to who opened it."""


def make_replay(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `replay:RUN`. Raises `WrongUse` when no run is named or none can be opened."""
    if spec.model is None or spec.base_url is not None:
        raise WrongUse(f"{spec}: name the run directory to replay, like replay:outputs/run1")
    if context.open_run is None:
        raise WrongUse(f"{spec}: no run can be opened here, so there is nothing to replay")
    return ReplayBackend(context.open_run(spec.model), spec.model)
