"""The run store: every item, call and verdict of one run, durable in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Awaitable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.errors import StoreFault
from generator.store.decisions import DECISIONS, add_decision, undo_decision
from generator.store.reading import StoreReader
from generator.store.registering import Registered, Registration
from generator.store.resume_point import ResumePoint, find_resume_point
from generator.store.rows import (
    CALL_COLUMNS,
    AttemptRow,
    CallRow,
    Decision,
    ItemRow,
    SkipRow,
    VerdictRow,
    call_from_tuple,
    call_to_tuple,
    clean,
    item_to_tuple,
    skip_to_tuple,
    to_json,
)
from generator.store.scanning import SEALED, read_mode
from generator.store.schema import READABLE_VERSIONS, SCHEMA, SCHEMA_VERSION
from generator.store.verdict_columns import VerdictColumns, verdict_columns
from generator.store.writer import (
    Backlog,
    GroupWriter,
    Operation,
    Row,
    RowStatement,
    describe_fault,
)
from generator.values import answers_again

_CACHE_KIB = 8_000
_PAGES_A_CHECKPOINT = 4_000
_FORGET_DERIVED = "DELETE FROM meta WHERE name IN ('views', 'corpus_judged')"

_INSERT_CALLS = RowStatement("INSERT OR IGNORE INTO calls VALUES ", f"({', '.join('?' * 19)})")
_INSERT_VERDICTS = RowStatement(
    "INSERT OR REPLACE INTO verdicts (item, seq, accepted, reasons, measures, candidate, parsed,"
    " record, fingerprint) VALUES ",
    f"({', '.join('?' * 9)})",
)
_MARK_DONE = RowStatement(
    "UPDATE items SET state = 'done', failure = NULL WHERE key IN (", "?", ")"
)


def _judge(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Write verdicts (their items first in each row); the items are done with it."""
    _INSERT_VERDICTS.run(connection, rows)
    _MARK_DONE.run(connection, [row[:1] for row in rows])


