"""This project and its peers, in one run, on one machine, against one local server.

    python benchmarks/compare.py            all cells, about 40 minutes; writes benchmarks/README.md
    python benchmarks/compare.py --quick    one cell of each work, about 3 minutes; writes nothing

Each tool runs in an environment of its own, made on demand and kept under --envs. Each makes the
same dialogues from the same texts with the same prompts; what it wrote is checked, and the server
counts the calls. Nothing but loopback is spoken to, once the environments are there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from comparison_table import Cell, Comparison, Measured, around, markdown, number, write_into
from fast_server import serving
from peer_environments import Environment, environment
from peer_list import CALLS, PEERS, SELFPLAY, SINGLE, Peer
from peers.adapter import WARM_UP, WARM_UP_FIRST
from served_answers import numbered_text, texts_and_dialogues

from generator.calling.open_files import ensure_open_files

FOLDER = Path(__file__).resolve().parent
README = FOLDER / "README.md"
CELLS = tuple(
    Cell(work, latency_ms, concurrency)
    for work in (SINGLE, SELFPLAY)
    for latency_ms, concurrency in ((200, 1), (200, 10), (200, 100), (200, 1000), (0, 100))
)
QUICK_CELLS = tuple(Cell(work, 200, 100) for work in (SINGLE, SELFPLAY))
ROUNDS = 3
ROUND_S, LONG_ROUND_S, LONG_FROM = 3.0, 8.0, 100
"""Seconds a round is meant to take; longer from so many in flight, where its first and its last
wave, which are not full, would weigh more than they do in the work of a user."""
MOST_S = 10.0
"""Seconds a round may take so that there are as many dialogues as may be in flight."""
TIMEOUT_S = 300


def usual_round_s(cell: Cell) -> float:
    """Seconds that a round of this cell is meant to take."""
    return LONG_ROUND_S if cell.latency_ms and cell.concurrency >= LONG_FROM else ROUND_S


def dialogues(peer: Peer, cell: Cell, round_s: float) -> int:
    """How many dialogues make a round of about `round_s`, by the peer's likely pace."""
    rate = peer.pace / CALLS[cell.work]
    if cell.ideal is not None:
        rate = min(rate, cell.ideal)
    enough = rate * round_s
    if cell.latency_ms:  # A tool that is slow gets fewer than may be in flight, which helps it.
        enough = max(enough, min(cell.concurrency, rate * min(MOST_S, 2.5 * round_s)))
    if enough > cell.concurrency:  # Whole waves: no tool waits for a half-empty last one.
        return round(enough / cell.concurrency) * cell.concurrency
    return max(2, round(enough))


def forecast_s(
    peers: Sequence[Peer], cells: Sequence[Cell], rounds: int, shorter_s: float | None
) -> float:
    """Seconds the whole comparison takes on a quiet machine, with 8 s to start each tool."""
    total = 0.0
    for peer in peers:
        for cell in cells:
            round_s = shorter_s or usual_round_s(cell)
            calls = dialogues(peer, cell, round_s) * CALLS[cell.work]
            one = max(calls / peer.pace, calls * cell.latency_ms / 1000 / cell.concurrency)
            total += 8 + min(rounds * one, max(one, rounds * round_s))
    return total


def measure(
    peer: Peer,
    found: Environment,
    cell: Cell,
    address: str,
    count: int,
    rounds: int,
    round_s: float,
) -> Measured:
    """Run the peer's script for one cell, in a process group of its own that ends in time."""
    with tempfile.TemporaryDirectory(
        prefix="dialogsmith-compare-", ignore_cleanup_errors=True
    ) as folder:
        scratch = Path(folder)
        texts = scratch / "texts"
        texts.mkdir()
        for turn in range(rounds):
            write_texts(texts / str(turn), turn * count, count)
        write_texts(texts / "warm-up", WARM_UP_FIRST, WARM_UP)
        command = [
            str(found.python), str(FOLDER / "peers" / f"{peer.script}.py"),
            "--work", cell.work, "--base-url", f"{address}/{cell.latency_ms}/v1",
            "--concurrency", str(cell.concurrency), "--dialogues", str(count),
            "--rounds", str(rounds), "--enough-s", str(rounds * round_s * 5 / 6),
            "--texts", str(texts), "--scratch", str(scratch / "made"),
        ]  # fmt: skip
        with (scratch / "errors").open("w+") as errors:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=scratch,
                env=offline(scratch), start_new_session=True,
            )  # fmt: skip
            late = False
            try:
                said, _ = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                late = True
                said = _end(process)
            except BaseException:
                _end(process)
                raise
            errors.seek(0)
            last = [line.strip() for line in errors if line.strip()][-1:]
    made = [json.loads(line) for line in said.splitlines()]
    faults = [each["fault"] for each in made if each["fault"]]
    if late or process.returncode:
        ended = f"not done after {TIMEOUT_S} s" if late else f"exit code {process.returncode}"
        faults.append(f"{ended}: {' '.join(last)[:160]}")
    return Measured(made, "; ".join(faults[:2]))


