"""What a run gave, in numbers: places, skips, reasons, measures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.report.funnel import FunnelStep, funnel
from generator.report.measures import numbers
from generator.report.spread import Spread
from generator.run_directory import RunDirectory
from generator.store import ItemRow, RunStore, VerdictRow, naming_store_faults


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How often a reject reason occurs: as the first of an item, and at all."""

    stage: str
    code: str
    first: int
    any: int


@dataclass(frozen=True, slots=True)
class MeasureSpread:
    """How the values of a measure spread over the accepted records; there is at least one."""

    name: str
    spread: Spread

    @property
    def count(self) -> int:
        return self.spread.count

    @property
    def low(self) -> float:
        return self.spread.low

    @property
    def mean(self) -> float:
        return self.spread.mean

    @property
    def median(self) -> float:
        return self.spread.median

    @property
    def p95(self) -> float:
        return self.spread.quantile(0.95)

    @property
    def high(self) -> float:
        return self.spread.high


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
    def funnel(self) -> tuple[FunnelStep, ...]:
        """From the items to the accepted records, step by step."""
        return funnel(self.counts, [(r.stage, r.code, r.first) for r in self.reasons])

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


def summarise_store(
    store: RunStore,
    manifest: Mapping[str, Any],
    watch: Callable[[ItemRow, VerdictRow], None] | None = None,
) -> RunSummary:
    """The numbers of an open store, in one pass, with memory for the codes alone.

    `watch` is shown every judged item as it comes by. All is as of one commit, so that the
    counts add up while a run is writing.
    """
    first: Counter[tuple[str, str]] = Counter()
    present: Counter[tuple[str, str]] = Counter()
    spreads: defaultdict[str, Spread] = defaultdict(Spread)
    with store.one_moment():
        for item, verdict in store.judged():
            if watch is not None:
                watch(item, verdict)
            if verdict.in_corpus:
                for name, value in numbers(verdict.measures):
                    spreads[name].add(value)
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
            measures=tuple(MeasureSpread(name, spread) for name, spread in sorted(spreads.items())),
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
