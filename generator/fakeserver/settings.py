"""The settings of one fake server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from generator.backends.scripted import Script
from generator.fakeserver.fault_choice import FaultSpec, ScheduleLine
from generator.fakeserver.latency import Latency


@dataclass(frozen=True, slots=True)
class FakeServerSettings:
    """What the server answers, how long it takes, what goes wrong, and how strict it is.

    `script`: prepared answers; without it answers are made from the request.
    `models`: the names it knows; without `strict` it answers to any name as
    long as none is given here. `api_key`: the key it wants, None for any or none.
    `context_tokens`, `rpm`, `tpm`, `concurrency`: limits, None for none (tokens
    by `count_tokens`). `refusal_status`: the status and shape of its complaints
    about parameters: 400 as OpenAI, 422 as FastAPI. `max_seconds`,
    `max_requests`: after these it ends by itself. `log`: a file that gets one
    JSON line for each request.
    """

    script: Script | None = None
    seed: int = 0
    latency: Latency = field(default_factory=Latency)
    faults: tuple[FaultSpec, ...] = ()
    schedule: tuple[ScheduleLine, ...] = ()
    strict: bool = False
    system_allowed: bool = True
    several_choices: bool = True
    refusal_status: Literal[400, 422] = 400
    models: tuple[str, ...] = ()
    api_key: str | None = field(default=None, repr=False)
    context_tokens: int | None = None
    rpm: int | None = None
    tpm: int | None = None
    concurrency: int | None = None
    max_seconds: float | None = None
    max_requests: int | None = None
    log: Path | None = None

    @property
    def known_models(self) -> tuple[str, ...]:
        """The names that `/v1/models` lists."""
        return self.models or ("fake",)

    @property
    def models_are_checked(self) -> bool:
        return self.strict or bool(self.models)
