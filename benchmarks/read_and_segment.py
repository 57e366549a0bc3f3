"""scipdf papers read and cut into segments per second of processor time, on one core."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from material import write_papers

from generator.inputs import SourcedPaper, iter_papers
from parsers.segments import SegmentRule, select_segments

COUNT, ROUNDS = 500, 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "papers.jsonl"
        write_papers(path, COUNT)
        size = path.stat().st_size / COUNT
        rates = []
        for _ in range(ROUNDS):
            start = time.process_time()
            segments = 0
            for met in iter_papers([str(path)]):
                if isinstance(met, SourcedPaper):
                    segments += len(select_segments(met.paper, SegmentRule()).segments)
            rates.append(COUNT / (time.process_time() - start))
    print(f"{COUNT} papers of {size / 1000:.0f} kB, {segments} segments; {ROUNDS} rounds")
    print(f"read and segment median {statistics.median(rates):8,.0f} papers a second")


if __name__ == "__main__":
    main()
