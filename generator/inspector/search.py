"""Which rows a query finds, in which order, and how many of each kind."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from generator.inspector.bins import bin_of, is_single
from generator.inspector.bits import below, places, places_down
from generator.inspector.index_file import FacetValue, IndexReader, MeasureInfo
from generator.inspector.query import BY_INPUT, Cursor, Query, Range


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rows. `first` is the place of its first row in the whole order, from 1."""

    cursors: tuple[Cursor, ...]
    total: int
    first: int
    more_before: bool
    more_after: bool


class Search:
    """A query over one steady state of the index."""

    def __init__(self, index: IndexReader, query: Query) -> None:
        self.index = index
        self.query = query
        self._parts = {facet: self._any_of(facet, v) for facet, v in query.facets.items()}
        everything = index.everything()
        self._rest = everything
        for wanted in query.ranges:
            self._rest &= self._in_range(wanted)
        if query.words:
            found = index.with_words(query.words)
            self._rest &= everything if found is None else found
        self.found = self._rest
        for part in self._parts.values():
            self.found &= part
        self._measure = index.measures.get(query.sort) if query.sort != BY_INPUT else None

    @property
    def total(self) -> int:
        return self.found.bit_count()

    def count(self, facet: str, value: str = "") -> int:
        """How many of the rows found have a facet value."""
        return (self.found & self.index.bitmap(facet, value)).bit_count()

    def facet_counts(self, facet: str, limit: int = 200, like: str = "") -> list[
        tuple[FacetValue, int]
    ]:  # fmt: skip
        """Values of a facet with the rows each has, were nothing of this facet chosen."""
        base = self._rest
        for other, part in self._parts.items():
            if other != facet:
                base &= part
        counted = [
            (value, (base & self.index.bitmap(facet, value.value)).bit_count())
            for value in self.index.facet_values(facet, limit, like)
        ]
        return sorted(counted, key=lambda entry: -entry[1])

    def page(
        self, limit: int, *, after: Cursor | None = None, before: Cursor | None = None
    ) -> Page:
        """The rows behind a cursor, or those right before one, in order."""
        backwards = before is not None
        start = before if backwards else after
        rows = list(islice(self._ordered(start, backwards=backwards), limit + 1))
        more = len(rows) > limit
        rows = rows[:limit]
        if backwards:
            rows.reverse()
        first = self.place_of(rows[0]) if rows else 0
        return Page(
            cursors=tuple(rows),
            total=self.total,
            first=first,
            more_before=first > 1,
            more_after=bool(rows) and (more if not backwards else True),
        )

    def cursor(self, row: int) -> Cursor:
        """Where a row stands in this order."""
        value = None if self._measure is None else self.index.value(self._measure, row)
        return Cursor(row, value)

    def neighbours(self, row: int) -> tuple[int | None, int | None]:
        """The rows before and behind a row in this order, among those found."""
        here = self.cursor(row)
        before = next(self._ordered(here, backwards=True), None)
        after = next(self._ordered(here, backwards=False), None)
        return (before.row if before else None, after.row if after else None)

    def place_of(self, cursor: Cursor) -> int:
        """The place of a row found in the whole order, from 1."""
        if self._measure is None:
            if self.query.descending:
                return self.total - below(self.found, cursor.row)
            return below(self.found, cursor.row) + 1
        counted = 0
        for bits, number in self._groups():
            if self._holds(number, cursor):
                group = self._in_order(bits, number)
                return counted + 1 + sum(1 for _ in _before(group, cursor))
            counted += bits.bit_count()
        return counted

    def _ordered(self, start: Cursor | None, *, backwards: bool) -> Iterator[Cursor]:
        if self._measure is None:
            yield from self._by_input(start, down=self.query.descending != backwards)
            return
        groups = list(self._groups())
        waiting = start is not None
        for bits, number in reversed(groups) if backwards else groups:
            if waiting and start is not None:
                if not self._holds(number, start):
                    continue
                waiting = False
                yield from self._behind(bits, number, start, backwards=backwards)
            elif bits:
                yield from self._in_order(bits, number, backwards=backwards)

    def _by_input(self, start: Cursor | None, *, down: bool) -> Iterator[Cursor]:
        if down:
            top = self.found.bit_length() if start is None else start.row
            return map(Cursor, places_down(self.found, top - 1))
        return map(Cursor, places(self.found, 0 if start is None else start.row + 1))

    def _groups(self) -> Iterator[tuple[int, int | None]]:
        """The rows found by bin, in the order asked for; those without a value (None) last."""
        measure = self._known_measure()
        numbers: Iterable[int] = range(len(measure.edges) + 1)
        if self.query.descending:
            numbers = reversed(range(len(measure.edges) + 1))
        for number in numbers:
            yield self.found & self.index.bin(measure, number), number
        yield self.found & ~self.index.having(measure), None

    def _holds(self, number: int | None, cursor: Cursor) -> bool:
        if cursor.value is None or number is None:
            return cursor.value is None and number is None
        return bin_of(self._known_measure().edges, cursor.value) == number

    def _in_order(
        self, bits: int, number: int | None, *, backwards: bool = False
    ) -> Iterator[Cursor]:
        measure = self._known_measure()
        if number is None or is_single(measure.edges, number):
            value = None if number is None else measure.edges[number - 1]
            rows = places_down(bits, bits.bit_length() - 1) if backwards else places(bits)
            return (Cursor(row, value) for row in rows)
        column = self.index.column(measure)
        return iter(
            sorted(
                (Cursor(row, column[row]) for row in places(bits)),
                key=self._sort_key,
                reverse=backwards,
            )
        )

    def _behind(
        self, bits: int, number: int | None, start: Cursor, *, backwards: bool
    ) -> Iterator[Cursor]:
        measure = self._known_measure()
        if number is None or is_single(measure.edges, number):
            value = None if number is None else measure.edges[number - 1]
            rows = places_down(bits, start.row - 1) if backwards else places(bits, start.row + 1)
            return (Cursor(row, value) for row in rows)
        here = self._sort_key(start)
        return (
            cursor
            for cursor in self._in_order(bits, number, backwards=backwards)
            if (self._sort_key(cursor) < here) == backwards and self._sort_key(cursor) != here
        )

    def _sort_key(self, cursor: Cursor) -> tuple[float, int]:
        value = cursor.value or 0.0
        return (-value if self.query.descending else value, cursor.row)

    def _known_measure(self) -> MeasureInfo:
        if self._measure is None:
            raise ValueError("the query is not sorted by a measure")
        return self._measure

    def _any_of(self, facet: str, values: Iterable[str]) -> int:
        bits = 0
        for value in values:
            bits |= self.index.bitmap(facet, value)
        return bits

    def _in_range(self, wanted: Range) -> int:
        measure = self.index.measures.get(wanted.measure)
        if measure is None:
            return 0
        low = float("-inf") if wanted.low is None else wanted.low
        high = float("inf") if wanted.high is None else wanted.high
        if low > high:
            return 0
        first, last = bin_of(measure.edges, low), bin_of(measure.edges, high)
        bits = 0
        for number in range(first, last + 1):
            rows = self.index.bin(measure, number)
            if number in (first, last) and not is_single(measure.edges, number):
                rows = _between(rows, self.index.column(measure), low, high)
            bits |= rows
        return bits


def _between(rows: int, column: array[float], low: float, high: float) -> int:
    flags = bytearray((rows.bit_length() + 7) // 8)
    for row in places(rows):
        if low <= column[row] <= high:
            flags[row >> 3] |= 1 << (row & 7)
    return int.from_bytes(flags, "little")


def _before(group: Iterator[Cursor], cursor: Cursor) -> Iterator[Cursor]:
    for met in group:
        if met.row == cursor.row:
            return
        yield met
