"""What a run has paid for, as the store adds it up: the same as a walk over its calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.budget import Budget, PastCall, Spending
from generator.calling.prices import Price, PriceTable
from generator.store import CallRow, RunStore, pack_request
from generator.store.reading import StoreReader
from generator.values import Completion, Request, Sampling, Usage

PRICED, CHEAP, UNPRICED = "openai:a", "openai:b", "openai:nobody-knows"
PRICES = PriceTable({"a": Price(2.0, 8.0, cached_input=0.5), "b": Price(1.0, 3.0)})

counts = st.none() | st.integers(0, 5000)
calls = st.builds(
    lambda key, item, spec, usage, attempts, letters, most: CallRow(
        key, "hash", item, "writer", 0, spec,
        pack_request(Request(prompt="a" * letters, sampling=Sampling(max_tokens=most))),
        Completion("an answer", "stop", usage), attempts, 0.0,
    ),
    key=st.sampled_from("klm"),
    item=st.sampled_from("ij"),
    spec=st.sampled_from((PRICED, CHEAP, UNPRICED)),
    usage=st.builds(Usage, counts, counts, counts),
    attempts=st.integers(0, 3),
    letters=st.integers(0, 40),
    most=st.none() | st.integers(1, 300),
)  # fmt: skip


@contextmanager
def opened(path: Path, *, create: bool = True, writable: bool = True) -> Iterator[RunStore]:
    store = RunStore(path, create=create, writable=writable)
    try:
        yield store
    finally:
        store.close()


def put(store: RunStore, rows: Iterable[CallRow]) -> None:
    for written in [store.submit_call(row) for row in rows]:
        written.result()


def walked(path: Path) -> list[PastCall]:
    """Each call that the run in the store paid for, alone."""
    with closing(sqlite3.connect(path)) as store:
        return [
            PastCall(spec, Usage(*usage), request)
            for spec, request, *usage in store.execute(
                "SELECT spec, request, prompt_tokens, completion_tokens, cached_tokens"
                " FROM calls WHERE attempts > 0"
            )
        ]


def spent(paid: Iterable[PastCall]) -> Spending:
    budget = Budget(PRICES)
    budget.add_earlier(paid)
    return budget.spent


def assert_same(found: Spending, expected: Spending) -> None:
    assert (found.tokens, found.uncounted) == (expected.tokens, expected.uncounted)
    assert found.cost == pytest.approx(expected.cost, rel=1e-12)


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A store of the last version as it was before its calls could be added up quickly."""
    path = tmp_path / "store.sqlite"
    rows = [
        CallRow(
            f"k{n}", "hash", "i", "writer", 0, PRICED, pack_request(Request(prompt="a")),
            Completion("x", "stop", usage), attempts, 0.0,
        )
        for n, (usage, attempts) in enumerate(
            [(Usage(10, 20, 4), 1), (Usage(1, 2, 3), 2), (Usage(), 1), (Usage(7, 7), 0)]
        )
    ]  # fmt: skip
    with opened(path) as store:
        put(store, rows)
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("DROP INDEX calls_usage")
        store.execute("DROP INDEX calls_uncounted")
    return path


@settings(max_examples=60, deadline=None)
@given(
    first=st.lists(calls, max_size=12),
    elsewhere=st.none() | st.lists(calls, max_size=6),
    then=st.lists(calls, max_size=6),
)
def test_the_sums_are_those_of_a_walk_over_all_calls(
    first: list[CallRow],
    elsewhere: list[CallRow] | None,
    then: list[CallRow],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("run")
    path, other = folder / "store.sqlite", folder / "other.sqlite"
    with opened(path) as store:
        put(store, first)
        if elsewhere is not None:
            with opened(other) as branched:
                put(branched, elsewhere)
            store.copy_calls_from(other)
        put(store, then)
        store.unjudge_truncated()
        store.unjudge_after(-1)
        told = [PastCall(*paid) for paid in store.paid_calls()]
    assert_same(spent(told), spent(walked(path)))
    assert sum(paid.calls for paid in told) == len(walked(path))
    with opened(path) as again:
        assert [PastCall(*paid) for paid in again.paid_calls()] == told


def test_calls_with_a_known_usage_are_told_together_and_others_alone(tmp_path: Path) -> None:
    numbers = count()

    def call(spec: str, usage: Usage, attempts: int = 1) -> CallRow:
        return CallRow(
            f"k{next(numbers)}", "hash", "i", "writer", 0, spec, b"asked",
            Completion("x", "stop", usage), attempts, 0.0,
        )  # fmt: skip

    with opened(tmp_path / "store.sqlite") as store:
        put(store, [call(PRICED, Usage(10, 20, 4)), call(PRICED, Usage(1, 2, 3), attempts=5)])
        put(store, [call(CHEAP, Usage(5, 5)), call(CHEAP, Usage(6, None)), call(CHEAP, Usage())])
        put(store, [call(PRICED, Usage(900, 900), attempts=0)])
        told = sorted(store.paid_calls(), key=repr)
    assert told == sorted(
        [
            # A server cannot have had more of a prompt in its cache than the prompt was.
            (PRICED, Usage(11, 22, 5), None, 2),
            (CHEAP, Usage(5, 5, 0), None, 1),
            (CHEAP, Usage(6, None), b"asked", 1),
            (CHEAP, Usage(), b"asked", 1),
        ],
        key=repr,
    )


def test_counts_beyond_any_model_are_unknown_so_that_sums_never_overflow(tmp_path: Path) -> None:
    with opened(tmp_path / "store.sqlite") as store:
        for n in range(3):
            done = Completion("x", "stop", Usage(2**61, 2**62 - 1))
            put(store, [CallRow(f"{n}", "h", "i", "w", 0, PRICED, b"", done, 1, 0.0)])
        assert list(store.paid_calls()) == [(PRICED, Usage(), b"", 1)] * 3
        assert store.tokens() == {"prompt": None, "completion": None}


def test_neither_texts_nor_requests_of_counted_calls_are_read(old_store: Path) -> None:
    with opened(old_store):
        pass
    asked: list[str] = []
    with closing(sqlite3.connect(old_store)) as connection:
        connection.set_trace_callback(asked.append)
        told = list(StoreReader(connection).paid_calls())
        connection.set_trace_callback(None)
        steps = [
            str(step[3])
            for query in asked
            if "FROM calls" in query
            for step in connection.execute(f"EXPLAIN QUERY PLAN {query}")
        ]
    assert len(told) == 2
    assert steps == [
        "SCAN calls USING COVERING INDEX calls_usage",
        "SCAN calls USING INDEX calls_uncounted",
    ]


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_store_gives_the_same_sums_before_and_after_a_run_goes_on_with_it(
    old_store: Path, version: int
) -> None:
    with closing(sqlite3.connect(old_store)) as store, store:
        store.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", (str(version),))
    expected = spent(walked(old_store))
    for create, writable in ((False, False), (False, True), (True, True), (True, True)):
        with opened(old_store, create=create, writable=writable) as store:
            assert_same(spent(PastCall(*paid) for paid in store.paid_calls()), expected)
