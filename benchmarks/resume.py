"""Seconds from the command to the first new request, when a run with many items done goes on.

    python benchmarks/resume.py [ITEMS ...]      default 10000 100000; 1000000 takes 20 GB of disk

A few items are run for real; the rest of the store is filled with copies of their rows under the
keys of the other inputs, so that the run on disk is what a long run would have left. Then the same
run is resumed with some inputs left, against a local server that notes when the first request came:
once for the run to see that its inputs have settled, then without and with a cap, and at last with
nothing of its files left in memory.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fast_server import MODEL, serving
from material import write_papers

from generator.inputs import iter_papers
from generator.recipes import get_recipe
from generator.recipes.model import Item
from generator.segment_items import segment_items

RECIPE = "paperpersichat-davinci"
SIZES = (10_000, 100_000)
REAL, LEFT = 200, 500
"""Items run for real, and items that are left to do."""
TIMEOUT_S = 900
NO_CAP, CAP = "none", str(10**15)
"""The most tokens in all. A cap needs to know what was spent."""
CASES = (
    ("inputs just written", NO_CAP, False),
    ("no cap", NO_CAP, False),
    ("a cap on tokens", CAP, False),
    ("no cap, files not in memory", NO_CAP, True),
)
"""What a case is called, its cap, and whether the files are read from the disk."""


def generate(papers: Path, out: Path, address: str, limit: int | None, cap: int | None) -> None:
    """Runs in a process of its own: the run, or its resumption."""
    import generator

    generator.generate(
        RECIPE, papers, out=out, model=f"openai:{MODEL}@{address}/0/v1", concurrency=100,
        limit=limit, max_tokens_total=cap, environ={},
    )  # fmt: skip


def start(
    papers: Path, out: Path, address: str, limit: str, cap: str = NO_CAP
) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, "run", papers, out, address, limit, cap])


def done_items(papers: Path, count: int) -> Iterator[tuple[int, Item]]:
    """The items that are to be done, with their places, after those that were run for real."""
    found = segment_items([str(papers)], get_recipe(RECIPE).segments)
    items = (item for item in found if isinstance(item, Item))
    for place, item in enumerate(items):
        if place >= count:
            return
        if place >= REAL:
            yield place, item


def fill(store: Path, papers: Path, count: int) -> None:
    """Copies of the real rows under the keys and places of the other items."""
    connection = sqlite3.connect(store, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = OFF")
    own = {"items": "key", "calls": "item", "verdicts": "item"}
    known: list[dict[str, list[dict[str, Any]]]] = []
    for place in range(REAL):
        key = connection.execute("SELECT key FROM items WHERE seq = ?", (place,)).fetchone()[0]
        rows = {
            table: list(
                map(dict, connection.execute(f"SELECT * FROM {table} WHERE {column} = ?", (key,)))
            )
            for table, column in own.items()
        }
        known.append(rows)
    connection.execute("BEGIN")
    for place, item in done_items(papers, count):
        for table, column in own.items():
            for row in known[place % REAL][table]:
                new = {**row, column: item.key}
                if "seq" in new:
                    new["seq"] = place
                if table == "items":
                    new |= {"id": item.id, "line": item.line, "payload": json.dumps(item.content)}
                marks = ", ".join("?" * len(new))
                connection.execute(
                    f"INSERT INTO {table} ({', '.join(new)}) VALUES ({marks})", tuple(new.values())
                )
    connection.execute("COMMIT")
    connection.close()


def forget(*paths: Path) -> None:
    """Let the system drop what it holds of the files in memory, where it can be asked to."""
    os.sync()
    for path in paths:
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def first_request(address: str, process: subprocess.Popen[bytes], since: float) -> float:
    """Seconds from `since` to the first request the server saw."""
    while time.monotonic() - since < TIMEOUT_S:
        with urllib.request.urlopen(f"{address}/stats") as response:
            first: float = json.loads(response.read())["first"]
        if first:
            return first - since
        if process.poll() is not None:
            raise SystemExit("the resumed run ended without a request")
        time.sleep(0.05)
    raise SystemExit(f"no request after {TIMEOUT_S} s")


def processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def made(papers: Path, out: Path, address: str, count: int) -> float:
    """A run with `count` items done; the processor seconds that reading its papers takes."""
    write_papers(papers, count + LEFT, sections=5, characters=1200)
    if start(papers, out, address, str(REAL)).wait():
        raise SystemExit("the first items could not be run")
    fill(out / "store.sqlite", papers, count)
    read = time.process_time()
    papers_read = sum(1 for _ in iter_papers([str(papers)]))
    assert papers_read == count + LEFT
    return time.process_time() - read


def resumed(papers: Path, out: Path, address: str, cap: str) -> tuple[float, float]:
    """Seconds to the first new request, and processor seconds of them."""
    urllib.request.urlopen(f"{address}/reset").close()
    since, cpu = time.monotonic(), processor_s()
    process = start(papers, out, address, "all", cap)
    try:
        seconds = first_request(address, process, since)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    return seconds, processor_s() - cpu


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as folder, serving() as address:
        for count in sizes:
            papers, out = Path(folder, f"papers{count}.jsonl"), Path(folder, f"run{count}")
            read = made(papers, out, address, count)
            for what, cap, cold in CASES:
                if cold:
                    forget(papers, *out.iterdir())
                seconds, cpu = resumed(papers, out, address, cap)
                print(
                    f"{count:9,} items done, {what}: {seconds:6.1f} s to the first new request, "
                    f"{cpu:.1f} of them the processor's (reading the papers alone {read:.1f})",
                    flush=True,
                )
            shutil.rmtree(out)
            papers.unlink()


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        limit = sys.argv[5]
        most = None if limit == "all" else int(limit)
        most_tokens = None if sys.argv[6] == NO_CAP else int(sys.argv[6])
        generate(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4], most, most_tokens)
    else:
        main()
