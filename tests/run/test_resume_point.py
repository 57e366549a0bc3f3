"""A resumed run begins to read where something is left to do, and gives the same files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import paper, write_papers, write_script

import generator
from generator.inputs import SourcedPaper, iter_papers
from generator.segment_items import segment_items
from generator.store import RunStore
from parsers.segments import SegmentRule

RECIPE = "paperpersichat-davinci"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")
ITEMS = 17


def write_mixed(folder: Path) -> list[Path]:
    """Three files: papers among bad lines and repetitions, one paper alone, and more papers."""
    folder.mkdir()
    lines: list[str] = []
    for number in range(8):
        if number % 3 == 0:
            lines += ["{broken", ""]
        lines.append(json.dumps(paper(number)))
        if number % 2 == 0:
            lines.append(json.dumps(paper(0)))
    first = folder / "a.jsonl"
    first.write_text("\n".join(lines) + "\n", encoding="utf-8")
    alone = folder / "b.json"
    alone.write_text(json.dumps(paper(100), indent=1), encoding="utf-8")
    pairs = [json.dumps([paper(n), paper(n + 50)]) for n in range(200, 204)]
    last = folder / "c.jsonl"
    last.write_text("\n".join(pairs) + "\n", encoding="utf-8")
    return [first, alone, last]


def run(inputs: list[Path], out: Path, limit: int | None = None) -> generator.RunResult:
    script = out.parent / "script.jsonl"
    if not script.exists():
        write_script(script, {5: {"text": "No."}, 202: {"text": "Summary: nothing."}}, 260)
    return generator.generate(RECIPE, inputs, out=out, model=f"scripted:{script}", limit=limit)


def files(out: Path) -> dict[str, bytes]:
    return {view: (out / view).read_bytes() for view in VIEWS}


@pytest.mark.parametrize("done", [2, 5, 8, 9, 10, 13, ITEMS])
def test_the_files_are_those_of_a_run_that_reads_everything(
    tmp_path: Path, done: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = write_mixed(tmp_path / "in")
    whole = run(inputs, tmp_path / "whole")
    assert whole.counts["items"] == ITEMS
    monkeypatch.setattr("generator.run.WORTH_SKIPPING", 1)
    run(inputs, tmp_path / "run", limit=done)
    assert run(inputs, tmp_path / "run").counts == whole.counts
    assert files(tmp_path / "run") == files(tmp_path / "whole")


def test_a_store_of_the_earlier_layout_is_resumed(tmp_path: Path) -> None:
    papers = [write_papers(tmp_path / "papers.jsonl", 12)]
    run(papers, tmp_path / "whole")
    run(papers, tmp_path / "run", limit=7)
    connection = sqlite3.connect(tmp_path / "run" / "store.sqlite")
    for table in ("items", "calls", "verdicts"):
        made = "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL"
        first, *indexes = [sql for (sql,) in connection.execute(made, (table,))]
        connection.execute(f"ALTER TABLE {table} RENAME TO kept")
        connection.execute(f"{first} WITHOUT ROWID")
        connection.execute(f"INSERT INTO {table} SELECT * FROM kept")
        connection.execute("DROP TABLE kept")
        for sql in indexes:
            connection.execute(sql)
    connection.commit()
    connection.close()
    assert run(papers, tmp_path / "run").counts["calls"] == 12
    assert files(tmp_path / "run") == files(tmp_path / "whole")


def test_what_is_done_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 30)
    run([papers], tmp_path / "run", limit=20)
    begun: list[tuple[str, int | None] | None] = []

    def told(
        inputs: list[str], rule: SegmentRule, *, begin: tuple[str, int | None] | None = None
    ) -> Iterator[object]:
        begun.append(begin)
        return segment_items(inputs, rule, begin=begin)

    monkeypatch.setattr("generator.recipes.davinci.segment_items", told)
    monkeypatch.setattr("generator.run.WORTH_SKIPPING", 10)
    run([papers], tmp_path / "run")
    assert begun == [(papers.as_posix(), 20)]


def test_a_hole_in_the_middle_is_where_reading_begins(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 12)
    run([papers], tmp_path / "run")
    store = RunStore(tmp_path / "run" / "store.sqlite", create=False)
    (key,) = [item.key for item in store.items() if item.seq == 7]
    point = store.resume_point(1)
    assert point is not None
    assert (point.line, point.seq, point.accepted) == (12, 11, 10)
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE items SET state = 'failed' WHERE key = ?", (key,))
    connection.close()
    point = store.resume_point(1)
    assert point is not None
    assert (point.line, point.seq, point.accepted) == (7, 6, 5)
    assert store.resume_point(7) is None
    store.close()


@pytest.mark.parametrize("line", [1, 2, 5, 9])
def test_reading_begins_at_a_line(tmp_path: Path, line: int) -> None:
    inputs = write_mixed(tmp_path / "in")

    def told(begin: tuple[str, int | None] | None) -> list[object]:
        return [
            (met.source, met.line, met.paper) if isinstance(met, SourcedPaper) else met
            for met in iter_papers(inputs, begin=begin)
        ]

    source = inputs[0].as_posix()
    everything = [
        (met.source, met.line if isinstance(met, SourcedPaper) else met.unread.line)
        for met in iter_papers(inputs)
    ]
    before = sum(place[0] == source and (place[1] or 0) < line for place in everything)
    assert told((source, line)) == told(None)[before:]


def test_a_source_that_is_gone_is_named(tmp_path: Path) -> None:
    inputs = write_mixed(tmp_path / "in")
    with pytest.raises(generator.WrongUse, match=r"gone\.jsonl is no longer among the inputs"):
        list(iter_papers(inputs, begin=("gone.jsonl", 3)))
