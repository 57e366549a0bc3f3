"""Wherever a run breaks off, going on from its resume point gives what reading everything gives."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from corpus import marker, paper, segment_text, write_papers, write_script
from hypothesis import given, settings
from hypothesis import strategies as st

import generator
from generator.job import run_job
from generator.progress import SilentProgress
from generator.recipes.model import Item, Skipped
from generator.run import StopSignal
from generator.segment_items import segment_items
from generator.settings import RunSettings
from generator.store import ItemRow, Registration, RunStore, SkipRow
from generator.values import Completion
from parsers.segments import SegmentRule

RECIPE = "paperpersichat-davinci"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")
RULE = SegmentRule(min_chars=8, min_sections=1)
"""Several items a paper, with a skip among them."""


def markdown(number: int) -> str:
    title = f"# On {marker(number)}"
    return f"{title}\n\n## Introduction\n\n{segment_text(number)}\n\n## Method\n\nLong.\n"


def without_skips(number: int) -> dict[str, object]:
    whole = paper(number)
    sections = whole["sections"]
    assert isinstance(sections, list)
    return {**whole, "sections": sections[:1]}


PAPERS = st.integers(0, 9)
LINES = st.one_of(
    PAPERS.map(lambda n: json.dumps(without_skips(n))),
    PAPERS.map(lambda n: json.dumps(paper(n))),
    PAPERS.map(lambda n: json.dumps([paper(n), {"no": "paper"}, paper(n + 20)])),
    st.sampled_from(["{broken", "", "[]", '{"title": 3}']),
)
CONTENTS = st.one_of(
    st.lists(LINES, min_size=1, max_size=8).map("\n".join),
    st.lists(PAPERS, min_size=1, max_size=4).map(
        lambda numbers: json.dumps([paper(n) for n in numbers], indent=1)
    ),
    PAPERS.map(markdown),
)
FILES = st.lists(
    st.tuples(CONTENTS, st.sampled_from(["whole", "gzip", "torn"])), min_size=1, max_size=4
)


def write_files(folder: Path, files: Sequence[tuple[str, str]]) -> list[str]:
    """The first file stands alone, the others in a folder."""
    (folder / "more").mkdir()
    for number, (content, how) in enumerate(files):
        data = content.encode()
        if how != "whole":
            data = gzip.compress(data, mtime=0)
        if how == "torn":
            data = data[:-12]
        (folder / ("more" if number else ".") / f"file{number}").write_bytes(data)
    return [str(folder / "file0"), *([str(folder / "more")] if len(files) > 1 else [])]


def row(met: Item | Skipped) -> ItemRow | SkipRow:
    if isinstance(met, Skipped):
        return SkipRow(0, met.source, met.line, met.id, met.code, met.detail)
    return ItemRow(met.key, 0, met.id, met.source, met.line, met.content)


def register(store: RunStore, rows: Sequence[ItemRow | SkipRow]) -> None:
    async def work() -> None:
        await store.register(Registration(rows, 0, 0, ("duplicate_input", "again")))

    asyncio.run(work())


@given(files=FILES)
@settings(deadline=None, max_examples=40)
def test_from_every_resume_point_on_stands_exactly_what_was_not_counted(
    files: list[tuple[str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = write_files(folder, files)
        rows = [row(met) for met in segment_items(inputs, RULE)]
        store = RunStore(folder / "store.sqlite", create=True)
        register(store, rows)
        count = store.counts()["items"]
        connection = sqlite3.connect(store.path, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        for first in range(2, count + 1):
            connection.execute("UPDATE items SET state = iif(seq IS ?, 'failed', 'done')", (first,))
            point = store.resume_point(1)
            if point is None:
                continue
            before = rows[: point.seq + point.ordinal]
            assert len({one.key for one in before if isinstance(one, ItemRow)}) == point.seq
            assert point.seq < first
            begin = (point.source, point.line)
            later = [row(met) for met in segment_items(inputs, RULE, begin=begin)]
            assert later == rows[len(before) :]
        connection.close()
        store.close()


class Interrupting(SilentProgress):
    """Gives up what is in flight when so many answers have come."""

    def __init__(self, answers: int) -> None:
        self.left = answers
        self.task: asyncio.Task[Any] | None = None

    def call(self, completion: Completion) -> None:
        self.left -= 1
        if self.left == 0 and self.task is not None:
            self.task.cancel()


def run_until(inputs: Sequence[str], out: Path, script: Path, answers: int) -> bool:
    """Run or resume until so many answers came; whether the run ended by itself."""
    progress = Interrupting(answers)
    chosen = RunSettings(
        recipe=RECIPE, inputs=tuple(inputs), out=out, model=f"scripted:{script}", concurrency=4
    )

    async def work() -> bool:
        progress.task = asyncio.ensure_future(
            run_job(chosen, environ={}, progress=progress, stop=StopSignal())
        )
        return not (await progress.task).interrupted

    return asyncio.run(work())


def files_of(out: Path) -> dict[str, bytes]:
    return {view: (out / view).read_bytes() for view in VIEWS}


def test_a_run_that_breaks_off_again_and_again_gives_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    lines = [
        json.dumps(paper(n)) if n % 4 else f"{{bad {n}\n{json.dumps(paper(0))}" for n in range(14)
    ]
    packed = gzip.compress("\n".join(lines).encode(), mtime=0)
    (tmp_path / "in" / "a.jsonl.gz").write_bytes(packed)
    write_papers(tmp_path / "in" / "b.jsonl", 18)
    inputs = [str(tmp_path / "in"), str(write_papers(tmp_path / "c.jsonl", 20))]
    script = tmp_path / "script.jsonl"
    write_script(script, {3: {"text": "No."}, 15: {"text": "Nor that."}}, 20)
    assert run_until(inputs, tmp_path / "whole", script, -1)
    monkeypatch.setattr("generator.run.WORTH_SKIPPING", 1)
    sessions = 1
    while not run_until(inputs, tmp_path / "run", script, 1 + sessions % 4):
        sessions += 1
    assert sessions > 5
    assert files_of(tmp_path / "run") == files_of(tmp_path / "whole")


def test_items_that_are_to_do_again_keep_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = [str(write_papers(tmp_path / "papers.jsonl", 12))]
    cut: dict[str, object] = {"text": "Summary: it", "finish_reason": "length"}
    script = tmp_path / "script.jsonl"
    write_script(script, {4: cut, 8: cut}, 12)
    assert run_until(inputs, tmp_path / "run", script, -1)
    before = files_of(tmp_path / "run")
    assert len(before["rejected.jsonl"].splitlines()) == 2
    store = RunStore(tmp_path / "run" / "store.sqlite", create=False)
    assert store.unjudge_truncated() == 2
    store.close()
    monkeypatch.setattr("generator.run.WORTH_SKIPPING", 1)
    assert run_until(inputs, tmp_path / "run", script, -1)
    assert files_of(tmp_path / "run") == before


@pytest.mark.parametrize("limit", [2, 5, 8, 9])
def test_a_limit_below_what_is_done_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12)
    write_script(tmp_path / "script.jsonl", {}, 12)
    monkeypatch.setattr("generator.run.WORTH_SKIPPING", 1)

    def run(limit: int) -> dict[str, int]:
        model = f"scripted:{tmp_path / 'script.jsonl'}"
        work = generator.generate(RECIPE, papers, out=tmp_path / "run", model=model, limit=limit)
        return dict(work.counts)

    first = run(9)
    before = files_of(tmp_path / "run")
    assert run(limit) == first
    assert files_of(tmp_path / "run") == before


@pytest.mark.skipif(sys.platform != "linux", reason="file names there are always Unicode")
def test_files_whose_names_look_alike_are_not_mixed_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, numbers in ((b"\xfd.jsonl", range(6)), (b"\xfe.jsonl", range(6, 12))):
        lines = "\n".join(json.dumps(paper(number)) for number in numbers)
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(lines, encoding="utf-8")
    script = tmp_path / "script.jsonl"
    write_script(script, {}, 12)
    assert run_until([str(folder)], tmp_path / "whole", script, -1)
    monkeypatch.setattr("generator.run.WORTH_SKIPPING", 1)
    assert not run_until([str(folder)], tmp_path / "run", script, 9)
    assert run_until([str(folder)], tmp_path / "run", script, -1)
    assert files_of(tmp_path / "run") == files_of(tmp_path / "whole")
