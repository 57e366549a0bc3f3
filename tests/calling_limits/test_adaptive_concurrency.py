"""The level of concurrency: one fall a burst, a memory, slow steps beyond it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.adaptive import AdaptiveConcurrency, starting_level


def succeed(level: AdaptiveConcurrency, times: int) -> None:
    for _ in range(times):
        level.on_success(0.0, level.generation)


def fail(level: AdaptiveConcurrency) -> bool:
    return level.on_rate_limited(0.0, level.generation)


@pytest.mark.parametrize(
    ("ceiling", "start"),
    [(1, 1), (3, 3), (8, 8), (9, 8), (64, 32), (128, 64), (1000, 500)],
)
def test_a_small_ceiling_is_tried_at_once_and_a_large_one_approached(
    ceiling: int, start: int
) -> None:
    assert starting_level(ceiling) == start


def test_the_ramp_doubles_with_each_round_until_the_ceiling() -> None:
    level = AdaptiveConcurrency(8, 64)
    rounds = 0
    while level.allowed < 64:
        succeed(level, level.allowed)
        rounds += 1
    assert rounds == 3
    succeed(level, 1000)
    assert level.allowed == 64


def test_one_burst_of_429s_makes_the_level_fall_once() -> None:
    level = AdaptiveConcurrency(40, 40)
    burst = level.generation
    assert level.on_rate_limited(1.0, burst)
    assert not any(level.on_rate_limited(1.0 + n, burst) for n in range(39))
    assert level.allowed == 30
    assert level.failed_level == 40


def test_the_next_burst_makes_it_fall_again_down_to_the_floor() -> None:
    level = AdaptiveConcurrency(8, 8, floor=2)
    levels = []
    for _ in range(6):
        assert fail(level)
        levels.append(level.allowed)
    assert levels == [6, 4, 3, 2, 2, 2]


def test_steady_429s_with_an_hour_of_retry_after_never_freeze_the_level() -> None:
    # The level is not told how long a server wants to be left alone, so that cannot hold it up.
    level = AdaptiveConcurrency(32, 32)
    for second in range(20):
        level.on_rate_limited(float(second), level.generation)
    assert level.allowed == 1
    while level.allowed < 31:
        before = level.allowed
        succeed(level, 2000)
        assert level.allowed > before


def test_it_climbs_back_to_just_below_the_level_that_failed() -> None:
    level = AdaptiveConcurrency(20, 100)
    fail(level)
    assert level.allowed == 15
    succeed(level, 15)
    assert level.allowed == 16
    succeed(level, 16 + 17 + 18)
    assert level.allowed == 19
    succeed(level, 40)
    assert level.allowed == 19


def test_it_goes_slightly_beyond_only_after_many_clean_answers() -> None:
    level = AdaptiveConcurrency(20, 100)
    fail(level)
    succeed(level, 15 + 16 + 17 + 18)
    succeed(level, 49)
    assert level.allowed == 19
    succeed(level, 1)
    assert level.allowed == 21
    assert level.changes[-1].why == "probe"


def test_a_step_beyond_that_fails_is_tried_less_often_the_next_time() -> None:
    level = AdaptiveConcurrency(20, 100)
    fail(level)
    succeed(level, 15 + 16 + 17 + 18 + 50)
    fail(level)
    assert level.failed_level == 20
    assert level.allowed == 15
    succeed(level, 15 + 16 + 17 + 18 + 99)
    assert level.allowed == 19
    succeed(level, 1)
    assert level.allowed == 21


def test_a_level_that_holds_is_no_longer_remembered_as_failed() -> None:
    level = AdaptiveConcurrency(4, 64)
    fail(level)
    for _ in range(4):
        succeed(level, 60)
    assert level.allowed > 4


def test_trouble_pauses_growth_and_never_lowers_the_level() -> None:
    level = AdaptiveConcurrency(8, 64)
    for _ in range(100):
        level.on_trouble(0.0)
    assert level.allowed == 8
    succeed(level, 8)
    assert level.allowed == 8
    succeed(level, 1)
    assert level.allowed == 9


def test_an_answer_from_before_the_fall_is_no_reason_to_grow() -> None:
    level = AdaptiveConcurrency(8, 64)
    old = level.generation
    fail(level)
    for _ in range(1000):
        level.on_success(0.0, old)
    assert level.allowed == 6


def test_the_changes_are_kept_with_time_and_reason_and_bounded() -> None:
    level = AdaptiveConcurrency(8, 9, now=5.0)
    level.on_success(6.0, level.generation)
    level.on_rate_limited(7.0, level.generation)
    assert [(c.at, c.limit, c.why) for c in level.changes] == [
        (5.0, 8, "start"), (6.0, 9, "grow"), (7.0, 6, "rate_limited"),
    ]  # fmt: skip
    for _ in range(10_000):
        fail(level)
    assert len(level.changes) <= 200


@pytest.mark.parametrize(("start", "ceiling", "floor"), [(0, 4, 0), (5, 4, 1), (2, 4, 3)])
def test_levels_that_do_not_fit_are_refused(start: int, ceiling: int, floor: int) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        AdaptiveConcurrency(start, ceiling, floor)


@settings(max_examples=80, deadline=None)
@given(
    ceiling=st.integers(1, 300),
    events=st.lists(st.tuples(st.sampled_from("sstr"), st.integers(0, 2)), max_size=300),
)
def test_whatever_happens_the_level_stays_between_floor_and_ceiling(
    ceiling: int, events: list[tuple[str, int]]
) -> None:
    level = AdaptiveConcurrency(starting_level(ceiling), ceiling)
    for kind, age in events:
        before = level.allowed
        generation = level.generation - age
        if kind == "s":
            level.on_success(0.0, generation)
            assert level.allowed >= before
        elif kind == "t":
            level.on_trouble(0.0)
            assert level.allowed == before
        else:
            fell = level.on_rate_limited(0.0, generation)
            assert fell == (age == 0)
            assert level.allowed <= before
            assert level.allowed == before or fell
        assert 1 <= level.allowed <= ceiling
