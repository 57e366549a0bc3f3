"""The way of the items through a run: how many are left after each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

BEFORE_PARSING = ("prepare", "call")
PARSING = ("turn", "parse")


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One step: how many items it took away, and how many are left after it.

    `kind` is "start", "open" (failed or pending items, which no verdict was passed on),
    "step" (several reasons together), "reason" (one reason of a filter or of the corpus)
    or "end".
    """

    name: str
    kind: str
    dropped: int
    left: int


def funnel(
    counts: Mapping[str, int], first: Iterable[tuple[str, str, int]]
) -> tuple[FunnelStep, ...]:
    """The steps from all items to the accepted ones; each item is taken away once, by its
    first reason, so that `left` goes down to the accepted count.

    `counts` are those of a store, `first` holds (stage, code, items with it as first reason).
    """
    by_reason = [entry for entry in first if entry[2]]
    left = counts["items"]
    steps = [FunnelStep("items", "start", 0, left)]

    def drop(name: str, kind: str, dropped: int) -> None:
        nonlocal left
        left -= dropped
        steps.append(FunnelStep(name, kind, dropped, left))

    drop("candidates", "open", counts["failed"] + counts["pending"])
    for name, stages in (("answered", BEFORE_PARSING), ("parsed", PARSING)):
        drop(name, "step", sum(n for stage, _, n in by_reason if stage in stages))
    later = [e for e in by_reason if e[0] not in BEFORE_PARSING + PARSING]
    for stage, code, dropped in sorted(later, key=lambda e: (_LATE.get(e[0], 0), -e[2], e[:2])):
        drop(f"{stage}/{code}", "reason", dropped)
    steps.append(FunnelStep("accepted", "end", 0, left))
    return tuple(steps)


_LATE = {"filter": 0, "corpus": 1, "person": 2}
