"""When a failed attempt is made again, and how long to wait before it.

The SDK's own retries are off: this is the only retry layer. A rate limit never
uses up an attempt; a server's Retry-After is honoured whatever its length. One
that says "at once" (`Retry-After: 0`, a date that is over) is believed once: a
server that goes on saying it would be asked thousands of times a second.
"""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from generator.errors import RateLimited, Retryable

Result = TypeVar("Result")

_AT_ONCE_S = 0.05
"""A wait below this is no wait: clocks and networks are no finer."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`max_attempts` counts attempts that failed for another reason than a rate limit.

    Without a Retry-After (or where it is none) the wait is full jitter: uniform between 0 and
    `first_wait_s * 2**n`, at most `longest_wait_s` (seconds).
    Raises `ValueError` for a number that is none of these.
    """

    max_attempts: int = 6
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise ValueError(f"max_attempts must be 1 or more, not {self.max_attempts}")
        for name, value in (
            ("first_wait_s", self.first_wait_s),
            ("longest_wait_s", self.longest_wait_s),
        ):
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{name} must be a number of seconds from 0, not {value}")


class CallRetries:
    """The retry state of one call: what failed so far, and what to do next."""

    def __init__(
        self, policy: RetryPolicy, rng: random.Random, closing: Callable[[], bool] = lambda: False
    ) -> None:
        self._policy = policy
        self._rng = rng
        self._closing = closing
        self.failures = 0
        self.rate_limits = 0

    @property
    def attempts(self) -> int:
        """Attempts made so far that failed, rate limits included."""
        return self.failures + self.rate_limits

    def _note(self, error: BaseException | None) -> None:
        if isinstance(error, RateLimited):
            self.rate_limits += 1
        else:
            self.failures += 1

    def _stop(self, state: tenacity.RetryCallState) -> bool:
        self._note(state.outcome.exception() if state.outcome else None)
        return self.failures >= self._policy.max_attempts or self._closing()

    def _wait(self, state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = getattr(error, "retry_after_s", None)
        if asked is not None and (asked >= _AT_ONCE_S or state.attempt_number == 1):
            return max(0.0, float(asked))
        ceiling = self._policy.first_wait_s * 2.0 ** min(state.attempt_number - 1, 30)
        return self._rng.uniform(0.0, min(ceiling, self._policy.longest_wait_s))

    async def after(
        self,
        first: Retryable,
        attempt: Callable[[], Awaitable[Result]],
        sleep: Callable[[float], Awaitable[None]],
        before_sleep: Callable[[BaseException, float], None],
    ) -> Result:
        """What comes of a call whose first attempt failed with `first`.

        Most calls need no second attempt, and setting up the machinery for one
        costs more than everything else a call does in this layer.
        """
        failed: list[Retryable] = [first]

        async def attempt_or_first() -> Result:
            if failed:
                raise failed.pop()
            return await attempt()

        return await self._controller(sleep, before_sleep)(attempt_or_first)

    def _controller(
        self,
        sleep: Callable[[float], Awaitable[None]],
        before_sleep: Callable[[BaseException, float], None],
    ) -> tenacity.AsyncRetrying:
        """A tenacity controller for exactly one call."""

        def told(state: tenacity.RetryCallState) -> None:
            error = state.outcome.exception() if state.outcome else None
            if error is not None:
                before_sleep(error, state.upcoming_sleep)

        return tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(Retryable),
            stop=self._stop,
            wait=self._wait,
            sleep=sleep,
            before_sleep=told,
            reraise=True,
        )
