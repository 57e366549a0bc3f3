"""A process that reads samples again: `python -m generator.whatif.worker`.

It is told what to do in one line of JSON on standard input, followed by places of the input
as 64-bit numbers, and answers in lines of JSON. A process of its own, rather than one of
`multiprocessing`, leaves alone the program and the threads it is started from.
"""

from __future__ import annotations

import json
import sys
from array import array
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from generator.errors import DialogsmithError
from generator.judging import reader_of_run, settings_of_run
from generator.store import RunStore
from generator.whatif.rejudging import rejudge
from prompts import TemplateProblem

BATCH = 100
"""Outcomes a line, so the steps in which progress is seen."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker has to do: read answers of a store by the settings of a manifest."""

    store: str
    manifest: dict[str, Any]

    def to_line(self) -> bytes:
        value = {"store": self.store, "manifest": self.manifest}
        return json.dumps(value).encode("ascii") + b"\n"


def work(order: Order, seqs: array[int]) -> None:
    """Answer on standard output: lists of [seq, place, fingerprint, parsed]."""
    recipe, settings = settings_of_run(order.manifest)
    reader = reader_of_run(order.manifest, recipe, settings)
    store = RunStore(Path(order.store), create=False, writable=False)
    try:
        outcomes = rejudge(store, reader, seqs)
        while batch := list(islice(outcomes, BATCH)):
            lines = [[o.seq, o.place, o.fingerprint, o.parsed] for o in batch]
            sys.stdout.write(json.dumps(lines) + "\n")
            sys.stdout.flush()
    finally:
        store.close()


def main() -> int:
    order = Order(**json.loads(sys.stdin.buffer.readline()))
    seqs = array("q")
    seqs.frombytes(sys.stdin.buffer.read())
    try:
        work(order, seqs)
    except (DialogsmithError, TemplateProblem) as error:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
