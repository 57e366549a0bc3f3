"""The cap on what a run may spend, in money or in tokens.

Before each attempt the most it could cost is reserved; no request is sent with
which what was spent, what is in flight and the request together could pass a
cap. When the answer is there, its real usage takes the reservation's place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from generator.calling.prices import Price, PriceTable, dollars
from generator.calling.roles import RoleBinding
from generator.calling.token_estimates import TokenEstimate, estimate_prompt
from generator.errors import BudgetReached, WrongUse
from generator.store import unpack_request
from generator.values import Message, Request, Sampling, Usage


class PastCall(NamedTuple):
    """A call of an earlier session: its SPEC, what was counted, and the packed request.

    `request` (as the store keeps it) is needed only where the usage is unknown. Where it is
    known, `calls` of one SPEC may be told together, with the sums of their tokens.
    """

    spec: str
    usage: Usage
    request: bytes | None = None
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Spending:
    """US dollars and tokens. `uncounted` calls had no known usage, price or bound."""

    cost: float = 0.0
    tokens: int = 0
    uncounted: int = 0


@dataclass(slots=True, eq=False)
class Reservation:
    """The most that one request can use; it is settled or released exactly once.

    `completion_tokens` is None when nothing bounds the answer, `price` None
    when it is unknown.
    """

    prompt_tokens: int
    completion_tokens: int | None
    price: Price | None
    ended: bool = False

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + (self.completion_tokens or 0)

    @property
    def cost(self) -> float:
        if self.price is None:
            return 0.0
        return self.price.cost(self.prompt_tokens, self.completion_tokens or 0)


class Budget:
    """Counts what a run spends, and keeps it under its caps.

    `max_cost` is in US dollars, `max_tokens_total` counts prompt and answer
    tokens; None is no cap. Raises `WrongUse` for a cap that is not positive.
    """

    def __init__(
        self,
        prices: PriceTable,
        *,
        max_cost: float | None = None,
        max_tokens_total: int | None = None,
    ) -> None:
        if max_cost is not None and not (math.isfinite(max_cost) and max_cost > 0):
            raise WrongUse(f"--max-cost must be a number of US dollars above 0, not {max_cost}")
        if max_tokens_total is not None and max_tokens_total < 1:
            raise WrongUse(f"--max-tokens-total must be at least 1, not {max_tokens_total}")
        self._prices = prices
        self._max_cost = max_cost
        self._max_tokens = max_tokens_total
        self._cost = 0.0
        self._tokens = 0
        self._uncounted = 0
        self._open = 0
        self._open_cost = 0.0
        self._open_tokens = 0

    @property
    def capped(self) -> bool:
        """Whether there is anything to keep to."""
        return self._max_cost is not None or self._max_tokens is not None

    @property
    def spent(self) -> Spending:
        """What was spent so far, earlier sessions included, without what is in flight."""
        return Spending(self._cost, self._tokens, self._uncounted)

    @property
    def in_flight(self) -> Spending:
        """The most that what is in flight can still cost."""
        return Spending(self._open_cost, self._open_tokens)

    def check(self, bindings: Iterable[RoleBinding]) -> None:
        """Raise `WrongUse`, before anything is sent, when a cap could not be kept."""
        if not self.capped:
            return
        cap = "--max-tokens-total" if self._max_cost is None else "--max-cost"
        for binding in bindings:
            backend = binding.backend
            if self._max_cost is not None and self._prices.price_of(backend.spec) is None:
                raise WrongUse(_no_price(backend.spec))
            bounded = binding.sampling.max_tokens or backend.capabilities.context_tokens
            if bounded is None:
                raise WrongUse(
                    f"{cap}: nothing bounds the length of the answers of {binding.role} "
                    f"({backend.spec}); give it with --set {binding.role}.max_tokens=N"
                )

    def add_earlier(self, calls: Iterable[PastCall]) -> None:
        """Count the calls that earlier sessions of the same run made."""
        for call in calls:
            price = self._prices.price_of(call.spec)
            if call.request is None or _complete(call.usage):
                self._count(call.usage, Reservation(0, None, price), call.calls)
            else:
                self._count(call.usage, _bound(_unpacked(call.request), price, None))

    def reserve(
        self,
        spec: str,
        request: Request,
        *,
        context_tokens: int | None = None,
        estimate: TokenEstimate | None = None,
    ) -> Reservation | None:
        """Set aside the most that the request can use; None when it has no room beside the others.

        `context_tokens` bounds an answer without `max_tokens`, `estimate` is that
        of the prompt where it is known already. Raises `BudgetReached` when the request
        could pass a cap though nothing else were in flight, and `WrongUse` when a cap is
        set that cannot be kept (`check` finds that out earlier).
        """
        wanted = _bound(request, self._prices.price_of(spec), context_tokens, estimate)
        if self._max_cost is not None and wanted.price is None:
            raise WrongUse(_no_price(spec))
        if self.capped and wanted.completion_tokens is None:
            raise WrongUse(
                f"{spec}: nothing bounds the answer, so no cap can be kept; set max_tokens"
            )
        self._refuse_beyond_cap(wanted)
        if self._beyond_cost(wanted, self.in_flight) or self._beyond_tokens(wanted, self.in_flight):
            return None
        self._open += 1
        self._open_cost += wanted.cost
        self._open_tokens += wanted.tokens
        return wanted

    def settle(self, reservation: Reservation, usage: Usage) -> None:
        """An answer came: count its usage, and the most it can be where it is unknown."""
        self.release(reservation)
        self._count(usage, reservation)

    def release(self, reservation: Reservation) -> None:
        """No answer came, and nothing is counted."""
        if reservation.ended:
            raise RuntimeError("a reservation was ended twice")
        reservation.ended = True
        self._open -= 1
        self._open_tokens -= reservation.tokens
        # Sums of floats drift: nothing in flight is exactly nothing.
        self._open_cost = max(0.0, self._open_cost - reservation.cost) if self._open else 0.0

    def _count(self, usage: Usage, bound: Reservation, calls: int = 1) -> None:
        prompt = bound.prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens
        completion = usage.completion_tokens
        if completion is None:
            completion = bound.completion_tokens
        counted = completion is not None and (usage.prompt_tokens is not None or prompt > 0)
        if not counted or bound.price is None:
            self._uncounted += calls
        self._tokens += prompt + (completion or 0)
        if bound.price is not None:
            cached = usage.cached_prompt_tokens or 0
            self._cost += bound.price.cost(prompt, completion or 0, cached)

    def _beyond_cost(self, wanted: Reservation, beside: Spending) -> bool:
        return (
            self._max_cost is not None and self._cost + beside.cost + wanted.cost > self._max_cost
        )

    def _beyond_tokens(self, wanted: Reservation, beside: Spending) -> bool:
        tokens = self._tokens + beside.tokens + wanted.tokens
        return self._max_tokens is not None and tokens > self._max_tokens

    def _refuse_beyond_cap(self, wanted: Reservation) -> None:
        flying, nothing = self.in_flight, Spending()
        if self._beyond_cost(wanted, nothing):
            raise BudgetReached(
                f"the next request could pass --max-cost {dollars(self._max_cost or 0.0)}: "
                f"{dollars(self._cost)} spent, up to {dollars(flying.cost)} in flight, up to "
                f"{dollars(wanted.cost)} for this one. To go on, run the same command with a "
                "higher --max-cost."
            )
        if self._beyond_tokens(wanted, nothing):
            raise BudgetReached(
                f"the next request could pass --max-tokens-total {self._max_tokens:,}: "
                f"{self._tokens:,} tokens spent, up to {flying.tokens:,} in flight, up to "
                f"{wanted.tokens:,} for this one. To go on, run the same command with a higher "
                "--max-tokens-total."
            )


def _bound(
    request: Request,
    price: Price | None,
    context_tokens: int | None,
    estimate: TokenEstimate | None = None,
) -> Reservation:
    answer = request.sampling.max_tokens
    prompt = estimate or estimate_prompt(request)
    return Reservation(prompt.most, context_tokens if answer is None else answer, price)


def _complete(usage: Usage) -> bool:
    return usage.prompt_tokens is not None and usage.completion_tokens is not None


def _unpacked(blob: bytes) -> Request:
    stored = unpack_request(blob)
    return Request(
        messages=tuple(Message(m["role"], m["content"]) for m in stored.get("messages", ())),
        prompt=stored.get("prompt"),
        sampling=Sampling(max_tokens=stored["sampling"]["max_tokens"]),
    )


def _no_price(spec: str) -> str:
    return (
        f"--max-cost: the price of {spec} is unknown, so the cap could not be kept; give it with "
        '--prices FILE, where FILE holds {"' + spec.replace('"', "") + '": '
        '{"input": USD, "output": USD}} in US dollars per million tokens'
    )
