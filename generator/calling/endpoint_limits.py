"""All limits of one endpoint (a model at a server), shared by every role that uses it. Pure.

Time is given as seconds of a monotonic clock; nothing here waits. After a burst
of 429s the endpoint is *narrow*: requests already in flight go on, new ones go
one at a time until one is answered, or until the time the server named. So a
limit that is still in force costs a few refusals, and a Retry-After of an hour
does not keep the endpoint shut for requests that would be answered. Each refusal
doubles the rest before the next try; a call that has waited as long as the
server told it to is not held back by that.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.calling.adaptive import AdaptiveConcurrency, LimitChange, starting_level
from generator.calling.refusal_pattern import RefusalPattern
from generator.calling.windows import RateWindow, Use

_FIRST_REST_S = 0.5
_LONGEST_REST_S = 8.0


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """What the user allows at one endpoint.

    `concurrency` is the most requests in flight; `rpm` and `tpm` are requests
    and tokens (prompt and answer) in any 60 seconds, None for no such limit.
    """

    concurrency: int
    rpm: int | None = None
    tpm: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("rpm", self.rpm), ("tpm", self.tpm)):
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {self.concurrency}")


@dataclass(frozen=True, slots=True)
class Blocked:
    """Why no request may start now: `concurrency`, `429`, `rpm` or `tpm`.

    `delay_s` is when to look again (seconds), None when only the end of another
    request can help.
    """

    why: str
    delay_s: float | None


@dataclass(slots=True, eq=False)
class Permit:
    """The right to one request; it ends exactly once."""

    generation: int
    probe: bool
    request: Use | None
    tokens: Use | None
    refused: int = 0
    ended: bool = False


class EndpointLimits:
    """Decides when the next request may start, and learns from how requests end."""

    def __init__(self, settings: LimitSettings, *, now: float = 0.0) -> None:
        ceiling = settings.concurrency
        self._adaptive = AdaptiveConcurrency(starting_level(ceiling), ceiling, now=now)
        self._rpm = RateWindow(settings.rpm) if settings.rpm else None
        self._tpm = RateWindow(settings.tpm) if settings.tpm else None
        self._narrow = False
        self._narrow_until: float | None = None
        self._probe: Permit | None = None
        self._rest_s = 0.0
        self._rest_until = now
        self._pattern = RefusalPattern()
        self.in_flight = 0
        self.rate_limits = 0

    @property
    def allowed(self) -> int:
        """Requests that may be in flight by the level reached so far."""
        return self._adaptive.allowed

    @property
    def changes(self) -> tuple[LimitChange, ...]:
        """The latest changes of that level, the oldest first."""
        return self._adaptive.changes

    def blocked(self, now: float, tokens: int, *, waited: bool = False) -> Blocked | None:
        """Why a request of about `tokens` tokens may not start now; None when it may.

        `waited`: its call has waited for as long as the server asked it to.
        """
        if self.in_flight >= self._adaptive.allowed:
            return Blocked("concurrency", None)
        if self._is_narrow(now):
            if self._probe is not None:
                left = None if self._narrow_until is None else self._narrow_until - now
                return Blocked("429", left)
            if now < self._rest_until and not waited:
                return Blocked("429", self._rest_until - now)
        if self._rpm is None and self._tpm is None:
            return None
        waits = [
            Blocked(why, delay)
            for why, window, amount in (("rpm", self._rpm, 1), ("tpm", self._tpm, tokens))
            if window is not None and (delay := window.delay(now, amount)) > 0
        ]
        return max(waits, key=lambda wait: wait.delay_s or 0.0, default=None)

    def start(self, now: float, tokens: int, *, waited: bool = False, refused: int = 0) -> Permit:
        """Let a request start. Raises `RuntimeError` when it is blocked."""
        permit = self.try_start(now, tokens, waited=waited, refused=refused)
        if isinstance(permit, Blocked):
            raise RuntimeError("a request was started that is not allowed now")
        return permit

    def try_start(
        self, now: float, tokens: int, *, waited: bool = False, refused: int = 0
    ) -> Permit | Blocked:
        """Let a request of about `tokens` tokens start if it may, else say why it may not.

        `refused`: so many 429s its call has met before.
        """
        blocked = self.blocked(now, tokens, waited=waited)
        if blocked is not None:
            return blocked
        permit = Permit(
            self._adaptive.generation,
            probe=self._is_narrow(now),
            request=self._rpm.take(now) if self._rpm else None,
            tokens=self._tpm.take(now, tokens) if self._tpm else None,
            refused=refused,
        )
        if permit.probe:
            self._probe = permit
        self.in_flight += 1
        return permit

    def succeeded(self, permit: Permit, now: float, tokens: int | None) -> None:
        """An answer came. `tokens` is what the server counted, None when it did not say."""
        busy = 2 * self.in_flight >= self._adaptive.allowed
        self._end(permit)
        self._correct(permit, tokens)
        self._pattern.answered(permit.refused)
        self._widen(permit)
        if busy:
            self._adaptive.on_success(now, permit.generation)

    def rate_limited(self, permit: Permit, now: float, retry_after_s: float | None) -> None:
        """A 429 came; `retry_after_s` is how long the server asked to be left alone."""
        self._end(permit)
        # What was refused used no tokens.
        self._correct(permit, 0)
        self.rate_limits += 1
        if self._pattern.foresees(permit.refused):
            # This call waits as it was told; the others have nothing to wait for.
            self._adaptive.on_blameless()
            self._open()
            return
        # A request that went alone says nothing about how many may go at once.
        new_burst = not permit.probe and self._adaptive.on_rate_limited(now, permit.generation)
        if new_burst:
            self._narrow = True
        if self._narrow:
            self._narrow_until = None if retry_after_s is None else now + retry_after_s
        if new_burst or permit.probe:
            self._rest_s = min(max(_FIRST_REST_S, 2 * self._rest_s), _LONGEST_REST_S)
            self._rest_until = now + self._rest_s

    def troubled(self, permit: Permit, now: float) -> None:
        """A 5xx, a timeout or a torn connection: the level neither grows nor falls."""
        if permit.probe:
            # It was not refused for its rate, and its own call waits before it tries again.
            self._rest_s = 0.0
            self._rest_until = now
        self._end(permit)
        self._adaptive.on_trouble(now)

    def refused(self, permit: Permit) -> None:
        """The server answered, but not this request (400, filter …): it is not overloaded."""
        self._end(permit)
        self._widen(permit)

    def released(self, permit: Permit) -> None:
        """The request was given up before its end; nothing was learned."""
        self._end(permit)

    def _widen(self, permit: Permit) -> None:
        """The server took a request that was sent after the burst: it is open again."""
        if permit.generation == self._adaptive.generation:
            self._open()

    def _open(self) -> None:
        self._narrow = False
        self._rest_s = 0.0

    def _end(self, permit: Permit) -> None:
        if permit.ended:
            raise RuntimeError("a permit was ended twice")
        permit.ended = True
        self.in_flight -= 1
        if self._probe is permit:
            self._probe = None

    def _correct(self, permit: Permit, tokens: int | None) -> None:
        if self._tpm is not None and permit.tokens is not None and tokens is not None:
            self._tpm.correct(permit.tokens, tokens)

    def _is_narrow(self, now: float) -> bool:
        if self._narrow and self._narrow_until is not None and now >= self._narrow_until:
            self._narrow = False
        return self._narrow
