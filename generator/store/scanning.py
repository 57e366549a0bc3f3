"""Reading a store beside its run: read-only, in batches by place in the input."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import StoreFault
from generator.store.reading import StoreReader
from generator.store.rows import (
    CALL_COLUMNS,
    PERSON_STAGE,
    REFUSED_BY_PERSON,
    CallRow,
    ItemRow,
    call_from_tuple,
)
from generator.store.schema import READABLE_VERSIONS, SCHEMA_VERSION
from generator.store.writer import describe_fault

_JUDGEMENT = (
    "i.seq, i.state, i.failure, v.accepted, v.reasons, v.corpus_reasons, v.measures,"
    " v.corpus_measures, v.candidate, d.action, d.edited, d.note, d.at"
)
_ITEM = (
    f"{_JUDGEMENT}, i.key, i.id, i.source, i.payload,"
    " (SELECT COUNT(*) FROM attempts a WHERE a.item = i.key)"
)
_CALLS = (
    "SELECT key, role, spec, text, prompt_tokens, completion_tokens, latency_s FROM calls"
    " WHERE item = ?"
)


@dataclass(frozen=True, slots=True)
class ScannedCall:
    """What a list of samples needs to know of a call."""

    role: str
    spec: str
    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_s: float | None


@dataclass(frozen=True, slots=True)
class ScannedItem:
    """An item and its verdict (None for what is not judged), JSON still as text."""

    seq: int
    state: str
    failure: str | None
    accepted: int | None
    own_reasons: str | None
    corpus_reasons: str | None
    own_measures: str | None
    corpus_measures: str | None
    candidate: str | None
    action: str | None
    edited: int | None
    note: str | None
    decided_at: float | None
    key: str
    id: str
    source: str
    payload: str
    failed_attempts: int

    def place(self) -> str:
        """accepted, rejected, failed or pending; a person's decision weighs most."""
        if self.state != "done":
            return self.state
        if self.action is not None:
            return "accepted" if self.action == "accept" else "rejected"
        return "accepted" if self.accepted and not self.corpus_reasons else "rejected"

    def decision(self) -> str | None:
        """What a person decided: accepted, edited or refused; None for nothing."""
        if self.action is None:
            return None
        return "refused" if self.action == "refuse" else "edited" if self.edited else "accepted"

    def reasons(self) -> list[dict[str, Any]]:
        """Stage and code of all reasons against it, in order; a person's refusal first."""
        found: list[dict[str, Any]] = []
        if self.action == "refuse":
            found.append({"stage": PERSON_STAGE, "code": REFUSED_BY_PERSON})
        for reasons in (self.own_reasons, self.corpus_reasons):
            found += json.loads(reasons) if reasons else []
        return found

    def measures(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.own_measures) if self.own_measures else {}
        return found | (json.loads(self.corpus_measures) if self.corpus_measures else {})

    def signature(self) -> int:
        """A checksum of all that judging or calling may have changed."""
        return _checksum(
            (
                self.seq, self.state, self.failure, self.accepted, self.own_reasons,
                self.corpus_reasons, self.own_measures, self.corpus_measures, self.candidate,
                self.action, self.edited, self.note, self.decided_at,
            )
        )  # fmt: skip


def _checksum(judgement: Sequence[Any]) -> int:
    return zlib.crc32("\x1f".join(map(str, judgement)).encode("utf-8", "replace"))


SEALED = "mode=ro&immutable=1"
"""How SQLite opens a store that nobody can write."""


def read_mode(path: Path) -> str:
    """How SQLite is to open a store that is only read.

    It keeps a file beside a store that may be written meanwhile; where it can make none, nobody
    can write the store either.
    """
    log = path.with_name(f"{path.name}-wal")
    if os.access(path.parent, os.W_OK) or log.exists():
        return "mode=ro"
    return SEALED


