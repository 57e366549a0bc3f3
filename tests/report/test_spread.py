"""Spreads: exact where values are few, close where they are many, flat in memory."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.report.spread import Spread

values = st.lists(st.integers(-50, 5000) | st.floats(0, 1).map(lambda v: round(v, 4)), min_size=1)


@settings(deadline=None, max_examples=150)
@given(values)
def test_figures_are_those_of_the_values(found: list[float]) -> None:
    spread = Spread(found)
    assert spread.count == len(found)
    assert spread.mean == pytest.approx(statistics.fmean(found))
    assert spread.median == pytest.approx(statistics.median(found))
    assert (spread.low, spread.high) == (min(found), max(found))
    assert spread.quantile(1) == max(found)
    assert sum(v <= spread.quantile(0.95) for v in found) >= 0.95 * len(found)


@settings(deadline=None, max_examples=100)
@given(values, st.randoms(use_true_random=False))
def test_the_order_of_the_values_does_not_matter(found: list[float], chance: object) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = Spread(found), Spread(shuffled)
    assert (first.mean, first.median) == (second.mean, second.median)


@settings(deadline=None, max_examples=100)
@given(values, st.lists(st.integers(-100, 6000), min_size=2, max_size=9, unique=True).map(sorted))
def test_a_histogram_loses_no_value(found: list[float], edges: list[int]) -> None:
    assert sum(Spread(found).histogram(edges)) == len(found)


def test_a_value_on_an_edge_is_in_the_bin_it_opens_and_the_last_end_is_closed() -> None:
    assert Spread([0, 1, 2]).histogram([0, 1, 2]) == [1, 2]


def test_very_many_different_values_are_rounded_and_take_no_more_room() -> None:
    many = [1 + number / 7919 for number in range(60_000)]
    spread = Spread(many)
    assert spread.count == 60_000
    assert spread.mean == pytest.approx(statistics.fmean(many))
    assert spread.median == pytest.approx(statistics.median(many), rel=0.01)
    assert (spread.low, spread.high) == (min(many), max(many))
    assert len(spread._seen) < 2_000


def test_what_is_not_finite_is_not_counted() -> None:
    assert Spread([1.0, math.nan, math.inf, -math.inf]).count == 1


@pytest.mark.parametrize("figure", ["mean", "median"])
def test_no_value_has_no_figure(figure: str) -> None:
    with pytest.raises(ValueError):
        getattr(Spread(), figure)


def test_a_share_counts_the_bound_itself() -> None:
    assert Spread([0.3, 0.65, 0.9, 0.64]).share_from(0.65) == 0.5
