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
    # The skips of a record stand together, before, between or behind its items.
    (ordinal,) = one(
        "SELECT MIN(ordinal) FROM skips WHERE before >= ? AND source = ? AND line IS ?",
        (seq, source, line),
    ).fetchone()
    if ordinal is None:
        ordinal = one("SELECT COUNT(*) FROM skips WHERE before <= ?", (seq,)).fetchone()[0]
    (accepted,) = one(
        "SELECT COUNT(*) FROM verdicts WHERE accepted = 1 AND fingerprint IS NOT NULL AND seq < ?",
        (seq,),
    ).fetchone()
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
