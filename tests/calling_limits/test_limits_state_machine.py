"""Any order of starts, answers, 429s, faults and cancellations, against a model of the limits."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from generator.calling.endpoint_limits import EndpointLimits, LimitSettings, Permit

LIMITS = st.one_of(st.none(), st.integers(1, 40))
WORDS = st.one_of(st.none(), st.floats(0.0, 4000.0))


class LimitsMachine(RuleBasedStateMachine):
    """Virtual requests in virtual time over the pure limits of one endpoint."""

    @initialize(concurrency=st.integers(1, 40), rpm=LIMITS, tpm=LIMITS)
    def open(self, concurrency: int, rpm: int | None, tpm: int | None) -> None:
        self.settings = LimitSettings(concurrency, rpm, tpm)
        self.now = 0.0
        self.limits = EndpointLimits(self.settings, now=self.now)
        self.flying: list[Permit] = []
        self.starts: list[tuple[float, int]] = []

    @rule(seconds=st.floats(0.0, 100.0))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(tokens=st.integers(0, 60), waited=st.booleans(), refused=st.integers(0, 2))
    def a_request_starts_if_it_may(self, tokens: int, waited: bool, refused: int) -> None:
        allowed = self.limits.allowed
        blocked = self.limits.blocked(self.now, tokens, waited=waited)
        if blocked is None:
            assert len(self.flying) < allowed
            self.flying.append(self.limits.start(self.now, tokens, waited=waited, refused=refused))
            self.starts.append((self.now, tokens))
        elif blocked.why == "concurrency":
            assert len(self.flying) >= allowed
            assert blocked.delay_s is None

    @precondition(lambda self: self.flying)
    @rule(data=st.data(), tokens=st.one_of(st.none(), st.integers(0, 60)))
    def an_answer_comes(self, data: st.DataObject, tokens: int | None) -> None:
        before = self.limits.allowed
        self.limits.succeeded(self.one(data), self.now, tokens)
        assert self.limits.allowed >= before

    @precondition(lambda self: self.flying)
    @rule(data=st.data(), word=WORDS)
    def a_429_comes(self, data: st.DataObject, word: float | None) -> None:
        before, falls = self.limits.allowed, self.falls()
        permit = self.one(data)
        self.limits.rate_limited(permit, self.now, word)
        assert self.limits.allowed <= before
        if self.falls() > falls:
            # The rest of this burst must not make it fall again.
            for other in self.flying:
                assert other.generation <= permit.generation

    @precondition(lambda self: self.flying)
    @rule(data=st.data(), how=st.sampled_from(("troubled", "refused", "released")))
    def a_request_ends_otherwise(self, data: st.DataObject, how: str) -> None:
        before = self.limits.allowed
        permit = self.one(data)
        if how == "troubled":
            self.limits.troubled(permit, self.now)
        elif how == "refused":
            self.limits.refused(permit)
        else:
            self.limits.released(permit)
        assert self.limits.allowed == before

    @rule()
    def nobody_starves(self) -> None:
        """Once everything has ended, a request may start within a minute, whatever was said."""
        for permit in self.flying:
            self.limits.released(permit)
        self.flying.clear()
        blocked = self.limits.blocked(self.now, 1)
        if blocked is not None:
            assert blocked.delay_s is not None
            assert blocked.delay_s <= (8.001 if blocked.why == "429" else 60.001)
        told = self.limits.blocked(self.now, 1, waited=True)
        assert told is None or told.why in ("rpm", "tpm")
        self.now += 60.001
        assert self.limits.blocked(self.now, 10_000) is None

    @invariant()
    def no_permit_is_lost_or_made_up(self) -> None:
        if hasattr(self, "limits"):
            assert self.limits.in_flight == len(self.flying)
            assert 1 <= self.limits.allowed <= self.settings.concurrency
            assert len(self.flying) <= self.settings.concurrency

    @invariant()
    def requests_of_any_minute_keep_to_the_limit(self) -> None:
        if hasattr(self, "limits") and self.settings.rpm is not None and self.starts:
            last = self.starts[-1][0]
            assert sum(at > last - 60.0 for at, _ in self.starts) <= self.settings.rpm

    def one(self, data: st.DataObject) -> Permit:
        return self.flying.pop(data.draw(st.integers(0, len(self.flying) - 1)))

    def falls(self) -> int:
        return sum(change.why == "rate_limited" for change in self.limits.changes)


LimitsMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=50, deadline=None)
TestLimitsMachine = LimitsMachine.TestCase
