"""`dialogsmith --help` against a bare interpreter start, in turn."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 15


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    script = str(Path(sys.executable).with_name("dialogsmith"))
    bare, help_ = [sys.executable, "-c", "pass"], [script, "--help"]
    seconds(bare), seconds(help_)
    pairs = [(seconds(bare), seconds(help_)) for _ in range(ROUNDS)]
    print(f"bare interpreter   median {1000 * statistics.median(b for b, _ in pairs):6.1f} ms")
    print(f"dialogsmith --help median {1000 * statistics.median(h for _, h in pairs):6.1f} ms")
    print(f"ratio              median {statistics.median(h / b for b, h in pairs):6.2f}")


if __name__ == "__main__":
    main()
