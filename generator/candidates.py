"""Candidates as the store keeps them, and back again."""

from __future__ import annotations

from typing import Any

from generator.errors import CallFailed
from generator.recipes.model import Answer, Candidate, Interpretation, Item, Reader
from generator.store import (
    CallRow,
    RunStore,
    VerdictColumns,
    VerdictRow,
    unpack_request,
    verdict_columns,
)


def call_refusal(error: CallFailed) -> dict[str, Any]:
    """A call that failed because of the item itself, as a reason to reject it."""
    return {"stage": "call", "code": error.code, "detail": str(error), "span": None}


def answer_of(call: CallRow, role: str, opening: str) -> Answer:
    """A stored call as recipes see it; a cut-off one with the cap it was asked with."""
    cap = None
    if call.completion.finish_reason == "length":
        cap = unpack_request(call.request)["sampling"]["max_tokens"]
    return Answer(role, call.key, call.item, opening, call.completion, cap)


def verdict_row(key: str, seq: int, candidate: Candidate, reading: Interpretation) -> VerdictRow:
    """A judged candidate as the store keeps it."""
    verdict = reading.verdict
    return VerdictRow(
        item=key,
        seq=seq,
        accepted=verdict.accepted,
        reasons=tuple(
            {"stage": r.stage, "code": r.code, "detail": r.detail,
             "span": list(r.span) if r.span else None}
            for r in verdict.reasons
        ),
        measures={**verdict.measures, **candidate.notes},
        candidate={
            "answers": [
                {"role": a.role, "key": a.call_key, "item": a.call_item, "opening": a.opening}
                for a in candidate.answers
            ],
            "refused": list(candidate.refused),
            "notes": dict(candidate.notes),
            **({"spans_in": reading.spans_in} if reading.spans_in else {}),
        },
        parsed=reading.parsed,
        record=reading.record,
        fingerprint=reading.fingerprint,
    )  # fmt: skip


def judged(reader: Reader, item: Item, seq: int, candidate: Candidate) -> VerdictColumns:
    """Read a candidate: its verdict as it is written to the store. Pure, as the reader is."""
    reading = reader.interpret(item, candidate)
    return verdict_columns(verdict_row(item.key, seq, candidate, reading))


def stored_candidate(store: RunStore, row: VerdictRow) -> Candidate:
    """The candidate behind a stored verdict, rebuilt from its raw answers."""
    answers = []
    for known in row.answers:
        call = store.find_call(known["key"], item=known["item"])
        if call is not None:
            answers.append(answer_of(call, known["role"], known["opening"]))
    return Candidate(tuple(answers), tuple(row.candidate["refused"]), row.candidate["notes"])
