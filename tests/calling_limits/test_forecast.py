"""The forecast of a run: ranges, and "unknown" where nothing is known."""

from __future__ import annotations

import pytest

from generator.calling.forecast import Forecast, RoleSample, Span, forecast
from generator.calling.prices import Price, PriceTable
from generator.values import Request, Sampling

PRICES = PriceTable(
    {
        "paid": Price(input=1.0, output=10.0, as_of="2026-05"),
        "older": Price(input=1.0, output=1.0, as_of="2025"),
    }
)


def requests(count: int, max_tokens: int | None = 500, text: str = "a" * 600) -> list[Request]:
    return [Request(prompt=text, sampling=Sampling(max_tokens=max_tokens))] * count


def test_a_run_is_reckoned_from_its_sample() -> None:
    seen = forecast(
        1000,
        [RoleSample("writer", "openai:paid", requests(2), items=2, typical_answer_tokens=200)],
        PRICES,
        concurrency=8,
        mean_latency_s=4.0,
    )
    assert seen.calls == 1000
    assert seen.prompt_tokens == Span(100_000, 300_000)
    assert seen.completion_tokens == Span(200_000, 500_000)
    assert seen.cost is not None
    assert seen.cost.low == pytest.approx(0.1 + 2.0)
    assert seen.cost.high == pytest.approx(0.3 + 5.0)
    assert seen.seconds == 500.0
    assert seen.describe() == (
        "calls:          1,000 for 1,000 items\n"
        "prompt tokens:  100,000 to 300,000\n"
        "answer tokens:  200,000 to 500,000\n"
        "cost:           $2.10 to $5.30, prices as of 2026-05\n"
        "time:           about 8 min with 8 requests at once"
    )


def test_roles_add_up_and_the_oldest_price_dates_the_forecast() -> None:
    roles = [
        RoleSample("bot", "openai:paid", requests(4)),
        RoleSample("person", "openai:older", requests(3)),
    ]
    seen = forecast(10, roles, PRICES, concurrency=5)
    assert seen.calls == 70
    assert seen.completion_tokens.high == 35_000
    assert seen.prices_as_of == "2025"


def test_an_unknown_price_makes_the_cost_unknown_and_is_named() -> None:
    roles = [
        RoleSample("bot", "openai:paid", requests(1)),
        RoleSample("person", "openai:mystery", requests(1)),
    ]
    seen = forecast(10, roles, PRICES, concurrency=5)
    assert seen.cost is None
    assert "cost:           unknown (no price for openai:mystery" in seen.describe()
    assert "time:           unknown" in seen.describe()


def test_answers_without_a_limit_have_no_upper_bound() -> None:
    seen = forecast(
        10, [RoleSample("bot", "openai:paid", requests(1, None))], PRICES, concurrency=1
    )
    assert seen.completion_tokens == Span(0, None)
    assert seen.cost is not None
    assert seen.cost.high is None
    assert "at least" in seen.describe()


def test_a_usual_answer_is_no_longer_than_its_limit() -> None:
    sample = RoleSample("bot", "openai:paid", requests(1, 50), typical_answer_tokens=200)
    seen = forecast(10, [sample], PRICES, concurrency=1)
    assert seen.completion_tokens == Span(500, 500)


def test_the_embedded_model_costs_nothing_whatever_it_says() -> None:
    seen = forecast(10, [RoleSample("bot", "embedded", requests(1, None))], PRICES, concurrency=1)
    assert seen.cost == Span(0.0, 0.0)
    assert "cost:           $0\n" in seen.describe()


@pytest.mark.parametrize(
    ("items", "roles"),
    [
        pytest.param(0, [RoleSample("bot", "openai:paid", requests(1))], id="no items"),
        pytest.param(5, [RoleSample("bot", "openai:paid", [])], id="no calls"),
        pytest.param(5, [], id="no roles"),
    ],
)
def test_nothing_to_do_is_no_division_by_zero(items: int, roles: list[RoleSample]) -> None:
    seen = forecast(items, roles, PRICES, concurrency=3, mean_latency_s=2.0)
    assert seen.calls == 0
    assert seen.seconds == 0.0
    assert isinstance(seen.describe(), str)


def test_chinese_prompts_are_reckoned_by_their_characters() -> None:
    sample = RoleSample("bot", "openai:paid", requests(1, 10, "字" * 1000))
    assert forecast(1, [sample], PRICES, concurrency=1).prompt_tokens == Span(500, 2000)


@pytest.mark.parametrize(("items", "concurrency"), [(-1, 1), (1, 0)])
def test_impossible_numbers_are_refused(items: int, concurrency: int) -> None:
    with pytest.raises(ValueError, match="forecast"):
        forecast(items, [], PRICES, concurrency=concurrency)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 s"), (89.0, "89 s"), (600.0, "10 min"), (9000.0, "2.5 h")]
)
def test_times_read_easily(seconds: float, text: str) -> None:
    seen = Forecast(1, 1, Span(0, 0), Span(0, 0), Span(0, 0), seconds, 1)
    assert f"about {text} " in seen.describe()