def _end(process: subprocess.Popen[str]) -> str:
    """End the process and those it started; what it had said by then."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return process.communicate()[0]


def write_texts(path: Path, first: int, count: int) -> None:
    """The texts of a round, no two alike in any, so that no tool can answer from a cache."""
    texts = texts_and_dialogues()
    with path.open("w", encoding="utf-8") as file:
        for at in range(first, first + count):
            file.write(json.dumps({"number": at, "text": numbered_text(at, texts)}) + "\n")


def offline(home: Path) -> dict[str, str]:
    """The environment of a tool: its own home, and nothing to be fetched or reported."""
    kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    return {
        **kept,
        "HOME": str(home),
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
    }


def compare(
    peers: Sequence[Peer],
    cells: Sequence[Cell],
    *,
    envs: Path,
    install: bool = True,
    rounds: int = ROUNDS,
    shorter_s: float | None = None,
) -> Comparison:
    """Every tool in every cell, the tools of a cell one after the other.

    `shorter_s`: seconds a round is meant to take, instead of the usual.
    """
    ensure_open_files(2 * max(cell.concurrency for cell in cells))
    made = Comparison(peers=peers, cells=cells)
    busy = os.getloadavg()[0]
    found = {peer.name: environment(peer.requirements, envs, install=install) for peer in peers}
    for name, place in found.items():
        made.versions[name] = place.versions
        if place.absent:
            made.absent[name] = place.absent
            print(f"{name}: {place.absent}", flush=True)
    minutes = (
        forecast_s([p for p in peers if p.name not in made.absent], cells, rounds, shorter_s) / 60
    )
    print(f"about {minutes:.0f} minutes on a quiet machine", flush=True)
    with serving() as address:
        for cell in cells:
            print(f"{cell.work}, {cell.latency_ms} ms, {cell.concurrency} at once", flush=True)
            round_s = shorter_s or usual_round_s(cell)
            for peer in peers:
                if peer.name in made.absent:
                    continue
                count = dialogues(peer, cell, round_s)
                got = measure(peer, found[peer.name], cell, address, count, rounds, round_s)
                made.figures[peer.name, cell] = got
                print(f"  {peer.name:40}{_line(got)}", flush=True)
    made.taken = _taken(busy)
    return made


def _line(got: Measured) -> str:
    if not got.rounds:
        return got.fault
    return (
        f"{number(got.dialogues_a_second):>8} dialogues/s {number(got.calls_a_second):>8} calls/s "
        f"{number(got.cpu_s_a_thousand):>6} CPU s per 1,000  {got.median('peak_mb'):6.0f} MB  "
        f"{len(got.rounds)} rounds  {got.fault}"
    )


def _taken(busy: float) -> str:
    """Date and machine, and how busy it was before: other programs slow down what is measured."""
    now = datetime.datetime.now(datetime.UTC)
    return (
        f"Taken on {now:%Y-%m-%d} with {os.cpu_count()} cores ({platform.machine()}), "
        f"{platform.system()}, Python {platform.python_version()}; load average before it "
        f"{busy:.1f}{' (**busy with other work: figures that vary**)' * (busy > 1)}."
    )


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one cell of each work, one round")
    parser.add_argument("--only", nargs="+", metavar="SCRIPT", help="these tools only, and ours")
    parser.add_argument("--work", nargs="+", choices=(SINGLE, SELFPLAY))
    parser.add_argument("--latency", nargs="+", type=int, metavar="MS")
    parser.add_argument("--concurrency", nargs="+", type=int, metavar="N")
    parser.add_argument("--no-install", action="store_true", help="measure what is there")
    parser.add_argument(
        "--envs", type=Path, default=Path.home() / ".cache" / "dialogsmith-benchmarks"
    )
    parser.add_argument("--readme", type=Path, help="where the tables go (a whole run: README.md)")
    chosen = parser.parse_args(given)
    known = {peer.script for peer in PEERS}
    if chosen.only and (unknown := set(chosen.only) - known):
        parser.error(f"--only {' '.join(unknown)}: there are {', '.join(sorted(known))}")
    peers = [peer for peer in PEERS if not chosen.only or peer.script in {"ours", *chosen.only}]
    cells = [
        cell
        for cell in (QUICK_CELLS if chosen.quick else CELLS)
        if (not chosen.work or cell.work in chosen.work)
        and (not chosen.latency or cell.latency_ms in chosen.latency)
        and (not chosen.concurrency or cell.concurrency in chosen.concurrency)
    ]
    if not cells:
        parser.error("no cell is left to measure")
    whole = len(peers) == len(PEERS) and tuple(cells) == CELLS
    readme = chosen.readme or (README if whole else None)
    if readme is not None:
        try:
            around(readme)  # Before the work, not after it.
        except (OSError, ValueError) as fault:
            parser.error(str(fault))
    begun = time.monotonic()
    made = compare(
        peers,
        cells,
        envs=chosen.envs,
        install=not chosen.no_install,
        rounds=1 if chosen.quick else ROUNDS,
        shorter_s=1.5 if chosen.quick else None,
    )
    if readme is None:
        print(f"\n{markdown(made)}")
    else:
        write_into(readme, markdown(made))
        print(f"the tables are in {readme}")
    print(f"took {(time.monotonic() - begun) / 60:.1f} minutes")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
