"""What a backend is made with, besides its SPEC."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from generator.values import Capabilities, Completion, ConstraintKind, Environment

RolePolicy = Literal["as-given", "fold-system", "alternate"]


class CallSource(Protocol):
    """The stored calls of an earlier run, as `replay:RUN` reads them."""

    @property
    def capabilities(self) -> Capabilities | None:
        """What the backend of that run declared, so that the same templates are chosen."""

    def lookup(self, request_hash: str) -> Completion | None:
        """The stored answer to the request with this hash (`generator.calling.key`)."""


@dataclass(frozen=True, slots=True)
class BackendOptions:
    """Settings of a backend that its SPEC does not carry. `None`: the backend's own default.

    `request_timeout_s` bounds one request from sending to the whole answer, in
    seconds; waiting for a free slot is not part of it. `constraints`,
    `follows_instructions` and `context_tokens` declare what the server can do
    where the backend cannot know. `roles` bends chat messages for strict
    servers: `fold-system` puts the system text into the first user message,
    `alternate` also joins neighbours of one role. Raises `ValueError` for
    numbers that cannot be.
    """

    request_timeout_s: float = 600.0
    constraints: frozenset[ConstraintKind] | None = None
    follows_instructions: bool | None = None
    context_tokens: int | None = None
    roles: RolePolicy = "as-given"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.request_timeout_s) and self.request_timeout_s > 0):
            raise ValueError(
                "request_timeout_s must be a number of seconds above 0, "
                f"not {self.request_timeout_s}"
            )
        if self.context_tokens is not None and self.context_tokens < 1:
            raise ValueError(f"context_tokens must be 1 or more, not {self.context_tokens}")


@dataclass(frozen=True, slots=True)
class BackendContext:
    """The surroundings of a backend.

    `environ` is the only place keys are read from. `concurrency` is how many
    requests the calling layer sends at once. `open_run` opens the run directory
    that `replay:` names; without it there is no replay.
    """

    environ: Environment = field(default_factory=dict, repr=False)
    concurrency: int = 8
    options: BackendOptions = field(default_factory=BackendOptions)
    open_run: Callable[[str], CallSource] | None = None
