"""What a run gave, in numbers: places, skips, reasons, measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.run_directory import RunDirectory
from generator.store import RunStore, naming_store_faults


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How often a reject reason occurs: as the first of an item, and at all."""

    stage: str
    code: str
    first: int
    any: int


@dataclass(frozen=True, slots=True)
class MeasureSpread:
    """Smallest, mean and largest value of a measure over the accepted records."""

    name: str
    count: int
    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The numbers of a run. `counts` are the store's: each item is in exactly one place.

    `unfinished` says why the inputs were not worked through.
    `notes` are what backends had to change to be understood. `failures` holds, by
    code, how many items failed and the first one's message.
    """

    recipe: str
    manifest: Mapping[str, Any]
    counts: Mapping[str, int]
    skips: Mapping[str, int]
    reasons: tuple[ReasonCount, ...]
    failures: Mapping[str, tuple[int, str]]
    tokens: Mapping[str, int | None]
    measures: tuple[MeasureSpread, ...] = field(default=())
    notes: tuple[str, ...] = ()
    unfinished: str | None = None

    @property
    def adds_up(self) -> bool:
        """Accepted, rejected, failed and pending are all the items."""
        counts = self.counts
        placed = counts["accepted"] + counts["rejected"] + counts["failed"] + counts["pending"]
        return placed == counts["items"]

    @property
    def yield_share(self) -> float | None:
        """Accepted share of the judged items; None before any was judged."""
        judged = self.counts["accepted"] + self.counts["rejected"]
        return self.counts["accepted"] / judged if judged else None


def summarise(run: Path) -> RunSummary:
    """Read a run directory. Raises `WrongUse` when it is none."""
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    store = RunStore(directory.store, create=False, writable=False)
    try:
        with naming_store_faults(directory.store):
            return summarise_store(store, manifest)
    finally:
        store.close()


def summarise_store(store: RunStore, manifest: Mapping[str, Any]) -> RunSummary:
    """The numbers of an open store, in one pass, with memory for the codes alone."""
    first: Counter[tuple[str, str]] = Counter()
    present: Counter[tuple[str, str]] = Counter()
    spreads: dict[str, list[float]] = {}
    for _, verdict in store.judged():
        if verdict.in_corpus:
            _spread(spreads, verdict.measures)
            continue
        found = [(r["stage"], r["code"]) for r in verdict.all_reasons]
        first[found[0]] += 1
        present.update(set(found))
    return RunSummary(
        recipe=manifest["recipe"],
        manifest=manifest,
        counts=store.counts(),
        skips=dict(Counter(skip.code for skip in store.skips()).most_common()),
        reasons=tuple(
            ReasonCount(stage, code, first[stage, code], count)
            for (stage, code), count in sorted(
                present.items(), key=lambda entry: (-first[entry[0]], -entry[1], entry[0])
            )
        ),
        failures=_failures(store),
        tokens=store.tokens(),
        notes=store.notes(),
        unfinished=unfinished_reason(store),
        measures=tuple(
            MeasureSpread(name, int(count), low, total / count, high)
            for name, (count, total, low, high) in sorted(spreads.items())
        ),
    )


def unfinished_reason(store: RunStore) -> str | None:
    """Why the inputs were not worked through; None when they were (or the target was met)."""
    ended = store.meta("ended")
    if ended is None:
        return "the run was killed, or is still going on"
    if ended["whole"]:
        return None
    return str(ended["why"]) or None


def _failures(store: RunStore) -> dict[str, tuple[int, str]]:
    """By code: how many items failed, and what the first of them was told."""
    found: dict[str, tuple[int, str]] = {}
    for row in store.items(state="failed"):
        code, _, detail = (row.failure or "unknown").partition(": ")
        count, first = found.get(code, (0, detail))
        found[code] = (count + 1, first)
    return found


def _spread(spreads: dict[str, list[float]], measures: Mapping[str, Any]) -> None:
    for name, value in measures.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        seen = spreads.setdefault(name, [0, 0.0, value, value])
        seen[0] += 1
        seen[1] += value
        seen[2] = min(seen[2], value)
        seen[3] = max(seen[3], value)
