"""Reading the index of a run: bitmaps, columns, words. One reader a thread at a time."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from generator.inspector.bins import EMPTY_COLUMN
from generator.inspector.bits import BLOCK, join_blocks
from generator.inspector.index_schema import VERSION_SHIFT
from generator.inspector.words import match_expression

_BITMAPS_KEPT = 96
_COLUMNS_KEPT = 2
_SEQ_MASK = (1 << VERSION_SHIFT) - 1
_FIRST_TEXTS = "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid <= ?"
_LATER_TEXTS = "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid > ?"
_TO_DIGITS = bytes([ord("0"), ord("1")]) + bytes(254)


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet; `label` is what a person reads, `count` all rows that have it."""

    id: int
    facet: str
    value: str
    label: str
    count: int


@dataclass(frozen=True)
class MeasureInfo:
    """A measure and the edges of its bins."""

    id: int
    name: str
    edges: tuple[float, ...]


class IndexReader:
    """Answers from one committed state of the index: use it inside `steady()`.

    Bitmaps and columns that were read are kept while the index does not change,
    a bounded number of them.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
        )
        self._state = ""
        self._bitmaps: OrderedDict[object, int] = OrderedDict()
        self._columns: OrderedDict[int, array[float]] = OrderedDict()

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def steady(self) -> Iterator[IndexReader]:
        """Within this, all answers are about the same state."""
        self._db.execute("BEGIN")
        try:
            state = self.meta("generation") or ""
            if state != self._state:
                self._bitmaps.clear()
                self._columns.clear()
                self.__dict__.pop("measures", None)
                self._state = state
            yield self
        finally:
            self._db.execute("COMMIT")

    def meta(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def facet_values(self, facet: str, limit: int = 200, like: str = "") -> list[FacetValue]:
        """The values of a facet that occur, the most frequent first."""
        where, bound = "", [facet]
        if like:
            where = " AND (instr(lower(value), ?) OR instr(lower(coalesce(label, '')), ?))"
            bound += [like.lower()] * 2
        rows = self._db.execute(
            "SELECT id, facet, value, coalesce(label, value), count FROM facets"
            f" WHERE facet = ? AND count > 0{where} ORDER BY count DESC, value LIMIT ?",
            (*bound, limit),
        )
        return [FacetValue(*row) for row in rows]

    def count_values(self, facet: str) -> int:
        """How many values of a facet occur."""
        row = self._db.execute(
            "SELECT COUNT(*) FROM facets WHERE facet = ? AND count > 0", (facet,)
        ).fetchone()
        return int(row[0])

    def label(self, facet: str, value: str) -> str:
        """What a person reads for a value of a facet."""
        row = self._db.execute(
            "SELECT label FROM facets WHERE facet = ? AND value = ?", (facet, value)
        ).fetchone()
        return value if row is None or not row[0] else str(row[0])

    def bitmap(self, facet: str, value: str = "") -> int:
        """The rows that have a facet value; none for a value there is not."""
        return self._kept(("value", facet, value), lambda: self._read_bitmap(facet, value))

    def everything(self) -> int:
        return self.bitmap("all")

    def with_words(self, query: str) -> int | None:
        """The rows whose text matches; None for a query without a word."""
        expression = match_expression(query)
        if expression is None:
            return None
        return self._kept(("words", expression), lambda: self._read_words(expression))

    @cached_property
    def measures(self) -> dict[str, MeasureInfo]:
        """The measures there are, by name."""
        rows = self._db.execute("SELECT id, name, edges FROM measures ORDER BY name")
        return {name: MeasureInfo(id_, name, tuple(json.loads(e))) for id_, name, e in rows}

    def bin(self, measure: MeasureInfo, number: int) -> int:
        """The rows in one bin of a measure."""
        return self.bitmap(f"bin:{measure.name}", str(number))

    def having(self, measure: MeasureInfo) -> int:
        """The rows that have a measure."""
        return self.bitmap("has", measure.name)

    def column(self, measure: MeasureInfo) -> array[float]:
        """All values of a measure by row; NaN where there is none, maybe shorter than the run."""
        if measure.id in self._columns:
            self._columns.move_to_end(measure.id)
            return self._columns[measure.id]
        values = array("d")
        for block, blob in self._db.execute(
            "SELECT block, numbers FROM columns WHERE measure = ? ORDER BY block", (measure.id,)
        ):
            while len(values) < block * BLOCK:
                values.extend(EMPTY_COLUMN)
            values.frombytes(blob)
        self._columns[measure.id] = values
        if len(self._columns) > _COLUMNS_KEPT:
            self._columns.popitem(last=False)
        return values

    def value(self, measure: MeasureInfo, row: int) -> float | None:
        """One value of a measure."""
        found = self._db.execute(
            "SELECT numbers FROM columns WHERE measure = ? AND block = ?",
            (measure.id, row // BLOCK),
        ).fetchone()
        if found is None:
            return None
        values = array("d")
        values.frombytes(found[0])
        number = values[row % BLOCK]
        return None if number != number else number

    def _kept(self, key: object, read: Callable[[], int]) -> int:
        if key in self._bitmaps:
            self._bitmaps.move_to_end(key)
            return self._bitmaps[key]
        bits = read()
        self._bitmaps[key] = bits
        if len(self._bitmaps) > _BITMAPS_KEPT:
            self._bitmaps.popitem(last=False)
        return bits

    def _read_bitmap(self, facet: str, value: str) -> int:
        return join_blocks(
            self._db.execute(
                "SELECT b.block, b.bits FROM blocks b JOIN facets f ON f.id = b.value"
                " WHERE f.facet = ? AND f.value = ?",
                (facet, value),
            )
        )

    def _read_words(self, expression: str) -> int:
        size = self.everything().bit_length()
        flags = bytearray(size)
        if not size:
            return 0
        newest = self._reindexed()
        # First texts are most of them, and a common word is in a million: nothing but the row here.
        for (seq,) in self._db.execute(_FIRST_TEXTS, (expression, _SEQ_MASK)):
            flags[seq] = 1
        for seq in newest:
            flags[seq] = 0
        for (number,) in self._db.execute(_LATER_TEXTS, (expression, _SEQ_MASK)):
            seq = number & _SEQ_MASK
            if newest.get(seq) == number >> VERSION_SHIFT:
                flags[seq] = 1
        # A text of binary digits is read as a number in one step, far quicker than bit by bit.
        return int(flags.translate(_TO_DIGITS)[::-1], 2)

    def _reindexed(self) -> dict[int, int]:
        """The current version of the rows whose text was indexed more than once."""
        rows = self._db.execute("SELECT seq, version FROM rows WHERE version > 0")
        return dict(rows.fetchall())
