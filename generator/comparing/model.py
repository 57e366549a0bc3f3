"""What a comparison holds. `a` is the first run given, `b` the second; differences are b - a."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generator.report.spread import Spread
from generator.store import PairedItem, Place, Standing

PLACES: tuple[Place, ...] = ("accepted", "rejected", "failed", "pending")


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two runs as a whole.

    `models` is role → SPEC. `counts` are those of its store, over all its items;
    `shared` are the places of the items that the other run has as well. Tokens and
    `cost` (US dollars) are over all its calls, None where any of it is unknown.
    `unfinished` says why its inputs were not worked through.
    """

    path: Path
    recipe: str
    shape: str
    models: Mapping[str, str]
    counts: Mapping[str, int]
    shared: Mapping[str, int]
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    unfinished: str | None

    @property
    def yield_share(self) -> float | None:
        """Accepted share of the judged items among the shared ones; None when none was judged."""
        judged = self.shared["accepted"] + self.shared["rejected"]
        return self.shared["accepted"] / judged if judged else None

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "path": str(self.path), "yield": self.yield_share}


@dataclass(frozen=True, slots=True)
class ReasonPair:
    """How often a reason occurs among the shared items: as an item's first, and at all."""

    stage: str
    code: str
    first_a: int
    any_a: int
    first_b: int
    any_b: int


@dataclass(frozen=True, slots=True)
class MeasurePair:
    """One measure over the records that each run accepted among the shared items.

    `paired` items were accepted and measured in both; `paired_difference` is the mean
    of b - a over these alone, None when there is none. A `length` is counted in tokens,
    characters or turns; other measures are shares or numbers of faults.
    """

    name: str
    length: bool
    a: Spread
    b: Spread
    paired: int
    paired_difference: float | None

    @property
    def difference(self) -> float | None:
        """Difference of the two means; None when a run has no such record."""
        if not (self.a.count and self.b.count):
            return None
        return round(self.b.mean - self.a.mean, 9)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "length": self.length,
            "a": _figures(self.a),
            "b": _figures(self.b),
            "difference": self.difference,
            "paired": self.paired,
            "paired_difference": self.paired_difference,
        }


def _figures(spread: Spread) -> dict[str, Any] | None:
    if not spread.count:
        return None
    return {
        "records": spread.count,
        "mean": spread.mean,
        "median": spread.median,
        "p95": spread.quantile(0.95),
        "low": spread.low,
        "high": spread.high,
    }


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting, model or template that the two runs do not share; None where it is not set."""

    name: str
    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs in figures. All but `a.counts`, `b.counts`, tokens and cost are over `shared`.

    `moved` counts the shared items by (place in a, place in b). `other_reason` items were
    rejected by both, for different first reasons. `warnings` say in a sentence each what
    makes the figures hard to compare.
    """

    a: ComparedRun
    b: ComparedRun
    shared: int
    only_a: int
    only_b: int
    moved: Mapping[tuple[Place, Place], int]
    other_reason: int
    reasons: tuple[ReasonPair, ...]
    measures: tuple[MeasurePair, ...]
    settings: tuple[SettingDifference, ...]
    warnings: tuple[str, ...]

    @property
    def gained(self) -> int:
        """Shared items that b accepted and a did not."""
        return sum(n for (a, b), n in self.moved.items() if a != "accepted" and b == "accepted")

    @property
    def lost(self) -> int:
        """Shared items that a accepted and b did not."""
        return sum(n for (a, b), n in self.moved.items() if a == "accepted" and b != "accepted")

    @property
    def adds_up(self) -> bool:
        """Every item of each run is shared or its own, and every shared one has two places."""
        return (
            sum(self.moved.values()) == self.shared
            and self.shared + self.only_a == self.a.counts["items"]
            and self.shared + self.only_b == self.b.counts["items"]
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-ready; `moved` as a list of {a, b, items}."""
        return {
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "shared": self.shared,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "gained": self.gained,
            "lost": self.lost,
            "other_reason": self.other_reason,
            "moved": [{"a": a, "b": b, "items": n} for (a, b), n in self.moved.items()],
            "reasons": [asdict(reason) for reason in self.reasons],
            "measures": [measure.to_json() for measure in self.measures],
            "settings": [asdict(setting) for setting in self.settings],
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class SampleSide:
    """One run's sample of an item: where it stands, and all there is to look at.

    `raw` are the raw outputs as the parser saw them (spans count code points of `raw[spans_in]`).
    """

    standing: Standing
    raw: tuple[str, ...] = ()
    parsed: Mapping[str, Any] | None = None
    record: Mapping[str, Any] | None = None
    spans_in: int = 0


@dataclass(frozen=True, slots=True)
class PairedSample:
    """One item in full, as both runs have it."""

    item: PairedItem
    a: SampleSide
    b: SampleSide


def standing_json(standing: Standing) -> dict[str, Any]:
    """JSON-ready: place, reasons, measures, failure."""
    return {
        "place": standing.place,
        "reasons": [dict(reason) for reason in standing.reasons],
        "measures": dict(standing.measures),
        "failure": standing.failure,
    }


def item_json(item: PairedItem) -> dict[str, Any]:
    """JSON-ready: the item, and where it stands in either run."""
    return {
        "id": item.id,
        "item": item.key,
        "source": {"path": item.source, "line": item.line},
        "a": standing_json(item.a),
        "b": standing_json(item.b),
    }
