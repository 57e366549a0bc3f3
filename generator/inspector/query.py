"""What a person asks for: filters and an order, to and from the parameters of an address. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from generator.inspector.traits import FACETS

BY_INPUT = "input"
"""The order of the input, where no measure is named."""


@dataclass(frozen=True, slots=True)
class Range:
    """Values of a measure from `low` to `high`, both included; None is open."""

    measure: str
    low: float | None
    high: float | None

    def as_text(self) -> str:
        return f"{self.measure}:{_number(self.low)}:{_number(self.high)}"


@dataclass(frozen=True, slots=True)
class Query:
    """Filters (all must hold; of the values of one facet any) and an order."""

    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: str = ""
    ranges: tuple[Range, ...] = ()
    sort: str = BY_INPUT
    descending: bool = False

    def parameters(self) -> list[tuple[str, str]]:
        """The parameters that `query_from` reads back, in one order for equal queries."""
        pairs = [(f, v) for f in FACETS for v in self.facets.get(f, ())]
        if self.words:
            pairs.append(("q", self.words))
        pairs += [("range", r.as_text()) for r in self.ranges]
        if self.sort != BY_INPUT:
            pairs.append(("sort", self.sort))
        if self.descending:
            pairs.append(("dir", "desc"))
        return pairs

    def address(self, path: str, *more: tuple[str, str]) -> str:
        """A link to `path` with this query."""
        pairs = [*self.parameters(), *more]
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def with_facet(self, facet: str, *values: str) -> Query:
        """The same query with just these values of a facet (none: any value)."""
        facets = {f: v for f, v in self.facets.items() if f != facet}
        if values:
            facets[facet] = values
        return replace(self, facets=facets)

    def toggled(self, facet: str, value: str) -> Query:
        """With one value more of a facet, or one less."""
        now = self.facets.get(facet, ())
        if value in now:
            return self.with_facet(facet, *(v for v in now if v != value))
        return self.with_facet(facet, *now, value)

    def without_range(self, unwanted: Range) -> Query:
        return replace(self, ranges=tuple(r for r in self.ranges if r != unwanted))

    def sorted_by(self, sort: str, *, descending: bool) -> Query:
        return replace(self, sort=sort, descending=descending)

    @property
    def filters(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.facets or self.words or self.ranges)


def query_from(pairs: Iterable[tuple[str, str]]) -> Query:
    """The query in an address; what is unknown or unreadable in it is ignored.

    A range is `range=MEASURE:LOW:HIGH`, or from a form `measure=`, `min=`, `max=`.
    """
    listed = list(pairs)
    facets: dict[str, tuple[str, ...]] = {}
    ranges: list[Range] = []
    for name, value in listed:
        if name in FACETS and value and value not in facets.get(name, ()):
            facets[name] = (*facets.get(name, ()), value)
        elif name == "range":
            measure, _, bounds = value.partition(":")
            low, _, high = bounds.partition(":")
            ranges.append(Range(measure, _bound(low), _bound(high)))
    single = dict(listed)
    if single.get("measure"):
        ranges.append(
            Range(single["measure"], _bound(single.get("min")), _bound(single.get("max")))
        )
    return Query(
        facets=facets,
        words=" ".join(single.get("q", "").split()),
        ranges=_distinct(r for r in ranges if r.low is not None or r.high is not None),
        sort=single.get("sort") or BY_INPUT,
        descending=single.get("dir") == "desc",
    )


def _distinct(ranges: Iterable[Range]) -> tuple[Range, ...]:
    return tuple(dict.fromkeys(ranges))


def _bound(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in an order: the row, and its value of the measure that is sorted by (or None)."""

    row: int
    value: float | None = None

    def as_text(self) -> str:
        return str(self.row) if self.value is None else f"{self.row}:{self.value!r}"


def cursor_from(text: str | None) -> Cursor | None:
    """The cursor that `as_text` wrote; None for anything else."""
    row, _, value = (text or "").partition(":")
    if not (row.isascii() and row.isdigit() and len(row) < 12):
        return None
    return Cursor(int(row), _bound(value))