class RunStore(StoreReader):
    """Reads on the caller's thread, writes on one writer thread.

    The `put_*` methods return an awaitable that ends once the row is committed;
    their `*_now` twins block until then.
    """

    def __init__(self, path: Path, *, create: bool, writable: bool = True) -> None:
        self.path = path
        # A store in a folder that cannot be written, an archive say, can be read all the same.
        self._sealed = not writable and read_mode(path) == SEALED
        if not create and not os.path.isfile(path):
            raise StoreFault(f"{path}: there is no run store here; is this a run directory?")
        try:
            super().__init__(self._connect(create))
            version = self._prepare(create)
            if writable and version in READABLE_VERSIONS:
                self._bring_up_to_date(version)
        except sqlite3.Error as error:
            raise describe_fault(error, str(path)) from None
        if version not in READABLE_VERSIONS:
            self._reader.close()
            raise StoreFault(
                f"{path}: written by another version of the store (schema {version}, "
                f"this one reads up to {SCHEMA_VERSION})"
            )
        self._writer = GroupWriter(lambda: self._connect(create), str(path)) if writable else None

    def _connect(self, create: bool) -> sqlite3.Connection:
        mode = SEALED if self._sealed else f"mode={'rwc' if create else 'rw'}"
        connection = sqlite3.connect(
            f"{self.path.resolve().as_uri()}?{mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
        )
        if self._sealed:
            return connection
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        # Pages that are written again and again reach the file itself less often.
        connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_A_CHECKPOINT}")
        return connection

    def _prepare(self, create: bool) -> int:
        if create and not self._sealed:
            self._reader.executescript(SCHEMA + DECISIONS)
            self._reader.execute(
                "INSERT OR IGNORE INTO meta VALUES ('schema_version', ?)", (str(SCHEMA_VERSION),)
            )
        row = self._reader.execute("SELECT value FROM meta WHERE name = 'schema_version'")
        found = row.fetchone()
        return int(found[0]) if found else 0

    def _bring_up_to_date(self, version: int) -> None:
        if version < SCHEMA_VERSION:
            self._reader.executescript(
                f"BEGIN IMMEDIATE; {DECISIONS}"
                f"UPDATE meta SET value = '{SCHEMA_VERSION}' WHERE name = 'schema_version'; COMMIT;"
            )

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader.close()

    def _submit(self, sql: str, values: Sequence[Any]) -> Future[Any]:
        bound = tuple(values)
        return self._operate(lambda connection: connection.execute(sql, bound).rowcount)

    def _operate(self, operation: Operation) -> Future[Any]:
        return self._opened_writer().submit(operation)

    def _opened_writer(self) -> GroupWriter:
        if self._writer is None:
            raise StoreFault(f"{self.path} was opened for reading only")
        return self._writer

    def put_item(self, row: ItemRow) -> Future[Any]:
        """Register an input item as pending; one that is known keeps its state."""
        return self._submit(
            "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", item_to_tuple(row)
        )

    def put_skip(self, row: SkipRow) -> Future[Any]:
        return self._submit(
            "INSERT OR REPLACE INTO skips VALUES (?, ?, ?, ?, ?, ?, ?)", skip_to_tuple(row)
        )

    def register(self, batch: Registration) -> Awaitable[Registered]:
        """Take in a batch of items and skips, in input order. Awaiting it means: durable."""
        return self._opened_writer().run(batch.run)

    def resume_point(self, least: int, most: int | None = None) -> ResumePoint | None:
        """See `find_resume_point`."""
        return find_resume_point(self._reader, least, most)

    def put_call(self, row: CallRow) -> Awaitable[Any]:
        """Store a completion. Awaiting it means: durable."""
        return self._opened_writer().write_row(_INSERT_CALLS.run, call_to_tuple(row))

    def submit_call(self, row: CallRow) -> Future[Any]:
        return self._opened_writer().submit_row(_INSERT_CALLS.run, call_to_tuple(row))

    def put_attempt(self, row: AttemptRow) -> Future[Any]:
        return self._submit(
            "INSERT INTO attempts (call_key, item, role, code, status, detail, body, wait_s, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row.call_key, row.item, row.role, row.code, row.status, clean(row.detail),
             clean(row.body), row.wait_s, row.at),
        )  # fmt: skip

    def submit_verdict(self, row: VerdictRow) -> Future[Any]:
        """Judge an item: its verdict and its state `done`, in one transaction."""
        return self._opened_writer().submit_row(_judge, verdict_columns(row))

    def put_verdict(self, columns: VerdictColumns) -> Awaitable[Any]:
        """Judge an item. Awaiting it means: durable."""
        return self._opened_writer().write_row(_judge, columns)

    def put_failure(self, item: str, failure: str) -> Future[Any]:
        """Mark an item as failed by the backend: not done, tried again at the next run."""
        return self._submit(
            "UPDATE items SET state = 'failed', failure = ? WHERE key = ? AND state <> 'done'",
            (clean(failure), item),
        )

    def put_corpus_verdict(
        self, item: str, reasons: Sequence[Any], measures: Mapping[str, Any]
    ) -> Future[Any]:
        """What the samples before an item in the input say of it."""
        return self._submit(
            "UPDATE verdicts SET corpus_reasons = ?, corpus_measures = ? WHERE item = ?",
            (to_json(list(reasons)) if reasons else None,
             to_json(measures) if measures else None, item),
        )  # fmt: skip

    def forget_derived(self) -> None:
        """Note that verdicts are about to change: views and corpus verdicts are stale."""
        self._submit(_FORGET_DERIVED, ()).result()

    def put_decision(self, decision: Decision) -> None:
        """Keep what a person decided, durable when this ends. Corpus and views are stale then."""

        def operation(connection: sqlite3.Connection) -> None:
            add_decision(connection, decision)
            connection.execute(_FORGET_DERIVED)

        self._operate(operation).result()

    def undo_decision(self, item: str, at: float) -> None:
        """Take back the decision in force on an item. Corpus and views are stale then."""

        def operation(connection: sqlite3.Connection) -> None:
            undo_decision(connection, item, at)
            connection.execute(_FORGET_DERIVED)

        self._operate(operation).result()

    def put_meta(self, name: str, value: Any) -> None:
        self._submit("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, to_json(value))).result()

    def copy_calls_from(self, other: Path) -> int:
        """Take over the usable calls of another run's store, as paid for there; how many."""
        source = RunStore(other, create=False, writable=False)
        writes, copied = Backlog(), 0
        try:
            for columns in source._reader.execute(f"SELECT {CALL_COLUMNS} FROM calls"):
                row = replace(call_from_tuple(columns), attempts=0)
                if answers_again(row.completion):
                    values = call_to_tuple(row)
                    writes.add(self._opened_writer().submit_row(_INSERT_CALLS.run, values))
                    copied += 1
            writes.wait()
            self.put_meta("branched_from", str(other.parent))
        finally:
            source.close()
        return copied

    def unjudge_truncated(self) -> int:
        """Make the items whose answer was cut off pending again; answers how many.

        What a person accepted as it was stays.
        """
        cut = (
            "SELECT v.item FROM verdicts v, json_each(v.reasons) r WHERE"
            " json_extract(r.value, '$.stage') IN ('call', 'turn')"
            " AND json_extract(r.value, '$.code') = 'truncated'"
            " AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.item = v.item"
            " AND d.in_force = 1 AND d.action = 'accept')"
        )

        def operation(connection: sqlite3.Connection) -> int:
            count = connection.execute(
                f"UPDATE items SET state = 'pending' WHERE key IN ({cut})"
            ).rowcount
            connection.execute(f"DELETE FROM verdicts WHERE item IN ({cut})")
            return count

        return int(self._operate(operation).result())

    def unjudge_after(self, seq: int) -> None:
        """Make the items behind `seq` pending again; their calls stay, so nothing is paid twice."""

        def operation(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM verdicts WHERE seq > ?", (seq,))
            connection.execute("DELETE FROM skips WHERE before > ?", (seq,))
            connection.execute(
                "UPDATE items SET state = 'pending', failure = NULL WHERE seq > ?", (seq,)
            )

        self._operate(operation).result()
