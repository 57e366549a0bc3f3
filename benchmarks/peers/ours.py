"""This project: a whole run, with its store, parser and filters, from papers to the line files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from adapter import MODEL, SINGLE, Work, main

import generator
from parsers.segments import SegmentRule

sys.path.append(str(Path(__file__).resolve().parent.parent))

from fast_server import write_papers

RECIPES = {"single": "paperpersichat-davinci", "selfplay": "paperpersichat-selfplay"}


def papers(work: Work) -> Path:
    return work.folder / "papers.jsonl"


def prepare(work: Work) -> None:
    write_papers(papers(work), work.dialogues, work.first * 2)


def run(work: Work) -> Iterable[Sequence[str]]:
    out = work.folder / "run"
    generator.generate(
        RECIPES[work.kind],
        papers(work),
        out=out,
        model=f"openai:{MODEL}@{work.base_url}",
        concurrency=work.concurrency,
        segments=SegmentRule(per_paper="all"),
        limit=work.dialogues,
        environ={},
    )
    return read(work, out / "dialogues.jsonl")


def read(work: Work, path: Path) -> Iterator[Sequence[str]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            said = json.loads(line)["dialogue"]
            yield [said] if work.kind == SINGLE else said.splitlines()


if __name__ == "__main__":
    main(run, prepare)
