"""Resuming: it ends, asks only for what is missing, and never mixes or forgets what it has."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from whole_runs import (
    ONE_CALL,
    SELF_PLAY,
    VIEWS,
    Hurry,
    fake_server,
    first_reasons,
    hurried,
    lines,
    model_at,
    open_store,
    run,
    views,
    write_papers,
)

import generator
from generator.fakeserver import FakeServer
from generator.report.terminal import describe_run
from generator.store import RunLock, RunStore

ITEMS = 6


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write_papers(tmp_path / "papers.jsonl", ITEMS)


def asked(server: FakeServer) -> int:
    return int(server.stats()["requests"])


@pytest.mark.parametrize("done", [0, 4, ITEMS], ids=["nothing", "a part", "everything"])
def test_a_resumed_run_ends_and_asks_only_for_what_is_missing(
    papers: Path, tmp_path: Path, done: int
) -> None:
    # Half of the answers are cut off: what was rejected is done, and is not paid for again.
    empty = {"fault": "quota", "from": ITEMS + 1, "to": ITEMS + 1}
    with fake_server("length=0.5", schedule=[] if done else [empty]) as server:
        whole = run(server, papers, tmp_path / "whole")
        first = run(server, papers, tmp_path / "run", concurrency=1, limit=done or None)
        before, spent = set(tmp_path.iterdir()), asked(server)
        resumed = generator.agenerate(
            ONE_CALL, papers, out=tmp_path / "run", model=model_at(server), environ={}
        )
        again = asyncio.run(asyncio.wait_for(resumed, 30))
        assert asked(server) - spent == ITEMS - done
    assert first.counts["accepted"] + first.counts["rejected"] == done
    assert again.complete
    assert again.counts == whole.counts
    assert again.counts["rejected"] > 0
    assert set(tmp_path.iterdir()) == before
    assert views(tmp_path / "run") == views(tmp_path / "whole")


EMPTY: dict[str, bytes] = {
    "no eligible segment": json.dumps(
        {"title": "T", "abstract": "A.", "sections": [{"heading": "1", "text": "Short."}]}
    ).encode(),
    "a record that is no paper": b'{"nothing": "here"}\n',
    "an empty file": b"",
}


@pytest.mark.parametrize("recipe", [ONE_CALL, SELF_PLAY])
@pytest.mark.parametrize("content", EMPTY.values(), ids=EMPTY.keys())
def test_inputs_that_give_nothing_flow_through(tmp_path: Path, content: bytes, recipe: str) -> None:
    path = tmp_path / "papers.jsonl"
    path.write_bytes(content)
    result = generator.generate(
        recipe, path, out=tmp_path / "run", model="openai:m@http://127.0.0.1:9/v1", environ={}
    )
    assert result.complete
    assert result.counts["items"] == 0
    assert lines(tmp_path / "run" / "dialogues.jsonl") == []
    assert all((tmp_path / "run" / view).is_file() for view in VIEWS)
    assert "0  items" in describe_run(tmp_path / "run")


def _torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _torn_inside_a_character(path: Path) -> None:
    path.write_bytes(path.read_bytes() + '{"text": "水'.encode()[:-1])


def _fused(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40] + path.read_bytes())


@pytest.mark.parametrize("damage", [_torn, _torn_inside_a_character, _fused, Path.unlink])
def test_a_damaged_file_is_rebuilt_from_the_store_without_a_call(
    papers: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    with fake_server("length=0.5") as server:
        run(server, papers, tmp_path / "run")
        before = views(tmp_path / "run")
        for view in VIEWS:
            damage(tmp_path / "run" / view)
        spent = asked(server)
        run(server, papers, tmp_path / "run")
        assert asked(server) == spent
    assert views(tmp_path / "run") == before


def test_a_torn_tail_of_the_stores_log_costs_that_tail_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    program = (
        "import os, sys; from pathlib import Path; from generator.store import ItemRow, RunStore\n"
        "store = RunStore(Path(sys.argv[1]), create=True)\n"
        "for n in range(9): store.put_item(ItemRow(f'k{n}', n, f'i{n}', 's', None, {})).result()\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    log = tmp_path / "store.sqlite-wal"
    log.write_bytes(log.read_bytes()[:-100])
    store = RunStore(path, create=True)
    assert [row.id for row in store.items()] == [f"i{n}" for n in range(8)]
    store.close()


def test_no_clock_decides_what_is_the_same(papers: Path, tmp_path: Path) -> None:
    with fake_server() as server:
        late = Hurry()
        late.now = 5_000_000.0
        hurried(server, papers, tmp_path / "run", hurry=late, limit=3)
        # The same second again and again, and years before the first start.
        for limit in (4, 5, None):
            hurried(server, papers, tmp_path / "run", hurry=Hurry(), limit=limit)
        assert asked(server) == ITEMS
        hurried(server, papers, tmp_path / "whole")
    assert views(tmp_path / "run") == views(tmp_path / "whole")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _overwrite(path: Path) -> None:
    path.write_bytes(b"this was a store once, or was it? " * 300)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        pytest.param("store.sqlite", _overwrite, id="another kind of file"),
        pytest.param("store.sqlite", _cut, id="half a store"),
        pytest.param("manifest.json", _cut, id="half a manifest"),
    ],
)
def test_a_damaged_run_is_an_error_and_never_a_fresh_start(
    papers: Path, tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    with fake_server() as server:
        run(server, papers, tmp_path / "run")
        damage(tmp_path / "run" / name)
        kept, spent = views(tmp_path / "run"), asked(server)
        content = (tmp_path / "run" / name).read_bytes()
        with pytest.raises(generator.StoreFault, match=name):
            run(server, papers, tmp_path / "run")
        assert asked(server) == spent
    assert views(tmp_path / "run") == kept
    assert (tmp_path / "run" / name).read_bytes() == content


def test_a_second_run_in_the_same_directory_is_turned_away(papers: Path, tmp_path: Path) -> None:
    with fake_server() as server:
        run(server, papers, tmp_path / "run", limit=2)
        before, spent = views(tmp_path / "run"), asked(server)
        held = RunLock(tmp_path / "run")
        held.acquire()
        with pytest.raises(generator.StoreFault, match="another run"):
            run(server, papers, tmp_path / "run")
        assert asked(server) == spent
        assert views(tmp_path / "run") == before
        held.release()
        assert run(server, papers, tmp_path / "run").complete


def _edited(tmp_path: Path, recipe: str, template: str) -> Path:
    """A folder of templates in which one says a sentence more than the project's own."""
    source = Path(generator.__path__[0]).parent / "prompts" / recipe / "en" / template
    place = tmp_path / "templates" / recipe / "en"
    place.mkdir(parents=True)
    (place / template).write_text("Be precise.\n" + source.read_text(encoding="utf-8"))
    return tmp_path / "templates"


