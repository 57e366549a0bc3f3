"""The funnel: where the items of a query were lost, step by step. Every item is in one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.filters.codes import REJECT_CODES
from generator.inspector.query import Query
from generator.inspector.search import Search
from generator.inspector.traits import ANSWERED_STAGES, UNREAD_STAGES
from generator.store.rows import PERSON_STAGE

DIMENSIONS = (
    ("model", "model"),
    ("language", "language"),
    ("section", "section type"),
    ("paper", "paper"),
)
"""Facets that the funnel is broken down by, with what a person calls them."""

_STAGE_ORDER = ("prepare", "call", "turn", "parse", "filter", "corpus", PERSON_STAGE)
_FILTER_ORDER = {code: place for place, code in enumerate(REJECT_CODES)}


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the funnel. `left` items came through it, `lost` ended in it.

    `kind` is "stage" for the named steps (items, candidates, parsed, accepted) and "filter" for
    one reason; `left_link` and `lost_link` lead to those samples.
    """

    name: str
    kind: str
    left: int
    lost: int
    left_link: str
    lost_link: str | None
    explains: str = ""


@dataclass(frozen=True, slots=True)
class Funnel:
    """All steps in order; `judged` are the items that are neither pending nor failed."""

    items: int
    accepted: int
    judged: int
    steps: tuple[Step, ...]

    @property
    def yield_share(self) -> float | None:
        """Accepted share of the judged items; None before any was judged."""
        return self.accepted / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Slice:
    """The funnel of one value of a dimension, in short."""

    value: str
    label: str
    link: str
    samples_link: str
    items: int
    candidates: int
    parsed: int
    accepted: int
    accepted_link: str
    top_reason: str | None
    top_count: int
    top_link: str | None


def funnel_of(search: Search) -> Funnel:
    """The funnel of the rows a query finds; a filter on the outcome itself is left aside."""
    fates = {
        value.value: count for value in search.index.facet_values("fate")
        if (count := search.count("fate", value.value))
    }  # fmt: skip
    total, query = search.total, search.query
    steps = [Step("items", "stage", total, 0, query.address("/samples"), None)]
    left = total
    for place, does in (("pending", "not worked on yet"), ("failed", "the backend failed; the "
                        "next run tries again")):  # fmt: skip
        if count := fates.pop(place, 0):
            left -= count
            steps.append(_loss(query, place, left, count, does))
    accepted = fates.pop("accepted", 0)
    judged = left
    for title, reached, stages in (
        ("candidates", "answered", ANSWERED_STAGES),
        ("parsed", "parsed", UNREAD_STAGES),
        ("accepted", "accepted", frozenset[str]()),
    ):
        for fate in sorted(fates, key=_order):
            stage = fate.partition("/")[0]
            # Whatever stage a recipe of a plugin names counts as a filter.
            if stage in stages or reached == "accepted":
                count = fates.pop(fate)
                left -= count
                steps.append(_loss(query, fate, left, count, _explained(fate)))
        link = query.with_facet("reached", reached).address("/samples")
        steps.append(Step(title, "stage", left, 0, link, None))
    return Funnel(total, accepted, judged, tuple(steps))


def _loss(query: Query, fate: str, left: int, lost: int, explains: str) -> Step:
    link = query.with_facet("fate", fate).address("/samples")
    return Step(fate, "filter", left, lost, link, link, explains)


def _order(fate: str) -> tuple[int, int, str]:
    stage, _, code = fate.partition("/")
    known = _STAGE_ORDER.index(stage) if stage in _STAGE_ORDER else len(_STAGE_ORDER)
    return known, _FILTER_ORDER.get(code, len(_FILTER_ORDER)), code


def _explained(fate: str) -> str:
    code = fate.partition("/")[2]
    return REJECT_CODES[code].explanation if code in REJECT_CODES else ""


def slices(search: Search, facet: str, *, limit: int, like: str = "") -> tuple[Slice, ...]:
    """The funnel in short for each value of a dimension, the largest first."""
    index, found = search.index, []
    fates = [
        (fate.value, search.found & index.bitmap("fate", fate.value))
        for fate in index.facet_values("fate")
        if "/" in fate.value
    ]
    steps = [search.found & index.bitmap("reached", s) for s in ("answered", "parsed", "accepted")]
    for value in index.facet_values(facet, limit, like):
        rows = search.found & index.bitmap(facet, value.value)
        if not rows:
            continue
        lost = max(
            (((rows & bits).bit_count(), fate) for fate, bits in fates),
            key=lambda entry: entry[0],
            default=(0, ""),
        )
        query = search.query.with_facet(facet, value.value)
        candidates, parsed, accepted = ((rows & step).bit_count() for step in steps)
        found.append(
            Slice(
                value=value.value,
                label=value.label,
                link=query.address("/"),
                samples_link=query.address("/samples"),
                items=rows.bit_count(),
                candidates=candidates,
                parsed=parsed,
                accepted=accepted,
                accepted_link=query.with_facet("place", "accepted").address("/samples"),
                top_reason=lost[1] if lost[0] else None,
                top_count=lost[0],
                top_link=query.with_facet("fate", lost[1]).address("/samples") if lost[0] else None,
            )
        )
    return tuple(sorted(found, key=lambda s: (-s.items, s.label)))


def shares(steps: Sequence[Step], whole: int) -> list[tuple[Step, float, float]]:
    """Each step with the percent of the items that were left and lost, for a plot."""
    return [
        (step, 100 * step.left / whole if whole else 0.0, 100 * step.lost / whole if whole else 0.0)
        for step in steps
    ]
