"""Peak memory and speed of whole runs of scripted items, each in a process of its own."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from material import raw_dialogue, script_line, segment, write_papers

SIZES = (1_000, 10_000, 100_000)


def one(papers: Path, script: Path, out: Path) -> None:
    """Runs in the child: one whole run, then its peak memory on standard output."""
    import generator

    start = time.perf_counter()
    result = generator.generate(
        "paperpersichat-davinci", papers, out=out, model=f"scripted:{script}", concurrency=64
    )
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{result.counts['items']:8,} items  peak {peak:6.0f} MB  {took:7.1f} s  "
          f"{result.counts['items'] / took:6.0f} items/s")  # fmt: skip


def main() -> None:
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        script = root / "script.jsonl"
        text = segment(rng)
        script.write_text(
            "".join(script_line(raw_dialogue(rng, text)) for _ in range(200)), encoding="utf-8"
        )
        for size in SIZES:
            papers = root / f"papers{size}.jsonl"
            write_papers(papers, size, sections=5, characters=1200)
            subprocess.run(
                [sys.executable, __file__, str(papers), str(script), str(root / f"run{size}")],
                check=True,
            )


if __name__ == "__main__":
    if len(sys.argv) == 4:
        one(*map(Path, sys.argv[1:]))
    else:
        main()
