"""The verdict on a candidate: reasons, measures, and the thresholds that were used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from generator.filters.settings import FilterSettings

__all__ = [
    "NOTHING_FOUND",
    "FilterResult",
    "FilterSettings",
    "Measure",
    "Reason",
    "Span",
    "Verdict",
    "only",
    "rounded",
]

Measure = float | int | str
NO_MEASURES: Mapping[str, Measure] = MappingProxyType({})
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a rejection.

    `stage` is where it was found ("call", "parse", "filter", "corpus"), `code`
    a documented word, `detail` one sentence for a reader, `span` the place in
    the raw text (code points, end exclusive) when it is known.
    """

    stage: str
    code: str
    detail: str
    span: Span | None = None

    def to_json(self) -> dict[str, object]:
        """The object that `rejected.jsonl` holds."""
        return {
            "stage": self.stage,
            "code": self.code,
            "detail": self.detail,
            "span": None if self.span is None else list(self.span),
        }


class FilterResult(NamedTuple):
    """What one filter says: its reasons (none when all is well), and what it measured."""

    reasons: tuple[Reason, ...] = ()
    measures: Mapping[str, Measure] = NO_MEASURES


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one candidate. `measures` are there whether it was accepted or not."""

    accepted: bool
    reasons: tuple[Reason, ...]
    measures: Mapping[str, Measure]


NOTHING_FOUND = FilterResult()


def only(reason: Reason) -> FilterResult:
    """A result of one reason and no measure."""
    return FilterResult((reason,))


def rounded(value: float) -> float:
    """A share as it is recorded: four decimals, so that a measure reads the same everywhere."""
    return round(value, 4)
