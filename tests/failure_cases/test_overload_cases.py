"""Rate limits, empty accounts, dead keys and overload, through whole runs over HTTP."""

from __future__ import annotations

import math
import os
from collections import Counter
from pathlib import Path

import pytest
from whole_runs import (
    Hurry,
    attempts,
    failures,
    fake_server,
    finished,
    generate_command,
    hurried,
    open_store,
    run,
    write_papers,
)

import generator
from generator.calling.retry import RetryPolicy
from generator.progress import SilentProgress
from generator.run import GIVE_UP_AFTER

ITEMS = 3


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write_papers(tmp_path / "papers.jsonl", ITEMS)


class Listener(SilentProgress):
    """Keeps what was told about waits."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def waiting(self, text: str) -> None:
        self.told.append(text)


@pytest.mark.parametrize(
    ("fault", "code", "seconds"),
    [
        pytest.param("rate_limit:300*2", "rate_limited", 300.0, id="seconds beyond a minute"),
        pytest.param("rate_limit:7200*1", "rate_limited", 7200.0, id="two hours"),
        pytest.param("rate_limit_ms:90500*2", "rate_limited", 90.5, id="milliseconds"),
        pytest.param("rate_limit_reset:300*1", "rate_limited", 300.0, id="a reset header"),
        pytest.param("overloaded:300*1", "server_fault", 300.0, id="503"),
    ],
)
def test_a_server_is_left_alone_for_as_long_as_it_asks(
    papers: Path, tmp_path: Path, fault: str, code: str, seconds: float
) -> None:
    hurry, listener = Hurry(), Listener()
    times = int(fault.partition("*")[2])
    with fake_server(fault) as server:
        result = hurried(server, papers, tmp_path / "run", hurry=hurry, progress=listener)
        assert server.stats()["requests"] == ITEMS * (times + 1)
    assert result.counts["accepted"] == ITEMS
    failed = attempts(tmp_path / "run")
    assert [(attempt.code, attempt.wait_s) for attempt in failed] == [(code, seconds)] * (
        ITEMS * times
    )
    # Two workers wait for their own times side by side.
    assert hurry.now >= ITEMS * times * seconds / 2
    reason = "429" if code == "rate_limited" else str(failed[0].status)
    assert f"waiting {math.ceil(seconds):,} s: {reason} ×" in "\n".join(listener.told)


def test_a_date_is_a_wait_too(papers: Path, tmp_path: Path) -> None:
    with fake_server("rate_limit_date:500*1") as server:
        assert hurried(server, papers, tmp_path / "run").counts["accepted"] == ITEMS
    waits = [attempt.wait_s for attempt in attempts(tmp_path / "run")]
    assert len(waits) == ITEMS
    assert all(490 <= wait <= 501 for wait in waits)


def test_without_a_word_the_waits_are_random_and_bounded(papers: Path, tmp_path: Path) -> None:
    with fake_server("rate_limit_none*7") as server:
        assert hurried(server, papers, tmp_path / "run").counts["accepted"] == ITEMS
    waits = [attempt.wait_s for attempt in attempts(tmp_path / "run")]
    assert len(set(waits)) == len(waits) == ITEMS * 7
    assert all(0 <= wait <= 60 for wait in waits)


def test_a_server_that_says_at_once_and_refuses_is_not_stormed(
    papers: Path, tmp_path: Path
) -> None:
    hurry = Hurry()
    with fake_server("rate_limit_at_once*12") as server:
        result = hurried(server, papers, tmp_path / "run", hurry=hurry)
    assert result.counts["accepted"] == ITEMS
    waits = [attempt.wait_s for attempt in attempts(tmp_path / "run")]
    assert waits.count(0.0) == ITEMS
    assert sum(waits) > 10 * ITEMS


def test_rate_limits_never_use_up_an_items_attempts(papers: Path, tmp_path: Path) -> None:
    with fake_server("rate_limit:60*20") as server:
        once = RetryPolicy(max_attempts=1)
        assert hurried(server, papers, tmp_path / "run", retry=once).counts["accepted"] == ITEMS
        assert server.stats()["by_status"] == {"200": ITEMS, "429": ITEMS * 20}


@pytest.mark.parametrize("most", [1, 4])
def test_n_attempts_are_n_requests_and_no_layer_multiplies_them(
    papers: Path, tmp_path: Path, most: int
) -> None:
    with fake_server("server_error") as server:
        policy = RetryPolicy(max_attempts=most)
        result = hurried(server, papers, tmp_path / "run", retry=policy)
        assert server.stats()["requests"] == ITEMS * most
    assert result.counts["failed"] == ITEMS
    assert set(failures(tmp_path / "run").values())
    assert all(text.startswith("server_fault: ") for text in failures(tmp_path / "run").values())


@pytest.mark.parametrize("fault", ["bad_request", "too_large", "unprocessable", "forbidden_html"])
def test_a_refused_request_is_sent_once_and_costs_its_item_alone(
    papers: Path, tmp_path: Path, fault: str
) -> None:
    with fake_server(fault) as server:
        result = hurried(server, papers, tmp_path / "run")
        assert server.stats()["requests"] == ITEMS
    assert result.stopped is None
    assert result.counts["failed"] == ITEMS
    assert {text.partition(":")[0] for text in failures(tmp_path / "run").values()} == {
        "request_refused"
    }


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("quota", generator.QuotaExhausted),
        ("bad_key", generator.BadKey),
        ("model_not_found", generator.ModelNotFound),
        ("wrong_path", generator.Unreachable),
    ],
)
def test_what_no_request_survives_stops_the_run_and_the_rest_is_done_later(
    tmp_path: Path, fault: str, kind: type[generator.RunStopped]
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12)
    with fake_server(schedule=[{"fault": fault, "from": 5, "to": 7}]) as server:
        result = hurried(server, papers, tmp_path / "run")
        assert isinstance(result.stopped, kind)
        assert result.stopped.exit_code == 3
        assert result.counts["accepted"] == 4
        # Nobody tries again: each request that met it is another item's.
        refused = Counter(entry.request for entry in server.entries() if entry.fault == fault)
        assert set(refused.values()) == {1}
        while not (result := hurried(server, papers, tmp_path / "run")).complete:
            assert isinstance(result.stopped, kind)
        by_request = Counter(entry.request for entry in server.entries() if entry.answered)
    assert result.counts["accepted"] == 12
    assert set(by_request.values()) == {1}


@pytest.mark.parametrize("lost", [GIVE_UP_AFTER - 1, GIVE_UP_AFTER])
def test_the_row_of_failures_that_ends_a_run_is_counted_exactly(tmp_path: Path, lost: int) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", GIVE_UP_AFTER + 5)
    with fake_server(schedule=[{"fault": "server_error", "from": 3, "to": lost + 2}]) as server:
        once = RetryPolicy(max_attempts=1)
        result = hurried(server, papers, tmp_path / "run", retry=once)
    if lost < GIVE_UP_AFTER:
        assert result.stopped is None
        assert (result.counts["failed"], result.counts["accepted"]) == (lost, 6)
    else:
        assert isinstance(result.stopped, generator.RunStopped)
        assert f"{GIVE_UP_AFTER} items failed in a row" in str(result.stopped)
        assert result.counts["failed"] == GIVE_UP_AFTER


def test_inputs_are_read_only_as_far_as_they_are_worked_on(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 400, times=2)
    with fake_server("quota") as server:
        result = run(server, papers, tmp_path / "run", concurrency=3)
    assert result.counts["items"] <= 6


def test_many_requests_at_once_never_wait_for_the_pool(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 100, times=2)
    with fake_server(latency=_latency(0.2)) as server:
        result = run(server, papers, tmp_path / "run", concurrency=64)
        assert server.stats()["most_in_flight"] > 8
    assert result.counts["accepted"] == 100
    assert attempts(tmp_path / "run") == []


def _latency(seconds: float) -> object:
    from generator.fakeserver import parse_latency

    return parse_latency(f"fixed:{seconds}")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_concurrency_beyond_the_open_files_is_said_before_anything_is_sent(
    papers: Path, tmp_path: Path
) -> None:
    with fake_server() as server:
        arguments = generate_command(server, papers, tmp_path / "run", "--concurrency", 64)
        done = finished(["bash", "-c", 'ulimit -n 100; exec "$@"', "bash", *arguments])
        assert server.stats()["requests"] == 0
    assert done.returncode == 2
    assert "--concurrency 64 needs" in done.stderr
    assert "ulimit -n" in done.stderr


def test_a_fault_between_answers_is_made_up_for_while_the_others_go_on(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 20)
    with fake_server(schedule=[{"fault": "overloaded:30", "from": 1, "to": 1}]) as server:
        assert hurried(server, papers, tmp_path / "run").counts["accepted"] == 20
        order = [entry.request for entry in server.entries()]
    again = order.index(order[0], 1)
    # The retry took its place in the queue of first attempts, long before they were through.
    assert again < 15
    store = open_store(tmp_path / "run")
    assert store.counts()["calls"] == 20
    store.close()
