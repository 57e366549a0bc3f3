"""The run store: every item, call and verdict of one run, durable in one SQLite file."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from generator.errors import StoreFault
from generator.store.rows import (
    CALL_COLUMNS,
    AttemptRow,
    CallRow,
    ItemRow,
    ItemState,
    SkipRow,
    VerdictRow,
    call_from_tuple,
    call_to_tuple,
    clean,
    to_json,
)
from generator.store.schema import SCHEMA, SCHEMA_VERSION
from generator.store.writer import GroupWriter, describe_fault

_ITEM_COLUMNS = "i.key, i.seq, i.id, i.source, i.line, i.payload, i.state, i.failure"
_VERDICT_COLUMNS = (
    "v.item, v.seq, v.accepted, v.reasons, v.measures, v.candidate, v.parsed, v.record,"
    " v.fingerprint, v.corpus_reasons, v.corpus_measures"
)
_VERDICT_NAMES = "item, seq, accepted, reasons, measures, candidate, parsed, record, fingerprint"
_VERDICT_MARKS = "?, ?, ?, ?, ?, ?, ?, ?, ?"


class RunStore:
    """Reads on the caller's thread, writes on one writer thread.

    The `put_*` methods return an awaitable that ends once the row is committed;
    their `*_now` twins block until then.
    """

    def __init__(self, path: Path, *, create: bool, writable: bool = True) -> None:
        self.path = path
        if not create and not path.is_file():
            raise StoreFault(f"{path}: there is no run store here; is this a run directory?")
        try:
            self._reader = self._connect(create)
            version = self._prepare(create)
        except sqlite3.Error as error:
            raise describe_fault(error, str(path)) from None
        if version != SCHEMA_VERSION:
            self._reader.close()
            raise StoreFault(
                f"{path}: written by another version of the store (schema {version}, "
                f"this one reads {SCHEMA_VERSION})"
            )
        self._writer = GroupWriter(lambda: self._connect(create), str(path)) if writable else None

    def _connect(self, create: bool) -> sqlite3.Connection:
        mode = "rwc" if create else "rw"
        connection = sqlite3.connect(
            f"{self.path.resolve().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _prepare(self, create: bool) -> int:
        if create:
            self._reader.executescript(SCHEMA)
            self._reader.execute(
                "INSERT OR IGNORE INTO meta VALUES ('schema_version', ?)", (str(SCHEMA_VERSION),)
            )
        row = self._reader.execute("SELECT value FROM meta WHERE name = 'schema_version'")
        found = row.fetchone()
        return int(found[0]) if found else 0

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader.close()

    # -- writing ---------------------------------------------------------------

    def _submit(self, sql: str, values: Sequence[Any]) -> Future[Any]:
        if self._writer is None:
            raise StoreFault(f"{self.path} was opened for reading only")
        bound = tuple(values)
        return self._writer.submit(lambda connection: connection.execute(sql, bound).rowcount)

    def put_item(self, row: ItemRow) -> Future[Any]:
        """Register an input item as pending; one that is known keeps its state."""
        return self._submit(
            "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (row.key, row.seq, clean(row.id), clean(row.source), row.line, to_json(row.payload),
             row.state, clean(row.failure)),
        )  # fmt: skip

    def put_skip(self, row: SkipRow) -> Future[Any]:
        return self._submit(
            "INSERT OR REPLACE INTO skips VALUES (?, ?, ?, ?, ?, ?)",
            (row.ordinal, clean(row.source), row.line, clean(row.id), row.code, clean(row.detail)),
        )

    def put_call(self, row: CallRow) -> Awaitable[Any]:
        """Store a completion. Awaiting it means: durable."""
        marks = ", ".join("?" * 19)
        return asyncio.wrap_future(
            self._submit(f"INSERT OR IGNORE INTO calls VALUES ({marks})", call_to_tuple(row))
        )

    def put_attempt(self, row: AttemptRow) -> Future[Any]:
        return self._submit(
            "INSERT INTO attempts (call_key, item, role, code, status, detail, body, wait_s, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row.call_key, row.item, row.role, row.code, row.status, clean(row.detail),
             clean(row.body), row.wait_s, row.at),
        )  # fmt: skip

    def submit_verdict(self, row: VerdictRow) -> Future[Any]:
        """Judge an item: its verdict and its state `done`, in one transaction."""
        if self._writer is None:
            raise StoreFault(f"{self.path} was opened for reading only")
        values = (
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

        def operation(connection: sqlite3.Connection) -> None:
            connection.execute(
                f"INSERT OR REPLACE INTO verdicts ({_VERDICT_NAMES}) VALUES ({_VERDICT_MARKS})",
                values,
            )
            connection.execute(
                "UPDATE items SET state = 'done', failure = NULL WHERE key = ?", (row.item,)
            )

        return self._writer.submit(operation)

    def put_verdict(self, row: VerdictRow) -> Awaitable[Any]:
        return asyncio.wrap_future(self.submit_verdict(row))

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

    def clear_corpus_verdicts(self) -> None:
        self._submit(
            "UPDATE verdicts SET corpus_reasons = NULL, corpus_measures = NULL"
            " WHERE corpus_reasons IS NOT NULL OR corpus_measures IS NOT NULL",
            (),
        ).result()

    def put_meta(self, name: str, value: Any) -> None:
        self._submit("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, to_json(value))).result()

    def copy_calls_from(self, other: Path) -> int:
        """Take over every call of another run's store; answers how many were new."""
        source = RunStore(other, create=False, writable=False)
        copied = 0
        try:
            for row in source._reader.execute(f"SELECT {CALL_COLUMNS} FROM calls"):
                marks = ", ".join("?" * 19)
                future = self._submit(f"INSERT OR IGNORE INTO calls VALUES ({marks})", row)
                copied += 1
                if copied % 1000 == 0:
                    future.result()
            self.put_meta("branched_from", str(other.parent))
        finally:
            source.close()
        return copied

    # -- reading ---------------------------------------------------------------

    def meta(self, name: str) -> Any:
        row = self._reader.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def item_place(self, key: str) -> tuple[int, ItemState] | None:
        """Where a known item stands in the input, and its state."""
        row = self._reader.execute("SELECT seq, state FROM items WHERE key = ?", (key,)).fetchone()
        return None if row is None else (row[0], row[1])

    def find_calls(self, key: str, *, item: str) -> list[CallRow]:
        """The stored answers to one question, the item's own first, then those of other items."""
        rows = self._reader.execute(
            f"SELECT {CALL_COLUMNS} FROM calls WHERE key = ? ORDER BY item <> ?, item LIMIT 20",
            (key, item),
        )
        return [call_from_tuple(row) for row in rows]

    def find_call_by_request(self, request_hash: str) -> CallRow | None:
        """Any call that asked exactly this, whatever answered it (for replay)."""
        row = self._reader.execute(
            f"SELECT {CALL_COLUMNS} FROM calls WHERE request_hash = ? ORDER BY key LIMIT 1",
            (request_hash,),
        ).fetchone()
        return None if row is None else call_from_tuple(row)

    def items(self, *, state: ItemState | None = None) -> Iterator[ItemRow]:
        """Items in input order."""
        where = "WHERE i.state = ?" if state else ""
        rows = self._reader.cursor().execute(
            f"SELECT {_ITEM_COLUMNS} FROM items i {where} ORDER BY i.seq", (state,) if state else ()
        )
        for row in rows:
            yield _item(row)

    def judged(self, *, accepted_only: bool = False) -> Iterator[tuple[ItemRow, VerdictRow]]:
        """Judged items with their verdicts, in input order; one at a time, flat in memory."""
        where = "WHERE v.accepted = 1" if accepted_only else ""
        rows = self._reader.cursor().execute(
            f"SELECT {_ITEM_COLUMNS}, {_VERDICT_COLUMNS} FROM verdicts v"
            f" JOIN items i ON i.key = v.item {where} ORDER BY v.seq"
        )
        for row in rows:
            yield _item(row[:8]), _verdict(row[8:])

    def verdict_of(self, item: str) -> VerdictRow | None:
        """The verdict on one item."""
        row = self._reader.execute(
            f"SELECT {_VERDICT_COLUMNS} FROM verdicts v WHERE v.item = ?", (item,)
        ).fetchone()
        return None if row is None else _verdict(row)

    def first_with_fingerprint(self, fingerprint: str, before: int) -> str | None:
        """The id of the first accepted item with this fingerprint, if it stands before `before`."""
        row = self._reader.execute(
            "SELECT i.id FROM verdicts v JOIN items i ON i.key = v.item WHERE v.accepted = 1"
            " AND v.fingerprint = ? AND v.seq < ? ORDER BY v.seq LIMIT 1",
            (fingerprint, before),
        ).fetchone()
        return None if row is None else str(row[0])

    def place_of_accepted(self, number: int) -> int | None:
        """Where the accepted record number `number` (from 1) stands in the input."""
        row = self._reader.execute(
            "SELECT seq FROM verdicts WHERE accepted = 1 AND corpus_reasons IS NULL"
            " ORDER BY seq LIMIT 1 OFFSET ?",
            (number - 1,),
        ).fetchone()
        return None if row is None else int(row[0])

    def unjudge_truncated(self) -> int:
        """Make the items whose answer was cut off pending again; answers how many."""
        if self._writer is None:
            raise StoreFault(f"{self.path} was opened for reading only")
        cut = (
            "SELECT v.item FROM verdicts v, json_each(v.reasons) r WHERE"
            " json_extract(r.value, '$.stage') = 'call'"
            " AND json_extract(r.value, '$.code') = 'truncated'"
        )

        def operation(connection: sqlite3.Connection) -> int:
            count = connection.execute(
                f"UPDATE items SET state = 'pending' WHERE key IN ({cut})"
            ).rowcount
            connection.execute(f"DELETE FROM verdicts WHERE item IN ({cut})")
            return count

        return int(self._writer.submit(operation).result())

    def unjudge_after(self, seq: int) -> None:
        """Make the items behind `seq` pending again; their calls stay, so nothing is paid twice."""
        if self._writer is None:
            raise StoreFault(f"{self.path} was opened for reading only")

        def operation(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM verdicts WHERE seq > ?", (seq,))
            connection.execute(
                "UPDATE items SET state = 'pending', failure = NULL WHERE seq > ?", (seq,)
            )

        self._writer.submit(operation).result()

    def skips(self) -> Iterator[SkipRow]:
        for row in self._reader.cursor().execute("SELECT * FROM skips ORDER BY ordinal"):
            yield SkipRow(*row)

    def attempts(self, item: str) -> Iterator[AttemptRow]:
        for row in self._reader.cursor().execute(
            "SELECT call_key, item, role, code, status, detail, body, wait_s, at FROM attempts"
            " WHERE item = ? ORDER BY ordinal",
            (item,),
        ):
            yield AttemptRow(*row)

    def counts(self) -> dict[str, int]:
        """How many items are in each place: accepted, rejected, failed, pending; and calls."""
        one = self._reader.execute
        states = dict(one("SELECT state, COUNT(*) FROM items GROUP BY state").fetchall())
        accepted = one(
            "SELECT COUNT(*) FROM verdicts WHERE accepted = 1 AND corpus_reasons IS NULL"
        ).fetchone()[0]
        done = states.get("done", 0)
        return {
            "items": sum(states.values()),
            "accepted": accepted,
            "rejected": done - accepted,
            "failed": states.get("failed", 0),
            "pending": states.get("pending", 0),
            "skipped": one("SELECT COUNT(*) FROM skips").fetchone()[0],
            "calls": one("SELECT COUNT(*) FROM calls").fetchone()[0],
        }

    def tokens(self) -> dict[str, int | None]:
        """Tokens over all calls; None when any call did not report them."""
        row = self._reader.execute(
            "SELECT SUM(prompt_tokens), SUM(completion_tokens),"
            " SUM(prompt_tokens IS NULL OR completion_tokens IS NULL) FROM calls"
        ).fetchone()
        known = not row[2]
        return {"prompt": row[0] if known else None, "completion": row[1] if known else None}


def _item(row: tuple[Any, ...]) -> ItemRow:
    key, seq, id_, source, line, payload, state, failure = row
    return ItemRow(key, seq, id_, source, line, json.loads(payload), state, failure)


def _verdict(row: tuple[Any, ...]) -> VerdictRow:
    (
        item, seq, accepted, reasons, measures, candidate, parsed, record, fingerprint, corpus,
        corpus_measures,
    ) = row  # fmt: skip
    return VerdictRow(
        item=item,
        seq=seq,
        accepted=bool(accepted),
        reasons=tuple(json.loads(reasons)),
        measures={
            **json.loads(measures),
            **(json.loads(corpus_measures) if corpus_measures else {}),
        },
        candidate=json.loads(candidate),
        parsed=None if parsed is None else json.loads(parsed),
        record=None if record is None else json.loads(record),
        fingerprint=fingerprint,
        corpus_reasons=tuple(json.loads(corpus)) if corpus else (),
    )
