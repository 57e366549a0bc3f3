"""A server that refuses every call as often is told from one that has a limit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.endpoint_limits import EndpointLimits, LimitSettings
from generator.calling.refusal_pattern import RefusalPattern


def rounds(pattern: RefusalPattern, times: int, count: int) -> list[bool]:
    """So many calls after one another that are refused `times` times and then answered."""
    foreseen = []
    for _ in range(count):
        foreseen += [pattern.foresees(refused) for refused in range(times)]
        pattern.answered(times)
    return foreseen


@pytest.mark.parametrize("times", [1, 2, 3])
def test_calls_that_are_all_refused_as_often_make_a_pattern(times: int) -> None:
    pattern = RefusalPattern()
    assert not any(rounds(pattern, times, 9))
    assert all(rounds(pattern, times, 8))


@pytest.mark.parametrize(
    ("ends", "kind"),
    [(0, "answered"), (2, "answered"), (1, "foresees"), (2, "foresees")],
    ids=["taken at once", "taken later", "refused when it should be taken", "refused yet again"],
)
def test_one_call_that_ends_otherwise_ends_the_pattern(ends: int, kind: str) -> None:
    pattern = RefusalPattern()
    rounds(pattern, 1, 20)
    getattr(pattern, kind)(ends)
    assert not any(rounds(pattern, 1, 8))


def test_answers_that_come_together_count_once() -> None:
    pattern = RefusalPattern()
    for _ in range(7):
        for _ in range(50):
            pattern.answered(1)
        assert not any(pattern.foresees(0) for _ in range(50))


@settings(max_examples=100, deadline=None)
@given(events=st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=60))
def test_a_call_that_met_no_429_before_its_answer_leaves_no_pattern(
    events: list[tuple[bool, int]],
) -> None:
    pattern = RefusalPattern()
    for is_answer, refused in events:
        if is_answer:
            pattern.answered(refused)
        else:
            pattern.foresees(refused)
    pattern.answered(0)
    assert not any(pattern.foresees(refused) for refused in range(4))


def refused_and_answered(limits: EndpointLimits, count: int) -> None:
    for _ in range(count):
        limits.rate_limited(limits.start(0.0, 0, waited=True), 0.0, 600.0)
        limits.succeeded(limits.start(0.0, 0, waited=True, refused=1), 0.0, None)


def test_a_refusal_that_was_to_be_expected_holds_nobody_else_back() -> None:
    limits = EndpointLimits(LimitSettings(concurrency=12))
    refused_and_answered(limits, 9)
    level = limits.allowed
    limits.rate_limited(limits.start(0.0, 0), 0.0, 600.0)
    assert limits.allowed == level
    assert limits.blocked(0.0, 0) is None


def test_a_refusal_beyond_the_pattern_is_a_burst_like_any_other() -> None:
    limits = EndpointLimits(LimitSettings(concurrency=12))
    refused_and_answered(limits, 9)
    level = limits.allowed
    limits.rate_limited(limits.start(0.0, 0, refused=1), 0.0, 600.0)
    assert limits.allowed < level
    blocked = limits.blocked(0.0, 0)
    assert blocked is not None
    assert blocked.why == "429"
