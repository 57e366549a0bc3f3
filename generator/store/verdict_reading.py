"""Reading verdicts: what filters, corpus and people say of the items, in input order."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.store.decisions import (
    DECISION_COLUMNS,
    IN_CORPUS,
    NO_DECISIONS,
    STANDS,
    decision_from,
)
from generator.store.rows import Decision, ItemRow, OwnVerdict, VerdictRow
from generator.store.verdict_columns import VerdictColumns

Read = Callable[[Any], Mapping[str, Any]]
"""Makes an object of its JSON text."""

ITEM_COLUMNS = "i.key, i.seq, i.id, i.source, i.line, i.payload, i.state, i.failure"
VERDICT_COLUMNS = (
    "v.item, v.seq, v.accepted, v.reasons, v.measures, v.candidate, v.parsed, v.record,"
    " v.fingerprint, v.corpus_reasons, v.corpus_measures"
)


class VerdictReader:
    """The questions about verdicts that can be asked of a store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._reader = connection
        self._knows_decisions = False

    @property
    def _decisions(self) -> str:
        """What to join for decisions: an older store gets their table only when it is written."""
        if not self._knows_decisions:
            known = self._reader.execute("SELECT 1 FROM sqlite_master WHERE name = 'decisions'")
            self._knows_decisions = known.fetchone() is not None
        return "decisions" if self._knows_decisions else NO_DECISIONS

    @property
    def _decided(self) -> str:
        return f"LEFT JOIN {self._decisions} d ON d.item = v.item AND d.in_force = 1"

    def judged(self, *, accepted_only: bool = False) -> Iterator[tuple[ItemRow, VerdictRow]]:
        """Judged items with their verdicts, in input order; one at a time, flat in memory.

        `accepted_only` leaves those that stand, whatever the rest of the corpus says.
        """
        where = f"WHERE {STANDS}" if accepted_only else ""
        rows = self._reader.cursor().execute(
            f"SELECT {ITEM_COLUMNS}, {VERDICT_COLUMNS}, {DECISION_COLUMNS} FROM verdicts v"
            f" JOIN items i ON i.key = v.item {self._decided} {where} ORDER BY v.seq"
        )
        for row in rows:
            yield item_from(row[:8]), verdict_from(row[8:])

    def judged_item(self, key: str) -> tuple[ItemRow, VerdictRow] | None:
        """One judged item by its key; None while it is not judged."""
        row = self._reader.execute(
            f"SELECT {ITEM_COLUMNS}, {VERDICT_COLUMNS}, {DECISION_COLUMNS} FROM verdicts v"
            f" JOIN items i ON i.key = v.item {self._decided} WHERE v.item = ?",
            (key,),
        ).fetchone()
        return None if row is None else (item_from(row[:8]), verdict_from(row[8:]))

    def judged_at(self, seq: int) -> tuple[ItemRow, VerdictRow] | None:
        """The item at a place of the input, and what the filters say of it."""
        row = self._reader.execute(
            f"SELECT {ITEM_COLUMNS}, {VERDICT_COLUMNS} FROM verdicts v"
            " JOIN items i ON i.key = v.item WHERE v.seq = ?",
            (seq,),
        ).fetchone()
        return None if row is None else (item_from(row[:8]), verdict_from((*row[8:], *[None] * 9)))

    def own_verdicts(self) -> Iterator[OwnVerdict]:
        """All verdicts in no order, without what was judged and what people decided.

        The table is read as it lies, which is ten times as quick as in input order.
        """
        return map(
            OwnVerdict._make,
            self._reader.cursor().execute(
                "SELECT seq, accepted, reasons, corpus_reasons, measures FROM verdicts NOT INDEXED"
            ),
        )

    def places_decided(self) -> Iterator[tuple[int, str]]:
        """Place in the input and action of every decision in force on a judged item."""
        return self._reader.cursor().execute(
            f"SELECT v.seq, d.action FROM {self._decisions} d JOIN verdicts v ON v.item = d.item"
            " WHERE d.in_force = 1"
        )

    def verdict_count(self) -> tuple[int, int]:
        """How many items are judged, and the place in the input behind the last of them."""
        row = self._reader.execute("SELECT COUNT(*), MAX(seq) FROM verdicts").fetchone()
        return int(row[0]), 0 if row[1] is None else int(row[1]) + 1

    def name_at(self, seq: int) -> tuple[str, str] | None:
        """Key and id of the item at a place of the input."""
        row = self._reader.execute("SELECT key, id FROM items WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else (str(row[0]), str(row[1]))

    def fingerprint_at(self, seq: int) -> str | None:
        """The fingerprint that the filters gave the sample at a place of the input."""
        row = self._reader.execute(
            "SELECT fingerprint FROM verdicts WHERE seq = ?", (seq,)
        ).fetchone()
        return None if row is None else row[0]

    def dialogue_at(self, seq: int) -> tuple[str, Any] | None:
        """Id and parsed dialogue at a place of the input, as a person or the filters have it."""
        row = self._reader.execute(
            "SELECT i.id, CASE d.action WHEN 'accept' THEN d.parsed ELSE v.parsed END"
            f" FROM verdicts v JOIN items i ON i.key = v.item {self._decided} WHERE v.seq = ?",
            (seq,),
        ).fetchone()
        return None if row is None else (row[0], None if row[1] is None else json.loads(row[1]))

    def accepted_by_people(self) -> Iterator[tuple[int, str | None]]:
        """Place and fingerprint of each judged sample that a person accepted."""
        return self._reader.cursor().execute(
            f"SELECT v.seq, d.fingerprint FROM {self._decisions} d JOIN verdicts v"
            " ON v.item = d.item WHERE d.in_force = 1 AND d.action = 'accept'"
        )

    def accepted_fingerprints(self) -> Iterator[tuple[str, int]]:
        """Fingerprint and place of what the filters accept, copies side by side."""
        return self._reader.cursor().execute(
            "SELECT fingerprint, seq FROM verdicts NOT INDEXED"
            " WHERE accepted = 1 AND fingerprint IS NOT NULL ORDER BY fingerprint, seq"
        )

    def places_with_fingerprint(self, fingerprint: str) -> Iterator[int]:
        """Where the dialogues with this fingerprint stand that the filters accept."""
        rows = self._reader.cursor().execute(
            "SELECT seq FROM verdicts WHERE accepted = 1 AND fingerprint = ? ORDER BY seq",
            (fingerprint,),
        )
        return (int(row[0]) for row in rows)

    def answer_texts(self) -> Iterator[tuple[str, str]]:
        """Item key and raw text of every stored answer, in no order."""
        return self._reader.cursor().execute("SELECT item, text FROM calls NOT INDEXED")

    def candidates(self) -> Iterator[tuple[int, str, str]]:
        """Place, item key and candidate (JSON) of every judged item, in no order."""
        return self._reader.cursor().execute(
            "SELECT seq, item, candidate FROM verdicts NOT INDEXED"
        )

    def verdict_of(self, item: str) -> VerdictRow | None:
        """The verdict on one item."""
        row = self._reader.execute(
            f"SELECT {VERDICT_COLUMNS}, {DECISION_COLUMNS} FROM verdicts v {self._decided}"
            " WHERE v.item = ?",
            (item,),
        ).fetchone()
        return None if row is None else verdict_from(row)

    def judged_alone(self, item: str) -> VerdictRow | None:
        """What the filters say of one item, as if nobody had decided anything."""
        row = self._reader.execute(
            f"SELECT {VERDICT_COLUMNS} FROM verdicts v WHERE v.item = ?", (item,)
        ).fetchone()
        return None if row is None else verdict_from((*row, *[None] * 9))

    def decided(self, verdict: VerdictRow) -> VerdictRow:
        """A fresh verdict with what a person decided about its item before."""
        decision = self.decision_on(verdict.item)
        return verdict if decision is None else _with(verdict, decision)

    def decision_on(self, item: str) -> Decision | None:
        """The decision in force on an item."""
        row = self._reader.execute(
            f"SELECT {DECISION_COLUMNS} FROM {self._decisions} d"
            " WHERE d.item = ? AND d.in_force = 1",
            (item,),
        ).fetchone()
        return None if row is None else decision_from(row)

    def decisions(self, *, item: str | None = None) -> Iterator[Decision]:
        """Every decision ever made, in the order made; undone ones have `undone_at`."""
        if self._decisions == NO_DECISIONS:
            return
        where = "" if item is None else "WHERE d.item = ?"
        rows = self._reader.cursor().execute(
            f"SELECT {DECISION_COLUMNS} FROM decisions d {where} ORDER BY d.ordinal",
            () if item is None else (item,),
        )
        for row in rows:
            decision = decision_from(row)
            if decision is not None:
                yield decision

    def fallen(self) -> tuple[str, ...]:
        """The keys of decided items of which the corpus had its say, and that do not stand now."""
        # CROSS: from the few decisions to their verdicts, never through all verdicts.
        rows = self._reader.execute(
            f"SELECT DISTINCT v.item FROM {self._decisions} e"
            f" CROSS JOIN verdicts v ON v.item = e.item {self._decided} WHERE NOT {STANDS}"
            " AND (v.corpus_reasons IS NOT NULL OR v.corpus_measures IS NOT NULL) ORDER BY v.item"
        )
        return tuple(str(row[0]) for row in rows)

    def copies_after(self, fingerprint: str, seq: int) -> tuple[str, ...]:
        """The keys of undecided items with this fingerprint behind `seq` that stand."""
        rows = self._reader.execute(
            f"SELECT v.item FROM verdicts v {self._decided} WHERE v.accepted = 1"
            " AND v.fingerprint = ? AND v.seq > ? AND d.action IS NULL ORDER BY v.seq",
            (fingerprint, seq),
        )
        return tuple(str(row[0]) for row in rows)

    def first_with_fingerprint(self, fingerprint: str, before: int) -> str | None:
        """The id of the first standing item with this fingerprint, if it is before `before`."""
        rows = self._reader.execute(
            f"SELECT v.seq, i.id FROM verdicts v JOIN items i ON i.key = v.item {self._decided}"
            " WHERE v.accepted = 1 AND v.fingerprint = ?1 AND v.seq < ?2 AND d.action IS NULL"
            f" UNION ALL SELECT v.seq, i.id FROM {self._decisions} d JOIN verdicts v ON"
            " v.item = d.item JOIN items i ON i.key = v.item WHERE d.in_force = 1"
            " AND d.action = 'accept' AND d.fingerprint = ?1 AND v.seq < ?2 ORDER BY 1 LIMIT 1",
            (fingerprint, before),
        )
        row = rows.fetchone()
        return None if row is None else str(row[1])

    def place_of_accepted(self, number: int) -> int | None:
        """Where the accepted record number `number` (from 1) stands in the input."""
        row = self._reader.execute(
            f"SELECT v.seq FROM verdicts v {self._decided} WHERE {IN_CORPUS}"
            " ORDER BY v.seq LIMIT 1 OFFSET ?",
            (number - 1,),
        ).fetchone()
        return None if row is None else int(row[0])

    def accepted_before(self, seq: int) -> tuple[int, int]:
        """How many judged items before a place in the input are in the corpus, and are not."""
        row = self._reader.execute(
            f"SELECT COUNT(*), SUM({IN_CORPUS}) FROM verdicts v {self._decided} WHERE v.seq < ?",
            (seq,),
        ).fetchone()
        accepted = int(row[1] or 0)
        return accepted, int(row[0]) - accepted


def item_from(row: tuple[Any, ...], read: Read = json.loads) -> ItemRow:
    key, seq, id_, source, line, payload, state, failure = row
    return ItemRow(key, seq, id_, source, line, read(payload), state, failure)


def fresh_verdict(columns: VerdictColumns) -> VerdictRow:
    """A verdict of which neither corpus nor people have said anything yet."""
    return verdict_from((*columns, None, None, *[None] * 9))


def verdict_from(row: tuple[Any, ...], read: Read = json.loads) -> VerdictRow:
    (
        item, seq, accepted, reasons, measures, candidate, parsed, record, fingerprint, corpus,
        corpus_measures,
    ) = row[:11]  # fmt: skip
    decision = decision_from(row[11:])
    beside = json.loads(corpus_measures) if corpus_measures else {}
    verdict = VerdictRow(
        item=item,
        seq=seq,
        accepted=bool(accepted),
        reasons=() if reasons == "[]" else tuple(json.loads(reasons)),
        measures={**read(measures), **beside} if beside else read(measures),
        candidate=read(candidate),
        parsed=None if parsed is None else read(parsed),
        record=None if record is None else read(record),
        fingerprint=fingerprint,
        corpus_reasons=tuple(json.loads(corpus)) if corpus else (),
        corpus_measures=beside,
    )
    return verdict if decision is None else _with(verdict, decision)


def _with(verdict: VerdictRow, decision: Decision) -> VerdictRow:
    if decision.action == "refuse":
        return replace(verdict, decision=decision)
    return replace(
        verdict,
        decision=decision,
        parsed=decision.parsed,
        record=decision.record,
        fingerprint=decision.fingerprint,
    )
