"""The values that pass between the layers: what is asked, what is answered.

Everything here is frozen and free of any SDK: a backend turns a `Request` into
its own wire format and the answer back into a `Completion`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

ChatRole = Literal["system", "user", "assistant"]
ConstraintKind = Literal["gbnf", "json_schema"]
PromptForm = Literal["chat", "completion"]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message, as it goes over the wire."""

    role: ChatRole
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling settings of one role. `None` means: not sent, the server's default.

    `max_tokens` counts tokens of the answer. `extra` holds further parameters
    of the server by name (values must be JSON), for example
    `(("repeat_penalty", 1.1),)`.
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    extra: tuple[tuple[str, Any], ...] = ()


def with_stops(sampling: Sampling, stop: tuple[str, ...]) -> Sampling:
    """The sampling with further texts to stop at."""
    return replace(sampling, stop=sampling.stop + stop) if stop else sampling


@dataclass(frozen=True, slots=True)
class Constraint:
    """What the server must keep the answer to: a GBNF grammar or a JSON schema (as JSON text)."""

    kind: ConstraintKind
    body: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model: chat `messages`, or a raw `prompt` to continue; never both."""

    messages: tuple[Message, ...] = ()
    prompt: str | None = None
    sampling: Sampling = field(default_factory=Sampling)
    constraint: Constraint | None = None

    def __post_init__(self) -> None:
        if bool(self.messages) == (self.prompt is not None):
            raise ValueError("a request has either chat messages or a prompt")


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the server reported them; `None` is unknown, never zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_prompt_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model, unchanged.

    `finish_reason` is "stop", "length" or "content_filter" where that is what
    the server said, in whichever words; else its own word, None when it gave
    none. `latency_s` is seconds from sending the request to having the whole
    answer. `notes` says what the backend had to change to be understood
    ("temperature dropped").
    """

    text: str
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    refusal: str | None = None
    reasoning: str | None = None
    latency_s: float | None = None
    notes: tuple[str, ...] = ()


def answers_again(completion: Completion) -> bool:
    """Whether a stored completion may answer a later request for the same.

    Refusals, truncations and empty texts are kept for inspection only.
    """
    return (
        bool(completion.text.strip())
        and completion.refusal is None
        and completion.finish_reason not in ("length", "content_filter")
    )


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a backend declares it can do; recipes choose their template variant by it.

    `prompt_forms`: which request forms it takes. `constraints`: which output
    constraints it enforces. `follows_instructions`: False for base models and
    for models too small to follow a written prompt. `context_tokens`: prompt
    and answer together, None when unknown.
    """

    prompt_forms: frozenset[PromptForm]
    constraints: frozenset[ConstraintKind] = frozenset()
    follows_instructions: bool = True
    context_tokens: int | None = None


class Backend(Protocol):
    """What answers a request. Implementations live in `generator.backends`."""

    @property
    def spec(self) -> str:
        """The SPEC it was made from, without secrets."""

    @property
    def endpoint(self) -> str:
        """Identity of what answers (backend, base URL, model, file hash): part of the cache key."""

    @property
    def capabilities(self) -> Capabilities: ...

    async def complete(self, request: Request) -> Completion:
        """Make exactly one attempt. Raises a `CallFailed` or `RunStopped`."""

    async def aclose(self) -> None: ...


Environment = Mapping[str, str]
