"""The bins of a measure: ranges of its values that hold about equally many rows. Pure."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from generator.inspector.bits import BLOCK

BINS = 48
_SAMPLE = 20_000

EMPTY_COLUMN = array("d", [math.nan]) * BLOCK


def bin_of(edges: Sequence[float], value: float) -> int:
    """The number of the bin that a value belongs to, from 0."""
    return bisect_right(edges, value)


def is_single(edges: Sequence[float], number: int) -> bool:
    """Whether a bin can hold but one value."""
    return 0 < number < len(edges) and math.nextafter(edges[number - 1], math.inf) == edges[number]


def choose_edges(values: Sequence[float]) -> list[float]:
    """Edges from the values there are; one that is very common gets a bin of its own."""
    step = max(1, len(values) // _SAMPLE)
    sample = sorted(values[::step])
    if not sample:
        return []
    most = max(1, len(sample) // BINS)
    edges = {sample[n] for n in range(most, len(sample), most)}
    for value, count in Counter(sample).items():
        if count >= most:
            edges |= {value, math.nextafter(value, math.inf)}
    return sorted(edges)
