"""What people decided about single samples: kept in order, never overwritten, undoable.

Of the decisions on an item that are not undone, the last is in force. Undoing it puts the
one before it in force again; the rows stay.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from generator.store.rows import Decision, clean, to_json

_NO_CORPUS = "v.corpus_reasons IS NULL"
DECISION_COLUMNS = (
    "d.item, d.action, d.note, d.edited, d.parsed, d.record, d.fingerprint, d.at, d.undone_at"
)

NO_DECISIONS = (
    "(SELECT NULL AS item, NULL AS action, NULL AS note, NULL AS edited, NULL AS parsed,"
    " NULL AS record, NULL AS fingerprint, NULL AS at, NULL AS undone_at, 1 AS in_force WHERE 0)"
)
"""What stands for the table in a store that has none yet."""

STANDS = "(d.action = 'accept' OR (d.action IS NULL AND v.accepted = 1))"
IN_CORPUS = f"(d.action = 'accept' OR (d.action IS NULL AND v.accepted = 1 AND {_NO_CORPUS}))"
"""`VerdictRow.stands` and `VerdictRow.in_corpus` in SQL; `d` is the decision in force."""

DECISIONS = """
-- What a person decided about an item; `in_force` marks the decision that counts. Times are
-- seconds since the epoch. An acceptance keeps what was accepted.
CREATE TABLE IF NOT EXISTS decisions (
    ordinal     INTEGER PRIMARY KEY,
    item        TEXT NOT NULL,
    action      TEXT NOT NULL CHECK (action IN ('accept', 'refuse')),
    note        TEXT NOT NULL,
    edited      INTEGER NOT NULL,
    parsed      TEXT,
    record      TEXT,
    fingerprint TEXT,
    at          REAL NOT NULL,
    undone_at   REAL,
    in_force    INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS decisions_by_item ON decisions (item, ordinal);
CREATE UNIQUE INDEX IF NOT EXISTS decisions_in_force ON decisions (item) WHERE in_force = 1;
CREATE INDEX IF NOT EXISTS decisions_by_fingerprint
    ON decisions (fingerprint) WHERE in_force = 1 AND fingerprint IS NOT NULL;
"""


def decision_from(row: tuple[Any, ...]) -> Decision | None:
    """The decision of a row of `DECISION_COLUMNS`; None where there is none."""
    if row[0] is None:
        return None
    item, action, note, edited, parsed, record, fingerprint, at, undone_at = row
    return Decision(
        item=item,
        action=action,
        note=note,
        at=at,
        edited=bool(edited),
        parsed=None if parsed is None else json.loads(parsed),
        record=None if record is None else json.loads(record),
        fingerprint=fingerprint,
        undone_at=undone_at,
    )


def add_decision(connection: sqlite3.Connection, decision: Decision) -> None:
    """Put a decision in force; the one before it stays and waits."""
    connection.execute(
        "UPDATE decisions SET in_force = 0 WHERE item = ? AND in_force = 1", (decision.item,)
    )
    connection.execute(
        "INSERT INTO decisions (item, action, note, edited, parsed, record, fingerprint, at,"
        " in_force) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)",
        (
            decision.item,
            decision.action,
            clean(decision.note),
            int(decision.edited),
            None if decision.parsed is None else to_json(decision.parsed),
            None if decision.record is None else to_json(decision.record),
            decision.fingerprint,
            decision.at,
        ),
    )


def undo_decision(connection: sqlite3.Connection, item: str, at: float) -> None:
    """Take back the decision in force; the one before it that is not undone is in force again."""
    connection.execute(
        "UPDATE decisions SET in_force = 0, undone_at = ? WHERE item = ? AND in_force = 1",
        (at, item),
    )
    connection.execute(
        "UPDATE decisions SET in_force = 1 WHERE ordinal = (SELECT MAX(ordinal) FROM decisions"
        " WHERE item = ? AND undone_at IS NULL)",
        (item,),
    )
