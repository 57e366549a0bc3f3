"""What-if over a finished run: seconds until the exact result, for changes of each kind.

Give a run directory made by an earlier call to use it again: `whatif.py DIR [COUNT]`.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from stored_run import make_run

from generator.whatif import JudgingChanges, WhatIfProgress, what_if

COUNT = 100_000
CHANGES: dict[str, dict[str, Any]] = {
    "a threshold wider (max_echo 0.7)": {"filters": {"max_echo": 0.7}},
    "a threshold narrower (min_grounding 0.9)": {"filters": {"min_grounding": 0.9}},
    "a threshold that moves most (max_answer_tokens 20)": {"filters": {"max_answer_tokens": 20}},
    "filters off (loop, echo)": {"filters": {"off": ["loop", "echo"]}},
    "a label more (Digest:)": {"words": {"summary_labels": ["Digest"]}},
    "a pattern more": {"words": {"patterns": [r"person:reviewer \d+"]}},
    "more pairs (min_pairs 5)": {"filters": {"min_pairs": 5}},
    "a measure that is not stored (max_run_tokens 6)": {"filters": {"max_run_tokens": 6}},
    "the other parser": {"parser": "original"},
}


def main(folder: Path, count: int) -> None:
    run = folder / "run"
    if not run.exists():
        start = time.perf_counter()
        make_run(run, count)
        print(f"made {count:,} judged candidates in {time.perf_counter() - start:.0f} s")
    for name, change in CHANGES.items():
        told: list[tuple[float, WhatIfProgress]] = []

        def note(progress: WhatIfProgress, told: list[tuple[float, WhatIfProgress]] = told) -> None:
            told.append((time.perf_counter(), progress))

        start = time.perf_counter()
        result = what_if(run, JudgingChanges(**change), progress=note)
        took = time.perf_counter() - start
        estimates = [at - start for at, one in told if one.phase == "reading" and one.done]
        print(
            f"{name:52} {took:6.2f} s  {result.moved:7,} move  {result.reread:7,} read again  "
            + (f"estimate after {estimates[0]:.1f} s" if estimates else "no estimate needed")
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the asking process {peak:.0f} MB")


if __name__ == "__main__":
    size = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), size)
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made), size)
