"""Peak memory and speed of whole runs of scripted items, each in a process of its own.

    python benchmarks/memory.py [ITEMS ...]      default 10000 100000; 1000000 takes 30 GB of disk

The run is flat when no size needs more than 1.2 times the memory of the first, in its own process
and in the one that parses and filters beside it: a busy run starts one; like is held against like.
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
CONCURRENCY = 256  # scripted answers cost no time, so that a run waits for its disk alone
FLAT = 1.2


def one(papers: Path, script: Path, out: Path) -> None:
    """Runs in the child: a whole run; items, its peak and its reader's, its seconds, as JSON."""
    import generator

    start = time.perf_counter()
    result = generator.generate(
        "paperpersichat-davinci",
        papers,
        out=out,
        model=f"scripted:{script}",
        concurrency=CONCURRENCY,
    )
    took = time.perf_counter() - start
    uses = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    print(json.dumps([result.counts["items"], *(use.ru_maxrss / 1024 for use in uses), took]))


def peaks_of(root: Path, script: Path, size: int) -> tuple[float, float]:
    """Peak memory in MB of a run of `size` items, and of its reader (0: none); prints its line."""
    papers, out = root / "papers.jsonl", root / "run"
    write_papers(papers, size, sections=5, characters=1200)
    command = [sys.executable, __file__, "run", str(papers), str(script), str(out)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    items, peak_mb, reader_mb, took = json.loads(done.stdout)
    if items != size:
        raise SystemExit(f"{items} items instead of {size}")
    print(f"{size:9,} items  peak {peak_mb:6.0f} MB + {reader_mb:4.0f} MB  {took:7.1f} s"
          f"  {size / took:6.0f} items/s", flush=True)  # fmt: skip
    shutil.rmtree(out)
    return float(peak_mb), float(reader_mb)


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.jsonl"
        text = segment(rng)
        script.write_text(
            "".join(script_line(raw_dialogue(rng, text)) for _ in range(200)), encoding="utf-8"
        )
        peaks = [peaks_of(Path(folder), script, size) for size in sizes]
    for whose, sizes_mb in zip(("the run", "its reader"), zip(*peaks, strict=True), strict=True):
        measured = [peak_mb for peak_mb in sizes_mb if peak_mb]
        if measured:
            ratio = max(measured) / measured[0]
            flat = "flat" if ratio <= FLAT else f"not flat: more than {FLAT}"
            print(f"{whose}: most memory ÷ that of the first size {ratio:.2f} ({flat})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        one(*map(Path, sys.argv[2:]))
    else:
        main()