@pytest.mark.parametrize(
    ("recipe", "changed", "expected"),
    [
        pytest.param(ONE_CALL, {}, 0, id="nothing"),
        pytest.param(ONE_CALL, {"sampling": {"writer": {"temperature": 0.0}}}, ITEMS,
                     id="temperature 0"),
        pytest.param(ONE_CALL, {"sampling": {"writer": {"max_tokens": 1499}}}, ITEMS, id="the cap"),
        pytest.param(ONE_CALL, {"seed": 0}, ITEMS, id="seed 0"),
        pytest.param(ONE_CALL, {"prompts": "plain.jinja"}, ITEMS, id="the prompt"),
        # The bot's instruction is a system message; summary and first question stay as they were.
        pytest.param(SELF_PLAY, {"prompts": "bot.jinja", "limit": 1}, 4, id="a system prompt"),
    ],
)  # fmt: skip
def test_an_answer_is_taken_over_only_for_the_very_same_request(
    papers: Path, tmp_path: Path, recipe: str, changed: dict[str, Any], expected: int
) -> None:
    limit = {"limit": changed["limit"]} if "limit" in changed else {}
    if "prompts" in changed:
        changed = {**changed, "prompts": _edited(tmp_path, recipe, changed["prompts"])}
    with fake_server() as server:
        run(server, papers, tmp_path / "run", recipe=recipe, **limit)
        spent = asked(server)
        branch = {"branch": tmp_path / "run", **changed}
        result = run(server, papers, tmp_path / "other", recipe=recipe, **branch)
        new = asked(server) - spent
    assert result.complete
    assert new == expected if recipe == ONE_CALL else expected <= new < 9


def test_another_server_is_asked_anew(papers: Path, tmp_path: Path) -> None:
    with fake_server() as one, fake_server() as two:
        run(one, papers, tmp_path / "run")
        run(two, papers, tmp_path / "other", branch=tmp_path / "run")
        assert asked(two) == ITEMS


@pytest.mark.parametrize("fault", ["length", "refusal", "content_empty"])
def test_what_was_no_good_answer_is_never_taken_over(
    papers: Path, tmp_path: Path, fault: str
) -> None:
    with fake_server(f"{fault}=0.5") as server:
        run(server, papers, tmp_path / "run")
        spent = asked(server)
        run(server, papers, tmp_path / "other", branch=tmp_path / "run")
        bad = len(first_reasons(tmp_path / "run"))
        assert 0 < bad < ITEMS
        assert asked(server) - spent == bad


def test_a_run_directory_may_be_moved_and_its_answers_go_with_it(
    papers: Path, tmp_path: Path
) -> None:
    with fake_server() as server:
        run(server, papers, tmp_path / "run", limit=3)
        shutil.move(tmp_path / "run", tmp_path / "elsewhere")
        run(server, papers, tmp_path / "elsewhere")
        assert asked(server) == ITEMS
    store = open_store(tmp_path / "elsewhere")
    assert store.counts()["accepted"] == ITEMS
    store.close()
