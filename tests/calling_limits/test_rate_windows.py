"""Requests and tokens a minute: never more than the limit in any 60 seconds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.windows import RateWindow


def test_what_fits_goes_at_once_and_the_next_waits_for_the_oldest_to_leave() -> None:
    window = RateWindow(3)
    for at in (0.0, 10.0, 20.0):
        assert window.delay(at) == 0.0
        window.take(at)
    assert window.delay(30.0) == 30.0
    assert window.delay(59.0) == 1.0
    assert window.delay(60.0) == 0.0


def test_a_large_amount_waits_until_enough_has_left() -> None:
    window = RateWindow(100)
    window.take(0.0, 40)
    window.take(5.0, 40)
    assert window.delay(6.0, 20) == 0.0
    assert window.delay(6.0, 30) == 54.0
    assert window.delay(6.0, 90) == 59.0


def test_an_amount_beyond_the_limit_goes_into_an_empty_window() -> None:
    window = RateWindow(100)
    assert window.delay(0.0, 5000) == 0.0
    window.take(0.0, 10)
    assert window.delay(1.0, 5000) == 59.0
    assert window.delay(60.0, 5000) == 0.0


def test_real_usage_takes_the_place_of_the_estimate() -> None:
    window = RateWindow(100)
    use = window.take(0.0, 90)
    assert window.delay(1.0, 50) == 59.0
    window.correct(use, 30)
    assert window.delay(1.0, 50) == 0.0
    assert window.used(1.0) == 30
    window.correct(use, 150)
    assert window.delay(1.0, 1) == 59.0


def test_a_correction_after_a_minute_changes_nothing() -> None:
    window = RateWindow(100)
    old = window.take(0.0, 90)
    window.take(61.0, 10)
    window.correct(old, 5000)
    assert window.used(61.0) == 10


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        RateWindow(0)


@settings(max_examples=80, deadline=None)
@given(
    limit=st.integers(1, 50),
    steps=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 60)), max_size=60),
)
def test_no_minute_wherever_it_begins_holds_more_than_the_limit(
    limit: int, steps: list[tuple[int, int]]
) -> None:
    window = RateWindow(limit)
    now = 0.0
    taken: list[tuple[float, int]] = []
    for pause, amount in steps:
        now += pause
        delay = window.delay(now, amount)
        assert 0.0 <= delay <= 60.0
        now += delay
        assert window.delay(now, amount) == 0.0
        window.take(now, amount)
        taken.append((now, amount))
    for begin, _ in taken:
        inside = [amount for at, amount in taken if begin <= at < begin + 60.0]
        assert sum(inside) <= limit or len(inside) == 1
