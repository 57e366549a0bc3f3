"""The run store: durable, in input order, clear about what is wrong with it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import StoreFault
from generator.store import CallRow, ItemRow, RunLock, RunStore, SkipRow, VerdictRow, pack_request
from generator.store.packing import unpack_request
from generator.values import Completion, Constraint, Message, Request, Sampling, Usage


def item(seq: int, **changes: object) -> ItemRow:
    values: dict[str, object] = {
        "key": f"key{seq}", "seq": seq, "id": f"p_{seq}", "source": "papers.jsonl", "line": seq + 1,
        "payload": {"text": f"text {seq}"},
    }  # fmt: skip
    return ItemRow(**{**values, **changes})  # type: ignore[arg-type]


def verdict(seq: int, *, accepted: bool = True, fingerprint: str | None = None) -> VerdictRow:
    reasons = () if accepted else ({"stage": "filter", "code": "loop", "detail": "", "span": None},)
    return VerdictRow(
        item=f"key{seq}", seq=seq, accepted=accepted, reasons=reasons, measures={"pairs": 4},
        candidate={"answers": [], "refused": [], "notes": {}}, parsed=None, record={"n": seq},
        fingerprint=fingerprint,
    )  # fmt: skip


def call(key: str, item_key: str, text: str = "hello") -> CallRow:
    request = Request(prompt="x")
    return CallRow(key, "hash", item_key, "writer", 0, "scripted", pack_request(request),
                   Completion(text), 1, 0.0)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "store.sqlite", create=True)


def test_every_item_is_in_exactly_one_place(store: RunStore) -> None:
    for seq in range(5):
        store.put_item(item(seq))
    store.submit_verdict(verdict(0)).result()
    store.submit_verdict(verdict(1, accepted=False)).result()
    store.put_failure("key2", "server_fault: 500").result()
    counts = store.counts()
    assert counts["items"] == 5
    assert (counts["accepted"], counts["rejected"]) == (1, 1)
    assert (counts["failed"], counts["pending"]) == (1, 2)
    store.close()


def test_a_failure_never_undoes_a_verdict(store: RunStore) -> None:
    store.put_item(item(0))
    store.submit_verdict(verdict(0)).result()
    store.put_failure("key0", "late").result()
    assert store.item_place("key0") == (0, "done")
    store.close()


def test_judged_items_come_in_input_order_whatever_the_order_of_writing(store: RunStore) -> None:
    for seq in (3, 0, 2, 1):
        store.put_item(item(seq))
    for seq in (2, 0, 3, 1):
        store.submit_verdict(verdict(seq)).result()
    assert [row.seq for row, _ in store.judged()] == [0, 1, 2, 3]
    store.close()


def test_duplicates_name_the_first_in_input_order(store: RunStore) -> None:
    for seq in range(4):
        store.put_item(item(seq))
    for seq in (3, 1, 2, 0):
        store.submit_verdict(
            verdict(seq, fingerprint="same" if seq else "other", accepted=seq != 1)
        ).result()
    found = [store.first_with_fingerprint("same", seq) for seq in range(5)]
    assert found == [None, None, None, "p_2", "p_2"]
    store.close()


def test_a_call_comes_back_as_it_was_answered(store: RunStore) -> None:
    done = Completion(
        "täxt\u2028 {{ x }}", "stop", Usage(3, None, 1), "m", None, "why", 0.5, ("n",)
    )
    row = CallRow("k", "h", "key0", "writer", 2, "spec", b"", done, 3, 12.5)

    async def put() -> None:
        await store.put_call(row)

    asyncio.run(put())
    assert store.find_call("k", item="key0") == row
    assert store.find_call_by_request("h") == row
    store.close()


def test_an_item_is_answered_by_its_own_call_and_no_other(store: RunStore) -> None:
    async def put() -> None:
        for item_key in ("a", "b", "c"):
            await store.put_call(call("k", item_key, item_key))

    asyncio.run(put())
    found = store.find_call("k", item="b")
    assert found is not None
    assert found.completion.text == "b"
    assert store.find_call("k", item="d") is None
    store.close()


def test_lone_surrogates_and_null_characters_are_stored(store: RunStore) -> None:
    store.put_item(item(0, id="p\ud800", source="a\udcff", payload={"text": "x\ud800\x00y"}))
    store.put_skip(SkipRow(0, "s\udcff", None, None, "code", "d\ud800")).result()
    (row,) = store.items()
    assert row.payload["text"].endswith("\x00y")
    assert "\ud800" not in row.payload["text"]
    store.close()


def test_a_request_is_kept_as_sent() -> None:
    request = Request(
        (Message("system", "s"), Message("user", "u {{x}}")),
        sampling=Sampling(temperature=0.0, stop=("a",), extra=(("top_k", 3),)),
        constraint=Constraint("gbnf", 'root ::= "x"'),
    )
    kept = unpack_request(pack_request(request))
    assert kept["messages"] == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u {{x}}"},
    ]
    assert kept["sampling"]["temperature"] == 0.0
    assert kept["constraint"]["kind"] == "gbnf"


def test_nothing_is_readable_before_it_is_committed_and_all_is_after(store: RunStore) -> None:
    store.put_item(item(0)).result()
    other = sqlite3.connect(store.path)
    assert other.execute("SELECT COUNT(*) FROM items").fetchone() == (1,)
    other.close()
    store.close()


def test_a_store_opened_for_reading_refuses_to_write(store: RunStore) -> None:
    store.put_item(item(0)).result()
    reader = RunStore(store.path, create=False, writable=False)
    with pytest.raises(StoreFault, match="reading only"):
        reader.put_item(item(1))
    reader.close()
    store.close()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(None, "no run store here", id="missing"),
        pytest.param(b"this is not a database, it only looks long enough to be one" * 9,
                     "no run store|damaged", id="another kind of file"),
    ],
)  # fmt: skip
def test_a_wrong_file_gets_one_clear_message(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "store.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StoreFault, match=says):
        RunStore(path, create=False)


def test_a_failing_disk_is_named_and_loses_nothing(store: RunStore) -> None:
    store.put_item(item(0)).result()
    connection = sqlite3.connect(store.path)
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    # SQLite itself refuses to grow the file, as it does on a full disk.
    store._writer.submit(lambda c: c.execute(f"PRAGMA max_page_count = {pages}")).result()  # type: ignore[union-attr]
    with pytest.raises(StoreFault, match="disk is full"):
        store.put_item(item(1, payload={"text": "x" * 500_000})).result()
    assert [row.seq for row in store.items()] == [0]
    store.close()


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    lock = RunLock(tmp_path)
    lock.acquire()
    code = (
        "import sys; from pathlib import Path; from generator.store import RunLock\n"
        "from generator.errors import StoreFault\n"
        "try: RunLock(Path(sys.argv[1])).acquire()\n"
        "except StoreFault as error: print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout
    assert f"process {os.getpid()}" in said
    lock.release()
    again = RunLock(tmp_path)
    again.acquire()
    again.release()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreFault, match="cannot be written"):
            RunLock(tmp_path).acquire()
    finally:
        tmp_path.chmod(0o700)


def test_a_store_in_a_folder_that_cannot_be_written_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite"
    RunStore(path, create=True).close()
    monkeypatch.setattr("generator.store.scanning.os.access", lambda *_: False)
    store = RunStore(path, create=False, writable=False)
    assert store.counts()["items"] == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["store.sqlite"]
    store.close()
