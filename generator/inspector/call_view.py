"""The calls of one item: what was sent, what came back, and every attempt that failed before."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from generator.inspector.visible import Shown, shown, visible
from generator.store import AttemptRow, CallRow, ItemRow, unpack_request
from generator.store.scanning import StoreScanner


@dataclass(frozen=True, slots=True)
class MessageView:
    """One message as sent; `role` is "prompt" where a raw text was sent to be continued."""

    role: str
    text: Shown


@dataclass(frozen=True, slots=True)
class AttemptView:
    """One attempt that failed; `wait_s` is how long the next was put off, in seconds."""

    code: str
    status: int | None
    detail: Markup
    body: Shown | None
    wait_s: float | None
    at: str


@dataclass(frozen=True, slots=True)
class CallView:
    """One completed call. `used` when the verdict rests on it; `key` names it in the store."""

    number: int
    key: str
    role: str
    spec: str
    model: str | None
    used: bool
    finish_reason: str | None
    refusal: Shown | None
    reasoning: Shown | None
    answer: Shown
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_s: float | None
    attempts: int
    at: str
    messages: tuple[MessageView, ...]
    sampling: tuple[tuple[str, str], ...]
    constraint: tuple[str, Shown] | None
    notes: tuple[str, ...]
    failed: tuple[AttemptView, ...]


def call_views(
    store: StoreScanner, item: ItemRow, used: Sequence[CallRow], *, whole: bool
) -> tuple[CallView, ...]:
    """All calls of an item in the order the answers came; see `unanswered` for the rest."""
    failed: dict[str, list[AttemptRow]] = {}
    for attempt in store.attempts(item.key):
        failed.setdefault(attempt.call_key, []).append(attempt)
    keys = {call.key for call in used}
    return tuple(
        _call_view(number, call, call.key in keys, failed.get(call.key, []), whole=whole)
        for number, call in enumerate(store.calls_of_item(item.key), start=1)
    )


def unanswered_attempts(
    store: StoreScanner, item: str, calls: Sequence[CallView], *, whole: bool
) -> tuple[tuple[str, AttemptView], ...]:
    """Role and attempt of those that no answer followed."""
    answered = {call.key for call in calls}
    return tuple(
        (attempt.role, _attempt_view(attempt, whole=whole))
        for attempt in store.attempts(item)
        if attempt.call_key not in answered
    )


def _call_view(
    number: int, call: CallRow, used: bool, failed: Sequence[AttemptRow], *, whole: bool
) -> CallView:
    request = unpack_request(call.request)
    done = call.completion
    constraint = request.get("constraint")
    return CallView(
        number=number,
        key=call.key,
        role=call.role,
        spec=call.spec,
        model=done.model,
        used=used,
        finish_reason=done.finish_reason,
        refusal=shown(done.refusal, whole=whole) if done.refusal else None,
        reasoning=shown(done.reasoning, whole=whole) if done.reasoning else None,
        answer=shown(done.text, whole=whole),
        prompt_tokens=done.usage.prompt_tokens,
        completion_tokens=done.usage.completion_tokens,
        latency_s=done.latency_s,
        attempts=call.attempts,
        at=moment(call.at),
        messages=tuple(_messages(request, whole=whole)),
        sampling=tuple(
            (name, str(value))
            for name, value in request["sampling"].items()
            if value not in (None, [], {})
        ),
        constraint=(constraint["kind"], shown(constraint["body"], whole=whole))
        if constraint
        else None,
        notes=done.notes,
        failed=tuple(_attempt_view(attempt, whole=whole) for attempt in failed),
    )


def _messages(request: Mapping[str, Any], *, whole: bool) -> list[MessageView]:
    if "prompt" in request:
        return [MessageView("prompt", shown(request["prompt"], whole=whole))]
    return [MessageView(m["role"], shown(m["content"], whole=whole)) for m in request["messages"]]


def _attempt_view(attempt: AttemptRow, *, whole: bool) -> AttemptView:
    return AttemptView(
        code=attempt.code,
        status=attempt.status,
        detail=visible(attempt.detail),
        body=shown(attempt.body, whole=whole) if attempt.body else None,
        wait_s=attempt.wait_s,
        at=moment(attempt.at),
    )


def moment(at: float) -> str:
    """Seconds since the epoch as a moment in UTC."""
    moment = datetime.datetime.fromtimestamp(at, tz=datetime.UTC)
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC")
