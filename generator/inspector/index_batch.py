"""The changes of one transaction on the index, gathered by block: each block is written once."""

from __future__ import annotations

import math
import sqlite3
import zlib
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.inspector.bins import EMPTY_COLUMN
from generator.inspector.bits import BLOCK, bits_of, pack_block, unpack_block
from generator.inspector.index_schema import VERSION_SHIFT
from generator.inspector.traits import Traits
from generator.inspector.words import indexed

_NEW: tuple[frozenset[int], int, int] = (frozenset(), 0, -1)

Places = defaultdict[int, list[int]]


@dataclass(slots=True)
class _Slot:
    """One block of a measure's values, with the places that came into and left each bin."""

    column: array[float]
    edges: list[float]
    added: Places = field(default_factory=lambda: defaultdict(list))
    removed: Places = field(default_factory=lambda: defaultdict(list))


class Batch:
    """Rows to put in, or in place of what they were. `facet_ids` and `measures` (id and edges by
    name) are what the file is known to hold; new ones are added to them."""

    def __init__(
        self,
        db: sqlite3.Connection,
        facet_ids: dict[tuple[str, str], int],
        measures: dict[str, tuple[int, list[float]]],
    ) -> None:
        self._db = db
        self._facet_ids = facet_ids
        self._measures = measures
        self._added: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._removed: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._slots: dict[tuple[str, int], _Slot] = {}
        self._counts: Counter[int] = Counter()

    def write(self, batch: Sequence[Traits]) -> None:
        """Write everything; the caller begins and commits the transaction."""
        known = self._known([traits.seq for traits in batch])
        rows, texts = [], []
        for traits in batch:
            block, place = divmod(traits.seq, BLOCK)
            before, text, version = known.get(traits.seq, _NEW)
            facets = {self._facet_id(f, v, traits.labels) for f, v in traits.facets}
            for gone in before - facets:
                self._removed[gone, block].append(place)
                self._counts[gone] -= 1
            for new in facets - before:
                self._added[new, block].append(place)
                self._counts[new] += 1
            if traits.seq in known:
                self._take_values(block, place)
            self._put_values(block, place, traits.measures)
            if traits.text is not None and (version < 0 or _checksum(traits.text) != text):
                text, version = _checksum(traits.text), version + 1
                texts.append((version << VERSION_SHIFT | traits.seq, *indexed(traits.text)))
            listed = array("I", facets).tobytes()
            rows.append((traits.seq, traits.signature, text, version, listed))
        self._db.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?)", rows)
        self._db.executemany("INSERT INTO texts (rowid, body, ends) VALUES (?, ?, ?)", texts)
        self._write_columns()
        self._write_blocks()
        self._db.executemany(
            "UPDATE facets SET count = count + ? WHERE id = ?",
            ((change, value) for value, change in self._counts.items()),
        )

    def _known(self, seqs: Sequence[int]) -> dict[int, tuple[frozenset[int], int, int]]:
        """Facets, checksum and version of the text of the rows that are there already."""
        last = self._db.execute("SELECT MAX(seq) FROM rows").fetchone()[0]
        found = {}
        for seq in seqs if last is not None else ():
            if seq > last:
                continue
            row = self._db.execute(
                "SELECT facets, text, version FROM rows WHERE seq = ?", (seq,)
            ).fetchone()
            if row is not None:
                listed = array("I")
                listed.frombytes(row[0])
                found[seq] = (frozenset(listed), row[1], row[2])
        return found

    def _facet_id(self, facet: str, value: str, labels: Mapping[str, str]) -> int:
        known = self._facet_ids.get((facet, value))
        if known is not None:
            return known
        self._db.execute(
            "INSERT OR IGNORE INTO facets (facet, value, label) VALUES (?, ?, ?)",
            (facet, value, labels.get(value) if facet == "paper" else None),
        )
        row = self._db.execute(
            "SELECT id FROM facets WHERE facet = ? AND value = ?", (facet, value)
        ).fetchone()
        if facet != "paper":
            # Papers are as many as the run is long, and each is met a few times only.
            self._facet_ids[facet, value] = row[0]
        return int(row[0])

    def _put_values(self, block: int, place: int, measures: Mapping[str, float]) -> None:
        slots = self._slots
        for name, value in measures.items():
            slot = slots.get((name, block)) or self._slot(name, block)
            slot.column[place] = value
            slot.added[bisect_right(slot.edges, value)].append(place)

    def _take_values(self, block: int, place: int) -> None:
        """Take away the values a row had."""
        for name in self._measures:
            slot = self._slots.get((name, block)) or self._slot(name, block)
            value = slot.column[place]
            if value == value:
                slot.column[place] = math.nan
                slot.removed[bisect_right(slot.edges, value)].append(place)

    def _slot(self, name: str, block: int) -> _Slot:
        if name not in self._measures:
            row = self._db.execute(
                "INSERT INTO measures (name, edges, binned) VALUES (?, '[]', 0)", (name,)
            )
            self._measures[name] = (int(row.lastrowid or 0), [])
        measure, edges = self._measures[name]
        found = self._db.execute(
            "SELECT numbers FROM columns WHERE measure = ? AND block = ?", (measure, block)
        ).fetchone()
        column = array("d", EMPTY_COLUMN)
        if found is not None:
            column = array("d")
            column.frombytes(found[0])
        self._slots[name, block] = slot = _Slot(column, edges)
        return slot

    def _write_columns(self) -> None:
        self._db.executemany(
            "INSERT INTO columns VALUES (?, ?, ?)"
            " ON CONFLICT (measure, block) DO UPDATE SET numbers = excluded.numbers",
            (
                (self._measures[name][0], block, slot.column.tobytes())
                for (name, block), slot in self._slots.items()
            ),
        )
        for (name, block), slot in self._slots.items():
            has = self._facet_id("has", name, {}), block
            for changes, of_bins in ((self._added, slot.added), (self._removed, slot.removed)):
                for number, listed in of_bins.items():
                    changes[self._facet_id(f"bin:{name}", str(number), {}), block] += listed
                    changes[has] += listed

    def _write_blocks(self) -> None:
        changed = []
        for key in self._added.keys() | self._removed.keys():
            row = self._db.execute(
                "SELECT bits FROM blocks WHERE value = ? AND block = ?", key
            ).fetchone()
            bits = 0 if row is None else unpack_block(row[0])
            bits &= ~bits_of(self._removed.get(key, ()))
            bits |= bits_of(self._added.get(key, ()))
            changed.append((*key, pack_block(bits)))
        self._db.executemany("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", changed)


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "replace"))
