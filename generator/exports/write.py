"""Writing an export: one file, or a folder with one file for each part of a split."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import jsonlines

from generator.errors import WrongUse
from generator.exports import EXPORTS
from generator.exports.splits import Split
from generator.run_directory import RunDirectory, replacing
from generator.shapes import dump_record
from generator.store import RunStore


def export_run(run: Path, to: str, out: Path, split: Split | None = None) -> dict[str, int]:
    """Write the records of a run in another format; answers how many went into each file.

    With a split `out` is a folder (`train.jsonl`, …), else a file. Files appear
    whole or not at all. Raises `WrongUse` for an unknown format.
    """
    if to not in EXPORTS:
        raise WrongUse(f"--to {to}: there are {', '.join(EXPORTS)}")
    directory = RunDirectory(run)
    shape = directory.read_manifest()["shape"]
    if to == "summarization" and shape != "paperpersichat":
        raise WrongUse(f"--to summarization: the records of this run ({shape}) have no summary")
    names = ["all"] if split is None else [name for name, _ in split.parts]
    counts = Counter(dict.fromkeys(names, 0))
    store = RunStore(directory.store, create=False, writable=False)
    with ExitStack() as stack:
        stack.callback(store.close)
        try:
            (out.parent if split is None else out).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUse(f"--out {out}: cannot be made ({error.strerror})") from None
        paths = {n: out if split is None else out / f"{n}.jsonl" for n in names}
        writers = {
            name: jsonlines.Writer(stack.enter_context(replacing(path)), dumps=dump_record)
            for name, path in paths.items()
        }
        for paper_id, record in EXPORTS[to](store):
            name = "all" if split is None else split.part_of(paper_id)
            writers[name].write(record)
            counts[name] += 1
    return dict(counts)
