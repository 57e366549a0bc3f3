"""How long an answer takes: a distribution in seconds, drawn by the request's hash."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from generator.errors import WrongUse
from generator.fakeserver.draws import draw

LatencyKind = Literal["fixed", "uniform", "lognormal"]
_NORMAL = NormalDist()
_EXAMPLES = "fixed:0.2, uniform:0.1,0.5 or lognormal:0.8,0.5"


@dataclass(frozen=True, slots=True)
class Latency:
    """`fixed` (seconds), `uniform` (from, to in seconds) or `lognormal` (median seconds, sigma)."""

    kind: LatencyKind = "fixed"
    first: float = 0.0
    second: float = 0.0

    def seconds(self, seed: int, request: str) -> float:
        """The latency of the request with this hash: always the same one."""
        if self.kind == "fixed":
            return self.first
        chance = draw(seed, "latency", request)
        if self.kind == "uniform":
            return self.first + (self.second - self.first) * chance
        # inv_cdf takes neither 0 nor 1.
        spread = _NORMAL.inv_cdf(min(max(chance, 1e-12), 1 - 1e-12))
        return self.first * math.exp(self.second * spread)


def parse_latency(text: str) -> Latency:
    """Read `fixed:S`, `uniform:FROM,TO` or `lognormal:MEDIAN,SIGMA`. Raises `WrongUse`."""
    kind, _, numbers = text.strip().partition(":")
    try:
        values = [float(number) for number in numbers.split(",")]
    except ValueError:
        raise WrongUse(f"--latency {text}: write it like {_EXAMPLES}") from None
    if not all(math.isfinite(value) and value >= 0 for value in values):
        raise WrongUse(f"--latency {text}: the numbers must be 0 or more")
    if kind == "fixed" and len(values) == 1:
        return Latency("fixed", values[0])
    if kind == "uniform" and len(values) == 2:
        if values[0] > values[1]:
            raise WrongUse(f"--latency {text}: the first number is larger than the second")
        return Latency("uniform", *values)
    if kind == "lognormal" and len(values) == 2:
        return Latency("lognormal", *values)
    raise WrongUse(f"--latency {text}: write it like {_EXAMPLES}")
