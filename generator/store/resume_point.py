"""Where a resumed run may begin to read: at the record behind which something is left to do."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

_NEIGHBOURS = 1000
"""Items of one record that are looked at in one step."""


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A record of the inputs; every item that stands before it is done.

    `source` and `line` say where it stands (line None: it is the whole file). `seq` and
    `ordinal` are those of its first item and of the first skip from there on. `accepted` of
    the items before it were accepted by the filters.
    """

    source: str
    line: int | None
    seq: int
    ordinal: int
    accepted: int


_ACCEPTED_BEFORE = (
    "SELECT COUNT(*) FROM verdicts WHERE accepted = 1 AND fingerprint IS NOT NULL AND +seq < ?"
)
"""The plus keeps SQLite from fetching every row by its `seq`: the index of the fingerprints alone
answers this, in a hundredth of the pages."""


def find_resume_point(
    connection: sqlite3.Connection, least: int, most: int | None = None
) -> ResumePoint | None:
    """The record that holds the last item before the first one to do.

    It is looked for among the first `most` items alone. None when fewer than `least` items
    stand before it: then reading them again costs little.
    """
    one = connection.execute
    (first,) = one("SELECT MIN(seq) FROM items WHERE state IN ('pending', 'failed')").fetchone()
    if first is None:
        first = one("SELECT IFNULL(MAX(seq), -1) + 1 FROM items").fetchone()[0]
    if most is not None:
        first = min(first, most)
    if first <= least:
        return None
    source, line = one("SELECT source, line FROM items WHERE seq = ?", (first - 1,)).fetchone()
    seq = _first_of_record(connection, source, line, first - 1)
    if seq < least:
        return None
    ordinal = _first_skip(connection, source, line, seq)
    (accepted,) = one(_ACCEPTED_BEFORE, (seq,)).fetchone()
    return ResumePoint(source, line, seq, ordinal, accepted)


def _first_of_record(
    connection: sqlite3.Connection, source: str, line: int | None, seq: int
) -> int:
    while True:
        rows = connection.execute(
            "SELECT seq, source, line FROM items WHERE seq <= ? ORDER BY seq DESC LIMIT ?",
            (seq, _NEIGHBOURS),
        ).fetchall()
        for number, *place in rows:
            if place != [source, line]:
                return int(number) + 1
        if len(rows) < _NEIGHBOURS:
            return 0
        seq = rows[-1][0] - 1


def _first_skip(connection: sqlite3.Connection, source: str, line: int | None, seq: int) -> int:
    """The place of the first skip of the record whose first item is `seq`, or of one behind it.

    Skips stand in the order of the inputs, so their places are halved, not counted. Those of
    a record stand together, before, between or behind its items.
    """
    one = connection.execute
    (end,) = one("SELECT IFNULL(MAX(ordinal), -1) + 1 FROM skips").fetchone()
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        (before,) = one(
            "SELECT before FROM skips WHERE ordinal >= ? ORDER BY ordinal LIMIT 1", (middle,)
        ).fetchone()
        if before < seq:
            low = middle + 1
        else:
            high = middle
    for ordinal, before, *place in one(
        "SELECT ordinal, before, source, line FROM skips WHERE ordinal >= ? ORDER BY ordinal",
        (low,),
    ):
        if before > seq or place == [source, line]:
            return int(ordinal)
    return int(end)
