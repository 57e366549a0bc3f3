"""The index against a plain search over the same rows: filters, counts, orders, paging."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.inspector.bits import below, bits_of, join_blocks, pack_block, places, places_down
from generator.inspector.index_file import IndexReader
from generator.inspector.index_writer import IndexWriter
from generator.inspector.query import Cursor, Query, Range, cursor_from, query_from
from generator.inspector.search import Search
from generator.inspector.traits import Traits

ROWS = 9000
"""More than a block, and enough for measures to be cut into bins."""

ROWS_OF_ALL = st.sets(st.integers(0, 8191))


def trait(seq: int, *, revised: bool = False) -> Traits:
    """A made row: what it has follows from its place."""
    shift = 1 if revised else 0
    measures = {
        "share": (seq * 7919 % 1000) / 1000 + shift,
        "count": float(seq % 5),
        "zeros": 0.0 if seq % 10 else seq / ROWS,
    }
    if seq % 3 == 0:
        measures["some"] = float(-seq)
    return Traits(
        seq=seq,
        facets=(
            ("all", ""),
            ("place", "accepted" if (seq + shift) % 2 else "rejected"),
            ("section", f"part{seq % 7}"),
            ("paper", f"p{seq // 3}"),
        ),
        labels={f"p{seq // 3}": f"Paper {seq // 3}"},
        measures=measures,
        text=f"row{seq % 50} of paper {'revised' if revised else 'first'} 缓存策略{seq % 2}",
        signature=seq + shift,
    )


class Indexed:
    """An index and what it was made from; no dataclass, whose text would be as long as both."""

    def __init__(self, reader: IndexReader, rows: Mapping[int, Traits]) -> None:
        self.reader = reader
        self.rows = rows


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    """An index written in pieces, binned early and again, some of its rows written twice."""
    path = tmp_path_factory.mktemp("index") / "inspect.sqlite"
    writer = IndexWriter(path, "test")
    rows = {}
    for start in range(0, ROWS, 1500):
        batch = [trait(seq) for seq in range(start, min(start + 1500, ROWS))]
        writer.write(batch)
        rows |= {row.seq: row for row in batch}
        writer.bin_measures(growth=1.4)
    again = [trait(seq, revised=True) for seq in range(5, ROWS, 611)]
    writer.write(again)
    rows |= {row.seq: row for row in again}
    writer.close()
    reader = IndexReader(path)
    yield Indexed(reader, rows)
    reader.close()


def plainly(rows: Mapping[int, Traits], query: Query) -> list[int]:
    """The rows a query finds, in order, one by one."""

    def fits(row: Traits) -> bool:
        for facet, values in query.facets.items():
            if not any((facet, value) in row.facets for value in values):
                return False
        for wanted in query.ranges:
            value = row.measures.get(wanted.measure)
            if value is None or not (
                (wanted.low is None or value >= wanted.low)
                and (wanted.high is None or value <= wanted.high)
            ):
                return False
        words = row.text.split()
        return all(word in words or word in row.text for word in query.words.split())

    found = [row for row in rows.values() if fits(row)]
    if query.sort == "input":
        return sorted((row.seq for row in found), reverse=query.descending)
    sign = -1 if query.descending else 1

    def key(row: Traits) -> tuple[bool, float, int]:
        value = row.measures.get(query.sort)
        return value is None, 0.0 if value is None else sign * value, row.seq

    return [row.seq for row in sorted(found, key=key)]


BOUNDS = st.none() | st.floats(-1, 1.2) | st.sampled_from([0.0, 0.5, 1.0, 2.0, -3000.0])
QUERIES = st.builds(
    Query,
    facets=st.dictionaries(
        st.sampled_from(["place", "section"]),
        st.lists(
            st.sampled_from(["accepted", "rejected", "part0", "part3", "none"]),
            min_size=1,
            max_size=3,
            unique=True,
        ).map(tuple),
        max_size=2,
    ),
    words=st.sampled_from(["", "", "row7", "revised", "缓存", "策略1", "策"]),
    ranges=st.lists(
        st.builds(Range, st.sampled_from(["share", "count", "zeros", "some"]), BOUNDS, BOUNDS),
        max_size=2,
    ).map(tuple),
    sort=st.sampled_from(["input", "share", "count", "zeros", "some"]),
    descending=st.booleans(),
)


@settings(max_examples=35, deadline=None)
@given(query=QUERIES, size=st.integers(1, 4000))
def test_paging_visits_each_matching_row_exactly_once_in_order(
    indexed: Indexed, query: Query, size: int
) -> None:
    expected = plainly(indexed.rows, query)
    size = max(size, len(expected) // 12)
    seen: list[int] = []
    with indexed.reader.steady() as reader:
        search = Search(reader, query)
        assert search.total == len(expected)
        page = search.page(size)
        pages = [page]
        while page.more_after:
            assert page.first == len(seen) + 1
            seen += [cursor.row for cursor in page.cursors]
            page = search.page(size, after=cursor_from(page.cursors[-1].as_text()))
            pages.append(page)
        seen += [cursor.row for cursor in page.cursors]
        assert seen == expected
        for before, page in pairwise(pages):
            assert search.page(size, before=page.cursors[0]).cursors == before.cursors


@settings(max_examples=35, deadline=None)
@given(query=QUERIES, data=st.data())
def test_neighbours_are_those_in_the_list(
    indexed: Indexed, query: Query, data: st.DataObject
) -> None:
    expected = plainly(indexed.rows, query)
    with indexed.reader.steady() as reader:
        search = Search(reader, query)
        if not expected:
            assert search.neighbours(5) == (None, None)
            return
        place = data.draw(st.integers(0, len(expected) - 1))
        row = expected[place]
        before = expected[place - 1] if place else None
        after = expected[place + 1] if place + 1 < len(expected) else None
        assert search.neighbours(row) == (before, after)
        assert search.place_of(search.cursor(row)) == place + 1


@settings(max_examples=15, deadline=None)
@given(query=QUERIES)
def test_counts_of_a_facet_are_those_its_choice_would_show(indexed: Indexed, query: Query) -> None:
    with indexed.reader.steady() as reader:
        for value, count in Search(reader, query).facet_counts("section"):
            chosen = query.with_facet("section", value.value)
            assert count == len(plainly(indexed.rows, chosen))


def test_papers_have_their_titles(indexed: Indexed) -> None:
    with indexed.reader.steady() as reader:
        assert reader.label("paper", "p7") == "Paper 7"
        assert [v.value for v in reader.facet_values("paper", like="paper 299")][:1] == ["p299"]
        assert reader.count_values("paper") == ROWS // 3


def test_a_measure_that_a_row_has_lost_is_gone(tmp_path: Path) -> None:
    writer = IndexWriter(tmp_path / "i.sqlite", "one")
    writer.write([trait(seq) for seq in range(30)])
    bare = Traits(3, (("all", ""),), {}, {}, "nothing", 0)
    writer.write([bare])
    writer.close()
    reader = IndexReader(tmp_path / "i.sqlite")
    with reader.steady():
        found = Search(reader, Query(ranges=(Range("share", -math.inf, math.inf),)))
        assert found.total == 29
        assert Search(reader, Query(words="row3")).total == 0
        assert Search(reader, Query(words="nothing")).total == 1
        assert Search(reader, Query({"place": ("accepted", "rejected")})).total == 29
    reader.close()


@pytest.mark.parametrize("damage", ["other run", "no database", "cut off"])
def test_an_index_that_cannot_be_used_is_begun_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "i.sqlite"
    writer = IndexWriter(path, "one")
    writer.write([trait(0)])
    writer.close()
    if damage == "no database":
        path.write_bytes(b"this is text" * 1000)
    elif damage == "cut off":
        path.write_bytes(path.read_bytes()[:5000])
    again = IndexWriter(path, "two" if damage == "other run" else "one")
    assert again.size() == 0
    again.close()


@given(rows=ROWS_OF_ALL)
@settings(deadline=None, max_examples=60)
def test_a_block_comes_back_from_its_bytes(rows: set[int]) -> None:
    bits = bits_of(rows)
    blob = pack_block(bits)
    assert join_blocks([(0, blob)]) == bits
    assert join_blocks([(2, blob)]) == bits << (2 * 8192)
    assert list(places(bits)) == sorted(rows)


@given(rows=ROWS_OF_ALL, at=st.integers(0, 9000))
@settings(deadline=None, max_examples=60)
def test_places_begin_anywhere_in_both_directions(rows: set[int], at: int) -> None:
    bits = bits_of(rows)
    assert list(places(bits, at)) == sorted(r for r in rows if r >= at)
    assert list(places_down(bits, at)) == sorted((r for r in rows if r <= at), reverse=True)
    assert below(bits, at) == sum(r < at for r in rows)


@given(query=QUERIES)
@settings(deadline=None, max_examples=100)
def test_a_query_comes_back_from_its_address(query: Query) -> None:
    there = query_from(query.parameters())
    assert query_from(there.parameters()) == there
    assert there.sort == query.sort
    assert there.facets == query.facets


@given(
    row=st.integers(0, 10**9), value=st.none() | st.floats(allow_nan=False, allow_infinity=False)
)
@settings(deadline=None, max_examples=100)
def test_a_cursor_comes_back_from_its_text(row: int, value: float | None) -> None:
    assert cursor_from(Cursor(row, value).as_text()) == Cursor(row, value)
