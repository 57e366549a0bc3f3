"""What a run will ask, use, cost and take: a pure forecast from a few rendered prompts.

The range goes from the least tokens the prompts can have with short answers to
the most they can have with every answer at its limit. Retries, answers that are
already stored and items that stop early are not in it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generator.calling.prices import Price, PriceTable, dollars
from generator.calling.token_estimates import estimate_prompt
from generator.calling.windows import PERIOD_S
from generator.values import Request


@dataclass(frozen=True, slots=True)
class RoleSample:
    """What one role asked for a few items.

    `requests` are the role's requests of `items` sample items together (a
    self-play role asks several times an item); `typical_answer_tokens` is the
    usual length of its answers, None when unknown.
    """

    role: str
    spec: str
    requests: Sequence[Request]
    items: int = 1
    typical_answer_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`; `high` is None when nothing bounds it."""

    low: float
    high: float | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a run. `cost` (US dollars) and `seconds` are None when unknown.

    `unpriced` are the SPECs without a known price; `concurrency` is what
    `seconds` was reckoned with, and `window_seconds` what `--rpm` and `--tpm` take at least.
    """

    items: int
    calls: int
    prompt_tokens: Span
    completion_tokens: Span
    cost: Span | None
    seconds: float | None
    concurrency: int
    window_seconds: float = 0.0
    unpriced: tuple[str, ...] = ()
    prices_as_of: str | None = None

    def describe(self) -> str:
        """Five lines for the terminal."""
        lines = [
            f"calls:          {self.calls:,} for {self.items:,} items",
            f"prompt tokens:  {_tokens(self.prompt_tokens)}",
            f"answer tokens:  {_tokens(self.completion_tokens)}",
            f"cost:           {self._cost()}",
        ]
        lines.append(f"time:           {self._time()}")
        return "\n".join(lines)

    def _time(self) -> str:
        if self.window_seconds and self.window_seconds >= (self.seconds or 0.0):
            return f"at least {_duration(self.window_seconds)} at the given --rpm or --tpm"
        if self.seconds is None:
            return "unknown (no call was timed yet)"
        return f"about {_duration(self.seconds)} with {self.concurrency:,} requests at once"

    def _cost(self) -> str:
        if self.cost is None:
            names = ", ".join(self.unpriced)
            return f"unknown (no price for {names}; --prices FILE gives one)"
        if self.cost.high is None:
            text = f"at least {dollars(self.cost.low)} (without max_tokens there is no upper bound)"
        elif self.cost.high == self.cost.low:
            text = dollars(self.cost.low)
        else:
            text = f"{dollars(self.cost.low)} to {dollars(self.cost.high)}"
        return text if self.prices_as_of is None else f"{text}, prices as of {self.prices_as_of}"


def forecast(
    items: int,
    roles: Sequence[RoleSample],
    prices: PriceTable,
    *,
    concurrency: int,
    mean_latency_s: float | None = None,
    rpm: int | None = None,
    tpm: int | None = None,
) -> Forecast:
    """Forecast a run of `items` items from a sample of what its roles ask.

    `rpm` and `tpm` (requests and tokens a minute of each endpoint) may take longer than the
    answers do.

    Raises `ValueError` when items are negative, concurrency is below 1, or a
    sample was taken from no item.
    """
    if items < 0 or concurrency < 1 or any(sample.items < 1 for sample in roles):
        raise ValueError("a forecast needs items >= 0, concurrency >= 1, and samples of an item")
    parts = [_part(items, sample, prices.price_of(sample.spec)) for sample in roles]
    calls = math.ceil(math.fsum(part.calls for part in parts))
    unpriced = dict.fromkeys(s.spec for s in roles if prices.price_of(s.spec) is None)
    costs = [part.cost for part in parts if part.cost is not None]
    dates = [p.as_of for s in roles if (p := prices.price_of(s.spec)) is not None and p.as_of]
    return Forecast(
        items=items,
        calls=calls,
        prompt_tokens=_sum([part.prompt for part in parts]),
        completion_tokens=_sum([part.completion for part in parts]),
        cost=None if unpriced else _sum(costs),
        seconds=None if mean_latency_s is None else math.ceil(calls / concurrency) * mean_latency_s,
        window_seconds=_in_windows(roles, parts, rpm, tpm),
        concurrency=concurrency,
        unpriced=tuple(unpriced),
        prices_as_of=min(dates, default=None),
    )


def _in_windows(
    roles: Sequence[RoleSample], parts: Sequence[_Part], rpm: int | None, tpm: int | None
) -> float:
    """Seconds that the limits of a minute take; the first minute's worth goes at once."""
    calls: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for sample, part in zip(roles, parts, strict=True):
        calls[sample.spec] += math.ceil(part.calls)
        tokens[sample.spec] += math.ceil(part.prompt.low + part.completion.low)
    waits = [
        PERIOD_S * ((max(used.values(), default=0) - 1) // limit)
        for used, limit in ((calls, rpm), (tokens, tpm))
        if limit is not None
    ]
    return max(0.0, *waits, 0.0)


@dataclass(frozen=True, slots=True)
class _Part:
    calls: float
    prompt: Span
    completion: Span
    cost: Span | None


def _part(items: int, sample: RoleSample, price: Price | None) -> _Part:
    factor = items / sample.items
    estimates = [estimate_prompt(request) for request in sample.requests]
    least = factor * sum(estimate.least for estimate in estimates)
    most = factor * sum(estimate.most for estimate in estimates)
    typical = sample.typical_answer_tokens or 0
    longest = [request.sampling.max_tokens for request in sample.requests]
    low = factor * sum(typical if most_ is None else min(typical, most_) for most_ in longest)
    bounded = [tokens for tokens in longest if tokens is not None]
    high = factor * sum(bounded) if len(bounded) == len(longest) else None
    return _Part(
        calls=factor * len(sample.requests),
        prompt=Span(least, most),
        completion=Span(low, high),
        cost=None if price is None else _cost(price, Span(least, most), Span(low, high)),
    )


def _cost(price: Price, prompt: Span, completion: Span) -> Span:
    low = price.cost(math.floor(prompt.low), math.floor(completion.low))
    if not price.input and not price.output:
        return Span(0.0, 0.0)
    if prompt.high is None or completion.high is None:
        return Span(low, None)
    return Span(low, price.cost(math.ceil(prompt.high), math.ceil(completion.high)))


def _sum(spans: Sequence[Span]) -> Span:
    highs = [span.high for span in spans if span.high is not None]
    high = math.fsum(highs) if len(highs) == len(spans) else None
    return Span(math.fsum(span.low for span in spans), high)


def _tokens(span: Span) -> str:
    if span.high is None:
        return f"at least {span.low:,.0f} (no upper bound)"
    return f"{span.low:,.0f} to {span.high:,.0f}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
