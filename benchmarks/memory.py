"""Peak memory and speed of whole runs of scripted items, each in a process of its own.

    python benchmarks/memory.py [ITEMS ...]      default 10000 100000; 1000000 takes 12 GB of disk

The run is flat when no size needs more than 1.2 times the memory of the first.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from material import raw_dialogue, script_line, segment, write_papers

SIZES = (10_000, 100_000)
FLAT = 1.2


def one(papers: Path, script: Path, out: Path) -> None:
    """Runs in the child: one whole run; items, peak memory in MB and seconds on standard output."""
    import generator

    start = time.perf_counter()
    result = generator.generate(
        "paperpersichat-davinci", papers, out=out, model=f"scripted:{script}", concurrency=64
    )
    took = time.perf_counter() - start
    # Its own peak, and that of the process that reads beside it.
    uses = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    peak_mb = sum(use.ru_maxrss for use in uses) / 1024
    print(json.dumps([result.counts["items"], peak_mb, took]))


def peak_of(root: Path, script: Path, size: int) -> float:
    """Peak memory in MB of a run of `size` items; its line is printed, its files are removed."""
    papers, out = root / "papers.jsonl", root / "run"
    write_papers(papers, size, sections=5, characters=1200)
    command = [sys.executable, __file__, "run", str(papers), str(script), str(out)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    items, peak_mb, took = json.loads(done.stdout)
    if items != size:
        raise SystemExit(f"{items} items instead of {size}")
    print(f"{size:9,} items  peak {peak_mb:6.0f} MB  {took:7.1f} s  {size / took:6.0f} items/s",
          flush=True)  # fmt: skip
    shutil.rmtree(out)
    return float(peak_mb)


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.jsonl"
        text = segment(rng)
        script.write_text(
            "".join(script_line(raw_dialogue(rng, text)) for _ in range(200)), encoding="utf-8"
        )
        peaks = [peak_of(Path(folder), script, size) for size in sizes]
    ratio = max(peaks) / peaks[0]
    print(f"most memory ÷ that of {sizes[0]:,} items: {ratio:.2f} "
          f"({'flat' if ratio <= FLAT else f'not flat: more than {FLAT}'})")  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        one(*map(Path, sys.argv[2:]))
    else:
        main()
