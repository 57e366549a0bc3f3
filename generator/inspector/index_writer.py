"""Writing the index of a run: whole batches, each in one transaction."""

from __future__ import annotations

import json
import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path

from generator.inspector.bins import choose_edges
from generator.inspector.bits import BLOCK, pack_block, places, unpack_block
from generator.inspector.index_batch import Batch
from generator.inspector.index_schema import INDEX_VERSION, SCHEMA
from generator.inspector.traits import Traits


class IndexWriter:
    """The one writer of an index file.

    An index of another version, of another run (`identity`), or a damaged one is thrown away
    and begun anew: all it holds can be made again from the store.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self._path = path
        try:
            self._db = self._opened(path, identity)
        except sqlite3.DatabaseError:
            discard_index(path)
            self._db = self._opened(path, identity)
        self._facet_ids: dict[tuple[str, str], int] = {}
        self._measures: dict[str, tuple[int, list[float]]] = {}
        self._recall()

    def _recall(self) -> None:
        """Know again what the file holds, and no more."""
        self._facet_ids.clear()
        self._measures.clear()
        for id_, name, edges in self._db.execute("SELECT id, name, edges FROM measures"):
            self._measures[name] = (id_, json.loads(edges))

    def _opened(self, path: Path, identity: str) -> sqlite3.Connection:
        wanted = f"{INDEX_VERSION} {identity}"
        connection = _connected(path)
        try:
            row = connection.execute("SELECT value FROM meta WHERE name = 'identity'").fetchone()
        except sqlite3.OperationalError:
            row = None
        if row is not None and row[0] == wanted:
            return connection
        connection.close()
        discard_index(path)
        connection = _connected(path)
        connection.execute("BEGIN")
        for statement in SCHEMA.split(";\n"):
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('identity', ?)", (wanted,))
        connection.execute("COMMIT")
        return connection

    def close(self) -> None:
        self._db.close()

    def size(self) -> int:
        """One more than the last row's place."""
        row = self._db.execute("SELECT MAX(seq) FROM rows").fetchone()
        return 0 if row[0] is None else int(row[0]) + 1

    def get(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, name: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def _count_up(self, name: str) -> None:
        """Tell readers that what they keep is old ("generation"), or pages that rows changed."""
        self.put(name, str(int(self.get(name) or 0) + 1))

    def signatures(self, seqs: Sequence[int]) -> dict[int, int]:
        """The signatures of the rows between the first and the last of `seqs`."""
        rows = self._db.execute(
            "SELECT seq, signature FROM rows WHERE seq BETWEEN ? AND ?", (seqs[0], seqs[-1])
        )
        return dict(rows.fetchall())

    def rows_in(self, facet: str, value: str) -> set[int]:
        """The rows that have a facet value: for few rows only."""
        found: set[int] = set()
        for block, bits in self._db.execute(
            "SELECT b.block, b.bits FROM blocks b JOIN facets f ON f.id = b.value"
            " WHERE f.facet = ? AND f.value = ?",
            (facet, value),
        ):
            found |= {block * BLOCK + place for place in places(unpack_block(bits))}
        return found

    def write(self, batch: Sequence[Traits]) -> None:
        """Put rows in, or in place of what they were."""
        self._db.execute("BEGIN")
        try:
            Batch(self._db, self._facet_ids, self._measures).write(batch)
            self._count_up("generation")
            self._count_up("rows")
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            self._recall()
            raise

    def bin_measures(self, growth: float) -> None:
        """Cut measures into bins anew where rows have become `growth` times as many."""
        size = self.size()
        for id_, name, binned in self._db.execute(
            "SELECT id, name, binned FROM measures"
        ).fetchall():
            if size > BLOCK // 2 and size >= growth * binned:
                self._db.execute("BEGIN")
                try:
                    self._bin_measure(id_, name, size)
                    self._count_up("generation")
                    self._db.execute("COMMIT")
                except BaseException:
                    self._db.execute("ROLLBACK")
                    self._recall()
                    raise

    def _bin_measure(self, id_: int, name: str, size: int) -> None:
        edges = choose_edges(
            [v for _, column in _columns(self._db, id_) for v in column[::8] if v == v]
        )
        facet = f"bin:{name}"
        self._db.execute(
            "DELETE FROM blocks WHERE value IN (SELECT id FROM facets WHERE facet = ?)", (facet,)
        )
        self._db.execute("DELETE FROM facets WHERE facet = ?", (facet,))
        for key in [key for key in self._facet_ids if key[0] == facet]:
            del self._facet_ids[key]
        ids = []
        for number in range(len(edges) + 1):
            row = self._db.execute(
                "INSERT INTO facets (facet, value) VALUES (?, ?)", (facet, str(number))
            )
            ids.append(row.lastrowid)
        for block, column in _columns(self._db, id_):
            bins: dict[int, bytearray] = {}
            for place, value in enumerate(column):
                if value == value:
                    number = bisect_right(edges, value)
                    if number not in bins:
                        bins[number] = bytearray(BLOCK // 8)
                    bins[number][place >> 3] |= 1 << (place & 7)
            self._db.executemany(
                "INSERT INTO blocks VALUES (?, ?, ?)",
                (
                    (ids[number], block, pack_block(int.from_bytes(bits, "little")))
                    for number, bits in bins.items()
                ),
            )
        self._db.execute(
            "UPDATE measures SET edges = ?, binned = ? WHERE id = ?", (json.dumps(edges), size, id_)
        )
        self._measures[name] = (id_, edges)


def _columns(db: sqlite3.Connection, measure: int) -> Iterable[tuple[int, array[float]]]:
    for block, blob in db.execute(
        "SELECT block, numbers FROM columns WHERE measure = ? ORDER BY block", (measure,)
    ).fetchall():
        column = array("d")
        column.frombytes(blob)
        yield block, column


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA journal_mode = WAL")
    # What is lost in a crash is made again from the store.
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def discard_index(path: Path) -> None:
    """Delete an index file and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
