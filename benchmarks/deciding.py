"""Seconds a person's decision takes in a run of some size, until the files are right.

Give run directories made by `whatif.py`, or none to make runs of 1,000 and 10,000 samples.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from stored_run import make_run

from generator.deciding import decide, undo, write_stale_views
from generator.run_directory import RunDirectory
from generator.store import RunStore

ROUNDS = 5


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(run: Path) -> None:
    store = RunStore(RunDirectory(run).store, create=False, writable=False)
    count = store.verdict_count()[0]
    judged = store.judged()
    keys = [item.key for item, v in judged if v.in_corpus][: 40 * ROUNDS : 40]
    store.close()
    write_stale_views(run)
    refuse = [timed(lambda key=key: decide(run, key, "refuse")) for key in keys]  # type: ignore[misc]
    back = [timed(lambda key=key: undo(run, key)) for key in keys]  # type: ignore[misc]
    decide(run, keys[0], "refuse", views=False)
    whole = timed(lambda: write_stale_views(run))
    undo(run, keys[0])
    size = sum(path.stat().st_size for path in RunDirectory(run).views) / 1e6
    print(
        f"{count:9,} samples, files of {size:6,.0f} MB: refuse {statistics.median(refuse):6.2f} s, "
        f"undo {statistics.median(back):6.2f} s; all files anew {whole:6.1f} s"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            measure(Path(name))
    else:
        with tempfile.TemporaryDirectory() as folder:
            for size in (1_000, 10_000):
                made = Path(folder) / str(size) / "run"
                made.parent.mkdir()
                make_run(made, size)
                measure(made)
