"""A verdict as it lies in the store: made once, by whoever reads the candidate."""

from __future__ import annotations

from typing import NamedTuple

from generator.store.rows import VerdictRow, to_json


class VerdictColumns(NamedTuple):
    """A verdict as `RunStore` writes it when an item is judged: what is text is JSON."""

    item: str
    seq: int
    accepted: int
    reasons: str
    measures: str
    candidate: str
    parsed: str | None
    record: str | None
    fingerprint: str | None


def verdict_columns(row: VerdictRow) -> VerdictColumns:
    """What is written of a verdict when its item is judged."""
    return VerdictColumns(
        row.item,
        row.seq,
        int(row.accepted),
        to_json(list(row.reasons)),
        to_json(row.measures),
        to_json(row.candidate),
        None if row.parsed is None else to_json(row.parsed),
        None if row.record is None else to_json(row.record),
        row.fingerprint,
    )
