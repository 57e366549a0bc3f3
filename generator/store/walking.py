"""Reading a whole store in input order for what is passed on, not looked into: the end of a run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from generator.json_text import JsonText
from generator.store.decisions import DECISION_COLUMNS, STANDS
from generator.store.rows import CALL_COLUMNS, CallRow, ItemRow, VerdictRow, call_from_tuple
from generator.store.verdict_reading import (
    ITEM_COLUMNS,
    VERDICT_COLUMNS,
    VerdictReader,
    item_from,
    verdict_from,
)


def _undecoded(columns: str) -> str:
    """The columns with those that hold an object as UTF-8 bytes."""
    objects = ("i.payload", "v.measures", "v.candidate", "v.parsed", "v.record")
    return ", ".join(
        f"CAST({name} AS BLOB)" if name in objects else name for name in columns.split(", ")
    )


_ITEM, _VERDICT = _undecoded(ITEM_COLUMNS), _undecoded(VERDICT_COLUMNS)
_CALL = ", ".join(f"c.{name}" for name in CALL_COLUMNS.split(", "))


class WalkReader(VerdictReader):
    """Walks through all judged items, flat in memory."""

    def passed_on(self) -> Iterator[tuple[ItemRow, VerdictRow]]:
        """What `judged` gives, with payload, candidate, measures, parsed and record as `JsonText`.

        Several times as quick where most of these are not looked into.
        """
        return self._passed_on("", ())

    def standing(self, places: Iterable[int] | None = None) -> Iterator[tuple[ItemRow, VerdictRow]]:
        """What `passed_on` gives of those that stand by themselves.

        With `places` only those there, and those of which the corpus has had its say.
        """
        if places is None:
            return self._passed_on(f"WHERE {STANDS}", ())
        few = (
            "v.corpus_reasons IS NOT NULL OR v.corpus_measures IS NOT NULL"
            " OR v.seq IN (SELECT value FROM json_each(?))"
        )
        return self._passed_on(f"WHERE {STANDS} AND ({few})", (json.dumps([*places]),))

    def _passed_on(
        self, where: str, values: tuple[str, ...]
    ) -> Iterator[tuple[ItemRow, VerdictRow]]:
        rows = self._reader.cursor().execute(
            f"SELECT {_ITEM}, {_VERDICT}, {DECISION_COLUMNS} FROM verdicts v"
            f" JOIN items i ON i.key = v.item {self._decided} {where} ORDER BY v.seq",
            values,
        )
        for row in rows:
            yield item_from(row[:8], JsonText), verdict_from(row[8:], JsonText)

    def own_calls(self) -> OwnCalls:
        """The calls of the judged items, to be asked for in input order."""
        return OwnCalls(self._reader)

    def repeated_places(self) -> Iterator[int]:
        """Where a fingerprint stands that may stand before it too, in no order.

        Every copy is among them; `first_with_fingerprint` tells whether it is one, since what
        people refused does not count.
        """
        # In the order of the index, which alone is read then.
        among_verdicts = self._reader.cursor().execute(
            "SELECT v.seq FROM verdicts v WHERE v.accepted = 1 AND v.fingerprint IS NOT NULL"
            " AND EXISTS (SELECT 1 FROM verdicts w WHERE w.accepted = 1"
            " AND w.fingerprint = v.fingerprint AND w.seq < v.seq) ORDER BY v.fingerprint, v.seq"
        )
        of_people = self._reader.cursor().execute(
            f"SELECT v.seq FROM {self._decisions} d CROSS JOIN verdicts v ON v.accepted = 1"
            " AND v.fingerprint = d.fingerprint WHERE d.in_force = 1 AND d.action = 'accept'"
        )
        return (int(row[0]) for row in chain(among_verdicts, of_people))


class OwnCalls:
    """The calls that the judged items made, item by item beside a walk in input order."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        # CROSS JOIN keeps the order of the tables: no sorting, and nothing is held.
        self._rows: Iterator[tuple[Any, ...]] = connection.cursor().execute(
            f"SELECT v.seq, {_CALL} FROM verdicts v CROSS JOIN calls c ON c.item = v.item"
            " ORDER BY v.seq"
        )
        self._next = next(self._rows, None)

    def of(self, seq: int) -> dict[str, CallRow]:
        """All calls of the item at a place, by key; each place is asked for once, in order."""
        found: dict[str, CallRow] = {}
        while self._next is not None and self._next[0] <= seq:
            if self._next[0] == seq:
                call = call_from_tuple(self._next[1:])
                found[call.key] = call
            self._next = next(self._rows, None)
        return found
