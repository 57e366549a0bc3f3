"""The rows of the run store, as values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, overload

import orjson

from generator.values import Completion, Usage

_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

ItemState = Literal["pending", "done", "failed"]
Action = Literal["accept", "refuse"]

PERSON_STAGE = "person"
REFUSED_BY_PERSON = "refused_by_person"
"""Stage and code of a person's refusal among the reasons of a sample."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One input item. `key` is derived from its content; `id` is what people read."""

    key: str
    seq: int
    id: str
    source: str
    line: int | None
    payload: Mapping[str, Any]
    state: ItemState = "pending"
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class SkipRow:
    """Something in the inputs that gave no item: a bad record, a paper too short, …"""

    ordinal: int
    source: str
    line: int | None
    id: str | None
    code: str
    detail: str
    before: int = 0


@dataclass(frozen=True, slots=True)
class CallRow:
    """One completed model call. `at` is seconds since the epoch, when the answer arrived."""

    key: str
    request_hash: str
    item: str
    role: str
    sample: int
    spec: str
    request: bytes
    completion: Completion
    attempts: int
    at: float


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One attempt that failed; `wait_s` is how long the next one was put off, in seconds."""

    call_key: str
    item: str
    role: str
    code: str
    status: int | None
    detail: str
    body: str | None
    wait_s: float | None
    at: float


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about the item with the key `item`.

    An acceptance holds what was accepted: `parsed`, `record` and `fingerprint`; `edited` says
    whether the person changed it. `at` and `undone_at` are seconds since the epoch.
    """

    item: str
    action: Action
    note: str
    at: float
    edited: bool = False
    parsed: Mapping[str, Any] | None = None
    record: Mapping[str, Any] | None = None
    fingerprint: str | None = None
    undone_at: float | None = None


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One judged item: JSON-ready reasons and measures, and the record it became.

    `accepted`, `reasons` and `corpus_reasons` are what the filters say; a person's `decision`
    weighs more. Where a person accepted, `parsed`, `record` and `fingerprint` are those that
    were accepted. `measures` hold `corpus_measures` too. `candidate` is what was judged:
    `answers` (role, key and item of a call, and the opening its prompt had written), `refused`
    (reasons found while calling), `notes`, and `spans_in` where the reasons' places are not in
    the first answer.
    """

    item: str
    seq: int
    accepted: bool
    reasons: tuple[Mapping[str, Any], ...]
    measures: Mapping[str, Any]
    candidate: Mapping[str, Any]
    parsed: Mapping[str, Any] | None
    record: Mapping[str, Any] | None
    fingerprint: str | None
    corpus_reasons: tuple[Mapping[str, Any], ...] = ()
    corpus_measures: Mapping[str, Any] = field(default_factory=dict)
    decision: Decision | None = None

    @property
    def in_corpus(self) -> bool:
        """True when a person accepted it, or nobody and nothing speaks against it."""
        if self.decision is not None:
            return self.decision.action == "accept"
        return self.accepted and not self.corpus_reasons

    @property
    def stands(self) -> bool:
        """True when it is acceptable by itself, whatever the rest of the corpus says of it."""
        return self.accepted if self.decision is None else self.decision.action == "accept"

    @property
    def answers(self) -> list[Mapping[str, Any]]:
        """The answers it rests on, in the order they were made."""
        return list(self.candidate["answers"])

    @property
    def spans_in(self) -> int:
        """In which of the answers (from 0) the places of the reasons are."""
        return int(self.candidate.get("spans_in", 0))

    @property
    def all_reasons(self) -> tuple[Mapping[str, Any], ...]:
        """Everything that speaks against it; a person's refusal first."""
        found = self.reasons + self.corpus_reasons
        if self.decision is None or self.decision.action == "accept":
            return found
        return (person_refusal(self.decision.note), *found)


def person_refusal(note: str) -> Mapping[str, Any]:
    """The reason that a person's refusal is."""
    return {
        "stage": PERSON_STAGE,
        "code": REFUSED_BY_PERSON,
        "detail": note or "a person refused it",
        "span": None,
    }


class OwnVerdict(NamedTuple):
    """A verdict as the store writes it, undecoded: reasons and measures are JSON."""

    seq: int
    accepted: int
    reasons: str
    corpus_reasons: str | None
    measures: str


def to_json(value: Any) -> str:
    """Compact JSON; never NaN, never a lone surrogate (SQLite stores UTF-8)."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        # Lone surrogates and integers beyond 64 bits.
        return clean(_ENCODE(value))


@overload
def clean(text: str) -> str: ...
@overload
def clean(text: None) -> None: ...
def clean(text: str | None) -> str | None:
    """The text with lone surrogates replaced, since SQLite stores UTF-8."""
    if text is None or text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def item_to_tuple(row: ItemRow) -> tuple[Any, ...]:
    """The columns of `items`, in their order."""
    return (
        row.key,
        row.seq,
        clean(row.id),
        clean(row.source),
        row.line,
        to_json(row.payload),
        row.state,
        clean(row.failure),
    )


def skip_to_tuple(row: SkipRow) -> tuple[Any, ...]:
    """The columns of `skips`, in their order."""
    return (
        row.ordinal,
        clean(row.source),
        row.line,
        clean(row.id),
        row.code,
        clean(row.detail),
        row.before,
    )


CALL_COLUMNS = (
    "key, request_hash, item, role, sample, spec, request, text, finish_reason, prompt_tokens,"
    " completion_tokens, cached_tokens, model, refusal, reasoning, notes, latency_s, attempts, at"
)


def call_to_tuple(row: CallRow) -> tuple[Any, ...]:
    done = row.completion
    return (
        row.key,
        row.request_hash,
        row.item,
        row.role,
        row.sample,
        row.spec,
        row.request,
        clean(done.text),
        done.finish_reason,
        _storable(done.usage.prompt_tokens),
        _storable(done.usage.completion_tokens),
        _storable(done.usage.cached_prompt_tokens),
        done.model,
        clean(done.refusal),
        clean(done.reasoning),
        to_json(list(done.notes)),
        done.latency_s,
        row.attempts,
        row.at,
    )


def _storable(count: int | None) -> int | None:
    """A count whose sums SQLite can hold; one that no server can mean is unknown."""
    return count if count is not None and 0 <= count < 2**32 else None


def call_from_tuple(columns: tuple[Any, ...]) -> CallRow:
    (
        key, request_hash, item, role, sample, spec, request, text, finish_reason, prompt_tokens,
        completion_tokens, cached, model, refusal, reasoning, notes, latency_s, attempts, at,
    ) = columns  # fmt: skip
    completion = Completion(
        text=text,
        finish_reason=finish_reason,
        usage=Usage(prompt_tokens, completion_tokens, cached),
        model=model,
        refusal=refusal,
        reasoning=reasoning,
        latency_s=latency_s,
        notes=() if notes == "[]" else tuple(json.loads(notes)),
    )
    return CallRow(key, request_hash, item, role, sample, spec, request, completion, attempts, at)
