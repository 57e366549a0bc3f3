"""The cap on money and tokens: kept with what is in flight, across sessions, and said clearly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends.scripted import ScriptedBackend
from generator.calling.budget import Budget, PastCall, Reservation, Spending
from generator.calling.prices import Price, PriceTable
from generator.calling.roles import RoleBinding
from generator.calling.token_estimates import estimate_tokens
from generator.errors import BudgetReached, RunStopped, WrongUse
from generator.store import pack_request
from generator.values import Capabilities, Message, Request, Sampling, Usage

SPEC = "openai:paid"
PRICES = PriceTable({"paid": Price(input=1.0, output=10.0)})


def asking(characters: int = 200, max_tokens: int | None = 100) -> Request:
    """At most `characters / 2` prompt tokens."""
    return Request(prompt="a" * characters, sampling=Sampling(max_tokens=max_tokens))


MOST = (100 * 1.0 + 100 * 10.0) / 1e6
"""What `asking()` can cost: 100 prompt tokens and 100 answer tokens."""


def reserved(budget: Budget, request: Request, context_tokens: int | None = None) -> Reservation:
    """What is set aside for a request that has room."""
    held = budget.reserve(SPEC, request, context_tokens=context_tokens)
    assert held is not None
    return held


def test_no_request_is_let_through_that_could_pass_the_cap_with_what_is_in_flight() -> None:
    budget = Budget(PRICES, max_cost=3 * MOST)
    held = [reserved(budget, asking()) for _ in range(3)]
    assert budget.reserve(SPEC, asking()) is None
    budget.settle(held[0], Usage(50, 10))
    assert budget.spent.cost == pytest.approx(150e-6)
    assert budget.reserve(SPEC, asking()) is None
    budget.settle(held[1], Usage(50, 10))
    reserved(budget, asking())


def test_a_request_that_could_pass_the_cap_by_itself_stops_the_run() -> None:
    budget = Budget(PRICES, max_cost=1.5 * MOST)
    budget.settle(reserved(budget, asking()), Usage(100, 100))
    with pytest.raises(BudgetReached) as reached:
        budget.reserve(SPEC, asking())
    assert isinstance(reached.value, RunStopped)
    assert reached.value.exit_code == 3


def test_the_message_says_spent_cap_and_how_to_go_on() -> None:
    budget = Budget(PRICES, max_cost=0.0023)
    budget.settle(reserved(budget, asking()), Usage(100, 50))
    reserved(budget, asking())
    with pytest.raises(BudgetReached) as reached:
        budget.reserve(SPEC, asking(max_tokens=200))
    assert str(reached.value) == (
        "the next request could pass --max-cost $0.0023: $0.00060 spent, up to $0.0011 in flight, "
        "up to $0.0021 for this one. To go on, run the same command with a higher --max-cost."
    )


def test_tokens_are_capped_alike() -> None:
    budget = Budget(PRICES, max_tokens_total=500)
    first = reserved(budget, asking())
    reserved(budget, asking())
    assert budget.reserve(SPEC, asking()) is None
    with pytest.raises(BudgetReached, match=r"--max-tokens-total 500: 0 tokens spent, up to 400"):
        budget.reserve(SPEC, asking(max_tokens=401))
    budget.settle(first, Usage(60, 40))
    reserved(budget, asking())
    assert budget.spent.tokens == 100
    assert budget.in_flight.tokens == 400


def test_tokens_are_capped_where_the_price_is_unknown() -> None:
    budget = Budget(PriceTable({}), max_tokens_total=200)
    budget.settle(reserved(budget, asking()), Usage(50, 50))
    with pytest.raises(BudgetReached):
        budget.reserve(SPEC, asking())


def test_unknown_usage_counts_as_the_most_it_can_be() -> None:
    budget = Budget(PRICES, max_cost=1.0)
    budget.settle(reserved(budget, asking()), Usage())
    assert budget.spent.cost == pytest.approx(MOST)
    assert budget.spent.tokens == 200
    budget.settle(reserved(budget, asking()), Usage(prompt_tokens=30))
    assert budget.spent.cost == pytest.approx(MOST + (30 + 1000) / 1e6)


def test_usage_beyond_the_bound_is_counted_as_it_is() -> None:
    budget = Budget(PRICES, max_cost=1.0)
    budget.settle(reserved(budget, asking()), Usage(1_000, 5_000))
    assert budget.spent.cost == pytest.approx(51_000 / 1e6)


def test_what_was_not_answered_is_not_counted() -> None:
    budget = Budget(PRICES, max_cost=1.0)
    budget.release(reserved(budget, asking()))
    assert budget.spent == Spending()
    assert budget.in_flight == Spending()


def test_a_reservation_ends_once() -> None:
    budget = Budget(PRICES)
    held = reserved(budget, asking())
    budget.settle(held, Usage(1, 1))
    with pytest.raises(RuntimeError, match="twice"):
        budget.release(held)


def test_without_a_cap_everything_is_counted_and_nothing_refused() -> None:
    budget = Budget(PriceTable({}))
    for _ in range(3):
        budget.settle(reserved(budget, asking(max_tokens=None)), Usage(10, 20))
    assert budget.spent == Spending(cost=0.0, tokens=90, uncounted=3)


def test_earlier_sessions_of_the_run_are_counted() -> None:
    budget = Budget(PRICES, max_cost=2.5 * MOST)
    stored = pack_request(asking())
    chat = pack_request(
        Request(messages=(Message("user", "b" * 200),), sampling=Sampling(max_tokens=100))
    )
    budget.add_earlier(
        [
            PastCall(SPEC, Usage(100, 50)),
            PastCall(SPEC, Usage(), stored),
            PastCall("scripted:x.jsonl", Usage(10_000, 10_000)),
        ]
    )
    assert budget.spent.cost == pytest.approx(600e-6 + MOST)
    with pytest.raises(BudgetReached):
        budget.reserve(SPEC, asking())
    before = budget.spent.cost
    budget.add_earlier([PastCall(SPEC, Usage(), chat)])
    assert budget.spent.cost == pytest.approx(before + MOST + 16 / 1e6)


def binding(spec: str, max_tokens: int | None, context_tokens: int | None = None) -> RoleBinding:
    class Named(ScriptedBackend):
        spec = ""
        capabilities = Capabilities(frozenset({"chat"}), context_tokens=context_tokens)

    Named.spec = spec
    return RoleBinding("writer", Named(["x"]), Sampling(max_tokens=max_tokens))


def test_a_cap_on_money_without_a_price_is_wrong_use_before_the_first_call() -> None:
    budget = Budget(PRICES, max_cost=1.0)
    budget.check([binding(SPEC, 100), binding("embedded", 100)])
    with pytest.raises(WrongUse) as wrong:
        budget.check([binding(SPEC, 100), binding("openai:mystery@http://h/v1", 100)])
    assert "openai:mystery@http://h/v1" in str(wrong.value)
    assert "--prices FILE" in str(wrong.value)
    with pytest.raises(WrongUse):
        budget.reserve("openai:mystery", asking())


def test_without_a_cap_on_money_an_unknown_price_is_no_fault() -> None:
    Budget(PRICES).check([binding("openai:mystery", None)])
    Budget(PRICES, max_tokens_total=10).check([binding("openai:mystery", 100)])


@pytest.mark.parametrize("caps", [{"max_cost": 1.0}, {"max_tokens_total": 1000}])
def test_an_answer_of_any_length_cannot_be_capped(caps: dict[str, float]) -> None:
    budget = Budget(PRICES, **caps)  # type: ignore[arg-type]
    with pytest.raises(WrongUse, match=r"--set writer\.max_tokens=N"):
        budget.check([binding(SPEC, None)])
    with pytest.raises(WrongUse, match="max_tokens"):
        budget.reserve(SPEC, asking(max_tokens=None))
    budget.check([binding(SPEC, None, context_tokens=4096)])
    assert reserved(budget, asking(max_tokens=None), context_tokens=400).tokens == 500


@pytest.mark.parametrize(
    "caps", [{"max_cost": 0.0}, {"max_cost": -1.0}, {"max_cost": float("nan")},
             {"max_cost": float("inf")}, {"max_tokens_total": 0}],
)  # fmt: skip
def test_a_cap_that_is_none_is_wrong_use(caps: dict[str, float]) -> None:
    with pytest.raises(WrongUse):
        Budget(PRICES, **caps)  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(
    cap=st.integers(1, 40),
    steps=st.lists(
        st.tuples(st.sampled_from("rrse"), st.integers(0, 400), st.floats(0.0, 1.0)), max_size=80
    ),
)
def test_what_is_spent_never_passes_the_cap(cap: int, steps: list[tuple[str, int, float]]) -> None:
    budget = Budget(PRICES, max_cost=cap * MOST)
    flying = []
    for kind, characters, share in steps:
        if kind == "r":
            request = asking(characters)
            most = (estimate_tokens("a" * characters).most + 1000) / 1e6
            try:
                reservation = budget.reserve(SPEC, request)
            except BudgetReached:
                assert budget.spent.cost + most > cap * MOST
            else:
                if reservation is not None:
                    flying.append((request, reservation))
                else:
                    assert budget.spent.cost + budget.in_flight.cost + most > cap * MOST
        elif flying:
            request, held = flying.pop(0)
            if kind == "e":
                budget.release(held)
            else:
                prompt = estimate_tokens(request.prompt or "").most
                budget.settle(held, Usage(int(prompt * share), int(100 * share)))
        assert budget.spent.cost + budget.in_flight.cost <= cap * MOST * (1 + 1e-9)
