"""How quick the inspector's pages are on a large run, and what memory it takes.

A made store of `--items` items is indexed by `dialogsmith inspect`, and its pages are asked for
over HTTP, each filter for the first time (nothing of it kept in memory). Prints the time of the
first index, the median of each kind of page and its processor time (which other programs on the
machine change little), and the server's memory before and after.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from made_store import MODELS, REASONS, SECTIONS, write_run

from generator.inspector.index_schema import INDEX_NAME


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=1_000_000)
    options.add_argument("--run", type=Path, help="a made run to keep and use again")
    options.add_argument("--rounds", type=int, default=15, help="pages of each kind")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run = chosen.run or Path(scratch) / "run"
        if not run.exists():
            began = time.perf_counter()
            write_run(run, chosen.items)
            print(f"store of {chosen.items:,} items made in {time.perf_counter() - began:.0f} s")
        measure(run, chosen.rounds)


def measure(run: Path, rounds: int) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "generator.cli", "inspect", str(run), "--no-open"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[1].strip("/\n"))
        began, during = time.perf_counter(), []
        while (state := json.loads(fetch(port, "/progress")[1]))["phase"] not in ("ready",):
            during.append(fetch(port, "/samples?place=rejected")[0])
            time.sleep(1)
        size = sum(p.stat().st_size for p in run.glob(f"{INDEX_NAME}*"))
        print(
            f"index of {state['counts']['items']:,} items ready after "
            f"{time.perf_counter() - began:.0f} s, {size / 1e6:,.0f} MB"
            + (f"; a page meanwhile: {statistics.median(during):.0f} ms" if during else "")
        )
        print(f"memory before: {memory(server.pid)}")
        everything: list[tuple[float, float]] = []
        for kind, addresses in kinds(random.Random(3), rounds):
            times = []
            for address in addresses:
                before = processor_ms(server.pid)
                took = fetch(port, address)[0]
                times.append((took, processor_ms(server.pid) - before))
            everything += times
            print(row(kind, times))
        print(row("all", everything))
        print(f"memory after:  {memory(server.pid)}")
    finally:
        server.terminate()
        server.wait()


def kinds(rng: random.Random, rounds: int) -> Iterator[tuple[str, list[str]]]:
    """Kinds of pages, each with addresses that were not asked for before."""

    def samples(*pairs: tuple[str, str]) -> str:
        return f"/samples?{urlencode(pairs)}"

    def code() -> tuple[str, str]:
        return "code", rng.choice(REASONS)[1]

    def number(low: float, high: float) -> str:
        return f"{rng.uniform(low, high):.4f}"

    measures = ("echo_max", "distinct_1", "loop_share", "grounding_min", "raw_chars", "seconds",
                "summary_chars", "prompt_tokens")  # fmt: skip
    n = range(rounds)
    yield "funnel", ["/" for _ in n]
    yield "funnel of a filter", [f"/?section={s}" for s in SECTIONS]
    yield "list, first page", ["/samples" for _ in n]
    places = [("place", "rejected"), ("place", "accepted"), ("stage", "parse"), ("stage", "filter")]
    yield "verdict or stage", [samples(pair) for pair in places]
    yield "reason", [samples(("code", c)) for _, c in REASONS]
    yield (
        "model, section and reason",
        [
            samples(
                ("model", f"writer={rng.choice(MODELS)}"), ("section", rng.choice(SECTIONS)), code()
            )
            for _ in n
        ],
    )
    yield (
        "language and verdict",
        [samples(("language", lang), place) for lang in ("zh", "en") for place in places[:2]],
    )
    yield "one paper", [samples(("paper", f"paper{rng.randrange(10_000)}")) for _ in n]
    yield (
        "measure range",
        [samples(("range", f"echo_max:{number(0, 0.2)}:{number(0.2, 0.6)}")) for _ in n],
    )
    yield (
        "measure range, reason, sorted by another",
        [
            samples(
                ("range", f"distinct_1:{number(0.5, 0.9)}:"),
                code(),
                ("sort", rng.choice(measures)),
                ("dir", rng.choice(("", "desc"))),
            )
            for _ in n
        ],
    )
    yield (
        "sorted by a measure",
        [samples(("sort", m)) for m in measures]
        + [samples(("sort", m), ("dir", "desc")) for m in measures],
    )
    yield (
        "page in the middle of a sorted list",
        [
            samples(("sort", "echo_max"), ("after", f"{rng.randrange(10_000)}:{number(0.05, 0.5)}"))
            for _ in n
        ],
    )
    yield "a rare word", [samples(("q", f"serial{rng.randrange(5000)}x")) for _ in n]
    yield (
        "a common word",
        [samples(("q", w)) for w in ("the", "from", "summary", "which", "person")],
    )
    yield "Chinese words", [samples(("q", w)) for w in ("缓存策略", "队列", "读数", "核")]
    yield (
        "a word, a reason, sorted",
        [
            samples(("q", f"serial{rng.randrange(5000)}x"), code(), ("sort", rng.choice(measures)))
            for _ in n
        ],
    )
    yield "one sample", [f"/sample/{rng.randrange(10_000)}" for _ in n]
    yield (
        "one sample within a sorted list",
        [f"/sample/{rng.randrange(10_000)}?sort={rng.choice(measures)}&place=rejected" for _ in n],
    )


def fetch(port: int, address: str) -> tuple[float, bytes]:
    """Milliseconds and body of one page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    began = time.perf_counter()
    connection.request("GET", address)
    answer = connection.getresponse()
    body = answer.read()
    took = 1000 * (time.perf_counter() - began)
    connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{address}: status {answer.status}")
    return took, body


def row(kind: str, times: list[tuple[float, float]]) -> str:
    """A kind of page: wall and processor time of the server, median and most."""
    wall, processor = zip(*times, strict=True)
    return (
        f"{kind:<44} median {statistics.median(wall):5.0f} ms, most {max(wall):6.0f}"
        f"   processor {statistics.median(processor):4.0f} ms, most {max(processor):5.0f}"
    )


def processor_ms(pid: int) -> float:
    """Processor time that the server has used, in milliseconds (Linux counts in hundredths)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> str:
    """Resident memory now and at its highest, as Linux counts it."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    found = dict(line.split(":", 1) for line in lines)
    return f"{found['VmRSS'].strip()} now, {found['VmHWM'].strip()} at its highest"


if __name__ == "__main__":
    main()
