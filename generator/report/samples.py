"""Samples of a run to look at, one at a time, with their raw outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.calling.prices import load_prices
from generator.run_directory import RunDirectory
from generator.store import ItemRow, RunStore, VerdictRow
from generator.views import calls_of, provenance_of, raw_texts, rejected_line


@dataclass(frozen=True, slots=True)
class Sample:
    """One judged item: its line as the views write it, and the raw outputs."""

    item: ItemRow
    verdict: VerdictRow
    raw: tuple[str, ...]
    line: Mapping[str, Any]


def rejected_samples(
    run: Path, *, code: str | None = None, stage: str | None = None, limit: int | None = None
) -> Iterator[Sample]:
    """Rejected samples in input order; `code` and `stage` match any of their reasons."""
    for sample in _samples(run):
        if sample.verdict.in_corpus or not any(
            (code is None or r["code"] == code) and (stage is None or r["stage"] == stage)
            for r in sample.verdict.all_reasons
        ):
            continue
        if limit is not None:
            if limit <= 0:
                return
            limit -= 1
        yield sample


def accepted_samples(run: Path, *, limit: int) -> Iterator[Sample]:
    """The first accepted samples, in input order."""
    for sample in _samples(run):
        if limit <= 0:
            return
        if sample.verdict.in_corpus:
            limit -= 1
            yield sample


def _samples(run: Path) -> Iterator[Sample]:
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    prices = load_prices()
    store = RunStore(directory.store, create=False, writable=False)
    try:
        for item, verdict in store.judged():
            calls = list(calls_of(store, verdict))
            origin = provenance_of(item, verdict, calls, manifest, prices)
            yield Sample(
                item,
                verdict,
                tuple(raw_texts(verdict, calls)),
                rejected_line(item, verdict, calls, origin),
            )
    finally:
        store.close()
