"""What a fault is: a name, what it does to a reply, and how a call meets its end by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from generator.fakeserver.replies import Envelope, Reply
from generator.values import PromptForm

DrawnBy = Literal["attempt", "request"]
AN_ANSWER = "an answer"


@dataclass(frozen=True, slots=True)
class FaultCall:
    """The request that a fault meets. `argument` is the fault's number, given or its default.

    `context_tokens` is the context that the server pretends to have, `now_s` is
    seconds since the epoch (for an HTTP date).
    """

    argument: float
    form: PromptForm
    model: str
    prompt_tokens: int
    context_tokens: int
    now_s: float


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One fault by name.

    Exactly one of `error` (a reply instead of an answer), `change` (another
    JSON object) and `spoil` (other bytes, headers or another delivery) does it;
    `rate_limit_window` has none, the server keeps its windows.

    `ends_as` is the name of the error in `generator.errors` that one attempt of
    the project's own backends ends with, or "an answer". `drawn_by`: faults
    that pass when the request is sent again are drawn for each attempt; those
    that decide what becomes of the request are drawn by the request alone, so
    that an answer never depends on how often or in which order it was asked for.
    `parameter`: only requests that send this parameter meet the fault.
    """

    name: str
    does: str
    ends_as: str
    drawn_by: DrawnBy = "attempt"
    argument: str = ""
    default: float = 0.0
    chat_only: bool = False
    parameter: str | None = None
    error: Callable[[FaultCall], Reply] | None = None
    change: Callable[[Envelope, FaultCall], Envelope] | None = None
    spoil: Callable[[Reply, FaultCall], Reply] | None = None

    def meets(self, form: PromptForm, body: Mapping[str, Any]) -> bool:
        """Whether a request of this form and body can meet the fault."""
        if self.chat_only and form != "chat":
            return False
        return self.parameter is None or body.get(self.parameter) is not None