class StoreScanner(StoreReader):
    """A read-only connection to a store that another process may be writing.

    Raises `StoreFault` when there is no store, or one of another version.
    """

    def __init__(self, path: Path) -> None:
        if not os.path.isfile(path):
            raise StoreFault(f"{path}: there is no run store here; is this a run directory?")
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?{read_mode(path)}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
        )
        super().__init__(connection)
        try:
            version = self.meta("schema_version")
        except sqlite3.Error as error:
            connection.close()
            raise describe_fault(error, str(path)) from None
        if version not in READABLE_VERSIONS:
            connection.close()
            raise StoreFault(
                f"{path}: written by another version of the store (schema {version}, "
                f"this one reads {SCHEMA_VERSION})"
            )

    def close(self) -> None:
        self._reader.close()

    def version(self) -> int:
        """A number that changes when another connection has committed something."""
        return int(self._reader.execute("PRAGMA data_version").fetchone()[0])

    def size(self) -> int:
        """One more than the last place in the input; 0 without items."""
        row = self._reader.execute("SELECT MAX(seq) FROM items").fetchone()
        return 0 if row[0] is None else int(row[0]) + 1

    def first_key(self) -> str | None:
        """The key of the first item: which inputs the store is about."""
        row = self._reader.execute("SELECT key FROM items ORDER BY seq LIMIT 1").fetchone()
        return None if row is None else str(row[0])

    def places_in_state(self, state: str) -> Iterator[int]:
        """Places in the input of the items in a state, ascending."""
        for row in self._reader.cursor().execute(
            "SELECT seq FROM items WHERE state = ? ORDER BY seq", (state,)
        ):
            yield row[0]

    def scan_after(self, seq: int, limit: int) -> list[ScannedItem]:
        """The items behind a place in the input, in order, at most `limit`."""
        rows = self._reader.execute(
            f"SELECT {_ITEM} {self._joined} WHERE i.seq > ? ORDER BY i.seq LIMIT ?", (seq, limit)
        )
        return [ScannedItem(*row) for row in rows]

    @property
    def _joined(self) -> str:
        return (
            "FROM items i LEFT JOIN verdicts v ON v.item = i.key"
            f" LEFT JOIN {self._decisions} d ON d.item = i.key AND d.in_force = 1"
        )

    def scan(self, seqs: Sequence[int]) -> list[ScannedItem]:
        """The items at these places."""
        query = f"SELECT {_ITEM} {self._joined} WHERE i.seq = ?"
        found = (self._reader.execute(query, (seq,)).fetchone() for seq in seqs)
        return [ScannedItem(*row) for row in found if row is not None]

    def signatures_after(self, seq: int, limit: int) -> list[tuple[int, int]]:
        """Places and checksums of the items behind a place, as `ScannedItem.signature` gives."""
        rows = self._reader.execute(
            f"SELECT {_JUDGEMENT} {self._joined} WHERE i.seq > ? ORDER BY i.seq LIMIT ?",
            (seq, limit),
        )
        return [(row[0], _checksum(row)) for row in rows]

    def scanned_calls(self, item: ScannedItem) -> list[ScannedCall]:
        """The calls an item's verdict rests on, in order; of an unjudged item all there are."""
        calls = {row[0]: ScannedCall(*row[1:]) for row in self._reader.execute(_CALLS, (item.key,))}
        if item.candidate is None:
            return list(calls.values())
        answers = json.loads(item.candidate)["answers"]
        return [calls[answer["key"]] for answer in answers if answer["key"] in calls]

    def item_at(self, seq: int) -> ItemRow | None:
        """The item at a place in the input."""
        row = self._reader.execute(
            "SELECT key, seq, id, source, line, payload, state, failure FROM items WHERE seq = ?",
            (seq,),
        ).fetchone()
        if row is None:
            return None
        key, place, id_, source, line, payload, state, failure = row
        return ItemRow(key, place, id_, source, line, json.loads(payload), state, failure)

    def calls_of_item(self, item: str) -> list[CallRow]:
        """Every call made for an item, used by its verdict or not, in order of arrival."""
        rows = self._reader.execute(
            f"SELECT {CALL_COLUMNS} FROM calls WHERE item = ? ORDER BY at, key", (item,)
        )
        return [call_from_tuple(row) for row in rows]

    @contextmanager
    def steady(self) -> Iterator[None]:
        """Within this, everything read is of one state, whatever is being written."""
        self._reader.execute("BEGIN")
        try:
            yield
        finally:
            self._reader.execute("COMMIT")
