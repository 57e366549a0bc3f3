"""Runs that lost a part, stores that fail, and what a user is told of both."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from whole_runs import (
    ONE_CALL,
    fake_server,
    finished,
    generate_command,
    lines,
    model_at,
    run,
    views,
    write_papers,
)

import generator
from generator.progress import SilentProgress
from generator.store import CallRow, ItemRow, RunStore, pack_request
from generator.values import Completion, Request


def test_inputs_in_another_order_lose_nothing(tmp_path: Path) -> None:
    one = write_papers(tmp_path / "one.jsonl", 3)
    two = write_papers(tmp_path / "two.jsonl", 3, first=3)
    with fake_server() as server:
        options: dict[str, Any] = {"model": model_at(server), "environ": {}}
        generator.generate(ONE_CALL, [one, two], out=tmp_path / "run", limit=3, **options)
        try:
            again = generator.generate(ONE_CALL, [two, one], out=tmp_path / "run", **options)
        except generator.SettingsDiffer:
            return
    assert again.counts["accepted"] == 6
    assert len(lines(tmp_path / "run" / "dialogues.jsonl")) == 6


def _no_settings(run: Path) -> None:
    (run / "manifest.json").write_text('{"manifest_version": 1}')


def _store_gone(run: Path) -> None:
    (run / "store.sqlite").unlink()


def _store_emptied(run: Path) -> None:
    (run / "store.sqlite").write_bytes(b"")


def _manifest_gone(run: Path) -> None:
    (run / "manifest.json").unlink()


@pytest.mark.parametrize("damage", [_store_gone, _store_emptied, _no_settings])
def test_a_run_that_lost_a_part_is_an_error_and_never_a_fresh_start(
    tmp_path: Path, damage: Any
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3)
    with fake_server() as server:
        run(server, papers, tmp_path / "run")
        damage(tmp_path / "run")
        kept, spent = views(tmp_path / "run"), server.stats()["requests"]
        with pytest.raises(generator.StoreFault):
            run(server, papers, tmp_path / "run")
        assert server.stats()["requests"] == spent
    assert views(tmp_path / "run") == kept


def test_a_store_without_its_manifest_is_not_taken_for_any_run(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3)
    with fake_server() as server:
        run(server, papers, tmp_path / "run", limit=2)
        (tmp_path / "run" / "manifest.json").unlink()
        with pytest.raises((generator.StoreFault, generator.SettingsDiffer)):
            run(server, papers, tmp_path / "run", sampling={"writer": {"temperature": 0.1}})
        assert server.stats()["requests"] == 2


# D (must 1)
def test_a_kill_while_the_first_manifest_was_written_is_no_stranger(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 2)
    out = tmp_path / "run"
    out.mkdir()
    (out / ".lock").write_text("4711\n")
    (out / ".manifest.json.tmp").write_text('{"manifest_ver')
    with fake_server() as server:
        assert run(server, papers, out).complete


# E (16, 19)
@pytest.mark.parametrize("table", ["items", "calls", "verdicts", "skips"])
def test_a_damaged_page_of_the_store_is_one_clear_error(tmp_path: Path, table: str) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12)
    with fake_server() as server:
        run(server, papers, tmp_path / "run", limit=8)
        path = tmp_path / "run" / "store.sqlite"
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
        connection.close()
        content = bytearray(path.read_bytes())
        content[(root - 1) * size : root * size] = b"\x07" * size
        path.write_bytes(content)
        try:
            told: object = run(server, papers, tmp_path / "run").stopped
        except generator.StoreFault as error:
            told = error
    assert isinstance(told, generator.StoreFault)
    assert "store.sqlite" in str(told)


@pytest.mark.parametrize("blocks", [60, 90, 120, 150, 200, 250, 300, 400])
def test_a_store_that_cannot_grow_ends_the_run_cleanly(tmp_path: Path, blocks: int) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 30)
    out = tmp_path / "run"
    with fake_server() as server:
        arguments = generate_command(server, papers, out, "--quiet", "--concurrency", 1)
        quota = ["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "bash"]
        stopped = finished([*quota, *arguments])
        assert stopped.returncode == 3, stopped.stderr
        assert "Traceback" not in stopped.stderr
        run(server, papers, out)
        run(server, papers, tmp_path / "whole")
    assert views(out) == views(tmp_path / "whole")


# F (37)
@pytest.mark.parametrize("concurrency", [1, 4, 16])
@pytest.mark.parametrize("fault", ["quota", "bad_key", "model_not_found"])
def test_nothing_more_is_sent_once_no_request_can_succeed(
    tmp_path: Path, fault: str, concurrency: int
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 40, times=2)
    with fake_server(fault) as server:
        run(server, papers, tmp_path / "run", concurrency=concurrency)
        assert server.stats()["requests"] <= concurrency


# G (11, 12)
def test_a_write_that_nobody_waits_for_any_more_does_not_end_the_store(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "store.sqlite", create=True)
    packed = pack_request(Request(prompt="p"))

    async def give_up(number: int) -> None:
        row = CallRow(f"k{number}", "h", "i", "writer", 0, "s", packed, Completion("t"), 1, 0.0)
        waiting = asyncio.ensure_future(store.put_call(row))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    async def main() -> None:
        for number in range(50):
            await give_up(number)

    asyncio.run(main())
    store.put_item(ItemRow("k", 0, "i", "s", None, {})).result(timeout=5)
    assert store.counts()["items"] == 1
    store.close()


# H (16)
def test_the_file_that_cannot_be_written_is_the_one_that_is_named(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12)
    with fake_server() as server:
        run(server, papers, tmp_path / "run", limit=3)
        (tmp_path / "run" / ".dialogues.jsonl.tmp").symlink_to("/dev/full")
        with pytest.raises(generator.StoreFault, match=r"dialogues\.jsonl"):
            run(server, papers, tmp_path / "run")


# I (51)
def test_reasoning_without_an_answer_is_told_from_an_empty_answer(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 2, times=2)
    with fake_server("content_null_reasoning") as server:
        run(server, papers, tmp_path / "run")
    for line in lines(tmp_path / "run" / "rejected.jsonl"):
        assert "reasoning" in line["reasons"][0]["code"] + line["reasons"][0]["detail"]


# J (54, 55)
def test_a_cut_answer_says_whether_its_cap_or_the_context_ended_it(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 2, times=2)
    details = {}
    for name, cap in (("cap", 40), ("context", 1500)):
        # By the server's count the answers have some 70 tokens, far below the larger cap.
        with fake_server(*(["length"] if name == "context" else [])) as server:
            run(server, papers, tmp_path / name, sampling={"writer": {"max_tokens": cap}})
        details[name] = lines(tmp_path / name / "rejected.jsonl")[0]["reasons"][0]["detail"]
    assert "40" in details["cap"]
    assert details["cap"] != details["context"]
    assert "1500" in details["context"]


# K (61)
def test_a_dropped_setting_is_told_once_on_the_terminal(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 4, times=2)
    with fake_server("unsupported_temperature") as server:
        done = finished(generate_command(server, papers, tmp_path / "run"))
    assert (done.stdout + done.stderr).count("temperature") == 1


# L (109)
class Counting(SilentProgress):
    def __init__(self) -> None:
        self.total: int | None = None
        self.seen = 0

    def start(self, total: int | None) -> None:
        self.total = total

    def resumed(self, accepted: int, rejected: int) -> None:
        self.seen += accepted + rejected

    def item(self, place: str) -> None:
        self.seen += 1


def test_a_resumed_run_ends_at_its_full_count(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 6, times=2)
    with fake_server("length=0.5") as server:
        run(server, papers, tmp_path / "run", limit=4)
        shown = Counting()
        run(server, papers, tmp_path / "run", limit=6, progress=shown)
    assert (shown.seen, shown.total) == (6, 6)
