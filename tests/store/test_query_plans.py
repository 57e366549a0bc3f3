"""A store of millions of rows on a slow disk: questions about a few read a few."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from generator.store import ItemRow, RunStore, VerdictRow
from generator.store.reading import StoreReader
from generator.store.resume_point import find_resume_point

ITEMS = 12


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A store of judged items, every third accepted, without decisions."""
    store = RunStore(tmp_path / "store.sqlite", create=True)
    for seq in range(ITEMS):
        store.put_item(ItemRow(f"key{seq}", seq, f"p_{seq}", "papers.jsonl", seq + 1, {"text": ""}))
        store.submit_verdict(
            VerdictRow(
                item=f"key{seq}", seq=seq, accepted=seq % 3 == 0, reasons=(), measures={},
                candidate={"answers": [], "refused": [], "notes": {}}, parsed=None, record=None,
                fingerprint=f"print{seq}",
            )
        ).result()  # fmt: skip
    store.close()
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as opened:
        yield opened


def steps_over_verdicts(
    connection: sqlite3.Connection, ask: Callable[[sqlite3.Connection], object]
) -> list[str]:
    """How SQLite goes through the verdicts to answer, step by step."""
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    ask(connection)
    connection.set_trace_callback(None)
    plans = [connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall() for query in asked]
    steps = [str(step[3]) for plan in plans for step in plan]
    return [step for step in steps if step.split()[1] in ("v", "verdicts")]


def test_where_to_go_on_is_found_in_an_index_of_the_verdicts(
    connection: sqlite3.Connection,
) -> None:
    found = find_resume_point(connection, 1)
    assert found is not None
    assert found.accepted == 4
    steps = steps_over_verdicts(connection, lambda told: find_resume_point(told, 1))
    # A row of a verdict holds a record: to fetch them all is to read most of the store.
    assert steps
    assert all("INDEX verdicts_by_fingerprint " in step for step in steps)


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda told: StoreReader(told).fallen(), id="those that fell"),
        pytest.param(lambda told: list(StoreReader(told).places_decided()), id="places"),
        pytest.param(lambda told: list(StoreReader(told).accepted_by_people()), id="accepted"),
    ],
)
def test_what_people_decided_is_found_from_their_decisions(
    connection: sqlite3.Connection, ask: Callable[[sqlite3.Connection], object]
) -> None:
    steps = steps_over_verdicts(connection, ask)
    assert steps
    assert all(step.startswith("SEARCH") and "(item=?)" in step for step in steps)


def test_of_the_standing_those_asked_for_come_with_those_the_corpus_spoke_of(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    store = RunStore(tmp_path / "store.sqlite", create=False)
    store.put_corpus_verdict("key6", (), {"share": 0.5}).result()
    store.put_corpus_verdict("key7", [{"code": "duplicate_dialogue"}], {}).result()
    places = [[row.seq for _, row in store.standing(asked)] for asked in (None, (), (3, 4), (6,))]
    store.close()
    assert places == [[0, 3, 6, 9], [6], [3, 6], [6]]
