"""The calling layer on servers that are full, slow, broke or strict, in virtual time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from virtual_time import in_virtual_time, now

from generator.calling.budget import Budget
from generator.calling.caller import Caller, Environs
from generator.calling.prices import Price, PriceTable
from generator.calling.retry import RetryPolicy
from generator.calling.roles import RoleBinding
from generator.errors import (
    BadKey,
    BadResponse,
    BudgetReached,
    ConnectionFault,
    ContentFiltered,
    GivenUp,
    ModelNotFound,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    ServerFault,
    Unreachable,
)
from generator.store import AttemptRow, CallRow
from generator.values import Capabilities, Completion, Request, Sampling, Usage

YES = Completion("yes", "stop", Usage(100, 20))
Answer = Callable[[Request], Awaitable[Completion]]


class Server:
    """A backend whose every request is answered by `answer`; it notes when they came."""

    capabilities = Capabilities(frozenset({"chat", "completion"}))

    def __init__(self, answer: Answer, spec: str = "openai:paid") -> None:
        self.spec = spec
        self.endpoint = spec
        self.answer = answer
        self.times: list[float] = []
        self.prompts: list[str] = []
        self.in_flight = 0
        self.most_in_flight = 0

    async def complete(self, request: Request) -> Completion:
        self.times.append(now())
        self.prompts.append(request.prompt or "")
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self.answer(request)
        finally:
            self.in_flight -= 1

    async def aclose(self) -> None: ...


class Memory:
    """Keeps calls and attempts in memory, so that virtual time waits for no disk."""

    def __init__(self) -> None:
        self.calls: list[CallRow] = []
        self.attempts: list[AttemptRow] = []

    def find_call(self, key: str, *, item: str) -> CallRow | None:
        return next((row for row in self.calls if (row.key, row.item) == (key, item)), None)

    async def put_call(self, row: CallRow) -> None:
        self.calls.append(row)

    def put_attempt(self, row: AttemptRow) -> None:
        self.attempts.append(row)


def steps(*given: Completion | Exception, seconds: float = 1.0) -> Answer:
    """Gives its steps in order, each after so many seconds, and then the last for ever."""
    left = list(given)

    async def answer(request: Request) -> Completion:
        await asyncio.sleep(seconds)
        step = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(step, Exception):
            raise step
        return step

    return answer


def per_minute(
    limit: int, *, seconds: float = 2.0, word: bool = True, refusal_s: float = 0.0
) -> Answer:
    """A server with a fixed window: so many requests a minute, then 429 until it ends."""
    window = {"number": -1, "used": 0}

    async def answer(request: Request) -> Completion:
        number = int(now() // 60)
        if window["number"] != number:
            window.update(number=number, used=0)
        window["used"] += 1
        if window["used"] > limit:
            left = 60.0 * (number + 1) - now()
            await asyncio.sleep(refusal_s)
            raise RateLimited("429", retry_after_s=left if word else None)
        await asyncio.sleep(seconds)
        return YES

    return answer


def at_once(places: int, *, seconds: float = 2.0) -> Answer:
    """A server with so many places; whoever comes too many gets a 429 without a word."""
    busy = {"now": 0}

    async def answer(request: Request) -> Completion:
        if busy["now"] >= places:
            raise RateLimited("429")
        busy["now"] += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            busy["now"] -= 1
        return YES

    return answer


def each_refused_first(times: int, *, seconds: float = 1.0, word: float | None = None) -> Answer:
    """A server that refuses the first attempts of every single request, whatever goes on."""
    seen: dict[str, int] = {}

    async def answer(request: Request) -> Completion:
        prompt = request.prompt or ""
        seen[prompt] = seen.get(prompt, 0) + 1
        await asyncio.sleep(seconds)
        if seen[prompt] <= times:
            raise RateLimited("429", retry_after_s=word)
        return YES

    return answer


def caller(server: Server | Sequence[Server], memory: Memory, **options: Any) -> Caller:
    servers = [server] if isinstance(server, Server) else list(server)
    return Caller(
        memory,  # type: ignore[arg-type]
        [
            RoleBinding(f"role{number}", backend, Sampling(max_tokens=100))
            for number, backend in enumerate(servers)
        ],
        environs=Environs(clock=now, monotonic=now, rng=random.Random(5)),
        **{"concurrency": 4, **options},
    )


async def ask_many(asking: Caller, count: int, *, workers: int) -> list[CallRow | BaseException]:
    """So many items, pulled lazily by so many workers."""
    items = iter(range(count))
    ended: list[CallRow | BaseException] = []

    async def work() -> None:
        for number in items:
            try:
                ended.append(await asking.ask(f"i{number}", "role0", prompt=f"p{number}"))
            except Exception as error:
                ended.append(error)

    async with asyncio.TaskGroup() as group:
        for _ in range(workers):
            group.create_task(work())
    return ended


def failures(ended: Sequence[object]) -> list[object]:
    return [end for end in ended if isinstance(end, BaseException)]


def test_a_retry_after_of_two_hours_is_waited_for_once() -> None:
    server = Server(steps(RateLimited("429", retry_after_s=7200.0), YES))
    in_virtual_time(caller(server, Memory()).ask("i", "role0", prompt="p"))
    assert server.times == [0.0, 7201.0]


def test_the_newest_answer_says_how_long_to_wait() -> None:
    server = Server(
        steps(
            RateLimited("429", retry_after_s=90.0),
            RateLimited("429", retry_after_s=5.0),
            ServerFault("503"),
            YES,
            seconds=0.0,
        )
    )
    in_virtual_time(caller(server, Memory()).ask("i", "role0", prompt="p"))
    assert server.times[:3] == [0.0, 90.0, 95.0]
    assert server.times[3] - 95.0 < 8.0


def test_without_a_word_the_waits_of_many_calls_are_spread() -> None:
    server = Server(at_once(1))
    memory = Memory()
    ended = in_virtual_time(ask_many(caller(server, memory, concurrency=8), 8, workers=8))
    assert not failures(ended)
    waits = [attempt.wait_s for attempt in memory.attempts]
    assert len(set(waits)) == len(waits) >= 7


def test_a_limit_per_minute_fails_no_item_and_uses_up_no_attempts() -> None:
    server = Server(per_minute(10))
    asking = caller(server, Memory(), concurrency=16, retry=RetryPolicy(max_attempts=1))
    ended = in_virtual_time(ask_many(asking, 60, workers=24))
    assert not failures(ended)
    assert len(ended) == 60
    # Six windows of ten; every window costs a few refusals, not one for each item.
    assert 300.0 <= max(server.times) < 360.0
    assert asking.rate_limits["openai:paid"] == len(server.times) - 60


def test_a_limit_per_minute_that_is_told_beforehand_is_never_met() -> None:
    server = Server(per_minute(10))
    asking = caller(server, Memory(), concurrency=16, rpm=10)
    ended = in_virtual_time(ask_many(asking, 60, workers=24))
    assert not failures(ended)
    assert len(server.times) == 60
    assert asking.rate_limits["openai:paid"] == 0


def test_tokens_per_minute_are_kept_by_what_the_server_counts() -> None:
    # Each answer is 120 tokens: ten of them in a minute.
    server = Server(steps(YES, seconds=0.5))
    ended = in_virtual_time(ask_many(caller(server, Memory(), tpm=1200), 30, workers=4))
    assert not failures(ended)
    for begin in server.times:
        assert sum(begin <= at < begin + 60.0 for at in server.times) <= 11


def test_a_server_with_few_places_is_found_out_and_kept_busy() -> None:
    server = Server(at_once(5))
    asking = caller(server, Memory(), concurrency=32)
    ended = in_virtual_time(ask_many(asking, 600, workers=40))
    assert not failures(ended)
    ideal_s = 600 / 5 * 2.0
    assert max(server.times) < 1.5 * ideal_s
    assert len(server.times) - 600 < 300
    assert asking.limit_changes["openai:paid"][-1].limit <= 6


@pytest.mark.parametrize(
    ("times", "word", "seconds"),
    [
        pytest.param(1, None, 110.0, id="once, without a word"),
        pytest.param(1, 0.5, 110.0, id="once, half a second"),
        pytest.param(1, 3.0, 150.0, id="once, three seconds"),
        pytest.param(2, None, 320.0, id="twice, without a word"),
        pytest.param(2, 3.0, 280.0, id="twice, three seconds"),
    ],
)
def test_refusals_that_no_level_avoids_do_not_leave_one_request_at_a_time(
    times: int, word: float | None, seconds: float
) -> None:
    server = Server(each_refused_first(times, word=word))
    asking = caller(server, Memory(), concurrency=16)
    ended = in_virtual_time(ask_many(asking, 400, workers=24))
    assert not failures(ended)
    assert len(server.times) == 400 * (times + 1)
    # Each taken for a limit, with the rests of a narrow endpoint after it, they take up to 3,100 s.
    assert max(server.times) < seconds


@pytest.mark.parametrize(
    ("limit", "concurrency", "word", "refused"),
    [
        pytest.param(20, 64, True, 130, id="fewer than wait, with a word"),
        pytest.param(20, 64, False, 140, id="fewer than wait, without a word"),
        pytest.param(48, 64, True, 180, id="as many as wait, with a word"),
        pytest.param(100, 64, True, 230, id="more than wait, with a word"),
    ],
)
def test_whoever_waits_for_the_next_minute_together_makes_no_pattern(
    limit: int, concurrency: int, word: bool, refused: int
) -> None:
    server = Server(per_minute(limit, word=word, refusal_s=0.2))
    asking = caller(server, Memory(), concurrency=concurrency)
    ended = in_virtual_time(ask_many(asking, 8 * limit, workers=concurrency + 16))
    assert not failures(ended)
    assert max(server.times) < 8 * 60.0
    assert len(server.times) - 8 * limit < refused


def test_a_healthy_server_is_used_to_the_ceiling() -> None:
    server = Server(steps(YES))
    asking = caller(server, Memory(), concurrency=64)
    in_virtual_time(ask_many(asking, 640, workers=72))
    assert server.most_in_flight == 64
    assert max(server.times) <= 640 / 64 + 4


def test_a_thousand_waiting_calls_never_put_more_in_flight_than_allowed() -> None:
    server = Server(steps(YES))
    asking = caller(server, Memory(), concurrency=7)

    async def main() -> None:
        await asyncio.gather(*(asking.ask(f"i{n}", "role0", prompt=f"p{n}") for n in range(1000)))

    in_virtual_time(main())
    assert server.most_in_flight == 7
    assert len(server.times) == 1000


def test_a_queue_of_an_hour_in_front_of_a_slow_server_is_no_failure() -> None:
    server = Server(steps(YES, seconds=500.0))
    memory = Memory()
    ended = in_virtual_time(ask_many(caller(server, memory, concurrency=1), 10, workers=10))
    assert not failures(ended)
    assert memory.attempts == []


def test_roles_at_one_endpoint_share_its_limits_and_others_have_their_own() -> None:
    server = Server(steps(YES))
    other = Server(steps(YES), spec="openai:other")
    asking = caller([server, server, other], Memory(), concurrency=3)

    async def main() -> None:
        await asyncio.gather(
            *(asking.ask(f"i{n}", f"role{n % 3}", prompt=f"p{n}") for n in range(60))
        )

    in_virtual_time(main())
    assert server.most_in_flight == 3
    assert other.most_in_flight == 3
    assert set(asking.limit_changes) == {"openai:paid", "openai:other"}


@pytest.mark.parametrize(
    "error",
    [
        QuotaExhausted("429: insufficient_quota: rate limit"),
        BadKey("401"),
        ModelNotFound("404"),
        RequestRefused("400: temperature: generate at another rate; 429", status=400),
        RequestRefused("403", status=403),
        RequestRefused("422", status=422),
        ContentFiltered("filter", status=400),
    ],
    ids=["quota", "key", "model", "400 that speaks of a rate", "403", "422", "filter"],
)
def test_what_cannot_succeed_is_sent_once(error: Exception) -> None:
    server = Server(steps(error))
    with pytest.raises(type(error)):
        in_virtual_time(caller(server, Memory()).ask("i", "role0", prompt="p"))
    assert len(server.times) == 1


@pytest.mark.parametrize(
    "error",
    [ConnectionFault("no answer in time"), ServerFault("500", status=500), BadResponse("empty")],
    ids=["timeout", "500", "empty"],
)
def test_what_may_succeed_is_tried_as_often_as_said(error: Exception) -> None:
    server = Server(steps(error))
    memory = Memory()
    asking = caller(server, memory, retry=RetryPolicy(max_attempts=5))
    with pytest.raises((type(error), Unreachable)):
        in_virtual_time(asking.ask("i", "role0", prompt="p"))
    assert len(server.times) == len(memory.attempts) == 5
    assert [attempt.wait_s is None for attempt in memory.attempts] == [False] * 4 + [True]


def test_retries_share_the_queue_of_first_attempts() -> None:
    server = Server(steps(ServerFault("500", retry_after_s=1.0), YES))
    in_virtual_time(ask_many(caller(server, Memory(), concurrency=2), 40, workers=4))
    again = server.prompts.index("p0", 1)
    assert again < 10


def test_twenty_calls_in_a_row_that_find_nobody_stop_the_run_and_nineteen_do_not() -> None:
    lost = [ConnectionFault("refused")] * 19
    server = Server(steps(YES, *lost, YES, *lost, ConnectionFault("refused")))
    asking = caller(server, Memory(), concurrency=1, retry=RetryPolicy(max_attempts=1))
    ended = in_virtual_time(ask_many(asking, 41, workers=1))
    kinds = [type(end) for end in ended]
    assert kinds == [CallRow, *[ConnectionFault] * 19, CallRow, *[ConnectionFault] * 19,
                     Unreachable]  # fmt: skip
    assert "20 calls in a row found nobody there" in str(ended[-1])


def test_too_many_open_files_are_named_to_the_end() -> None:
    server = Server(steps(ConnectionFault("too many open files in this process: lower …")))
    with pytest.raises(Unreachable, match="too many open files"):
        in_virtual_time(caller(server, Memory()).ask("i", "role0", prompt="p"))


def test_who_waits_for_what_is_told_once_a_second() -> None:
    told: list[tuple[float, str]] = []
    limits = [RateLimited("429", retry_after_s=42.0)] * 8
    server = Server(steps(*limits, YES, seconds=0.0))
    memory = Memory()

    async def main() -> None:
        asking = Caller(
            memory,  # type: ignore[arg-type]
            [RoleBinding("role0", server, Sampling())],
            concurrency=8,
            environs=Environs(clock=now, monotonic=now, rng=random.Random(1)),
            on_wait=lambda text: told.append((now(), text)),
        )
        await asyncio.gather(*(asking.ask(f"i{n}", "role0", prompt=f"p{n}") for n in range(8)))
        await asyncio.sleep(2.0)

    in_virtual_time(main())
    assert (1.0, "waiting 41 s: 429 ×8") in told
    assert (30.0, "waiting 12 s: 429 ×8") in told
    assert told[-1][1] == ""
    assert [at for at, _ in told] == [float(second) for second in range(44)]


def test_once_the_run_ends_a_429_ends_its_call_at_once_and_is_not_sent_again() -> None:
    server = Server(steps(RateLimited("429", retry_after_s=3600.0)))
    memory = Memory()

    async def main() -> float:
        asking = caller(server, memory)
        waiting = asyncio.ensure_future(asking.ask("i", "role0", prompt="p"))
        await asyncio.sleep(10.0)
        asking.stop_retrying()
        with pytest.raises(GivenUp):
            await waiting
        with pytest.raises(GivenUp):
            await asking.ask("j", "role0", prompt="q")
        return now()

    assert in_virtual_time(main()) == 10.0
    assert server.times == [0.0]
    assert [attempt.item for attempt in memory.attempts] == ["i"]


def test_cancelled_calls_leave_every_slot_free() -> None:
    server = Server(steps(YES, seconds=100.0))
    asking = caller(server, Memory(), concurrency=3)

    async def main() -> float:
        calls = [
            asyncio.ensure_future(asking.ask(f"i{n}", "role0", prompt=f"p{n}")) for n in range(9)
        ]
        await asyncio.sleep(50.0)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.gather(*(asking.ask(f"j{n}", "role0", prompt=f"q{n}") for n in range(3)))
        return now()

    assert in_virtual_time(main()) == 150.0


PRICES = PriceTable({"paid": Price(input=1.0, output=10.0)})
MOST = (1 + 100 * 10.0) / 1e6
"""What a request of one or two letters and 100 tokens of answer can cost."""


def test_the_run_stops_before_the_request_that_could_pass_the_budget() -> None:
    # Each answer costs 300 millionths of a dollar, and could cost some 1001.
    server = Server(steps(YES))
    budget = Budget(PRICES, max_cost=0.005)
    asking = caller(server, Memory(), concurrency=4, budget=budget)
    ended = in_virtual_time(ask_many(asking, 100, workers=8))
    assert {type(error) for error in failures(ended)} == {BudgetReached}
    assert budget.spent.cost == pytest.approx(len(server.times) * 300e-6)
    # It stops for what one more request could cost, not for what those in flight could.
    assert 0.005 - 1.1 * MOST < budget.spent.cost <= 0.005
    assert budget.in_flight.cost == 0.0


def test_what_is_in_flight_counts_against_the_budget() -> None:
    server = Server(steps(YES))
    budget = Budget(PRICES, max_cost=2.5 * MOST)
    asking = caller(server, Memory(), concurrency=8, budget=budget)

    async def main() -> list[object]:
        calls = (asking.ask(f"i{n}", "role0", prompt=f"p{n}") for n in range(8))
        return list(await asyncio.gather(*calls, return_exceptions=True))

    # Two fit beside each other, so the others wait for these. After six answers (1.8 of the
    # 2.5 are spent) not even one fits.
    ended = in_virtual_time(main())
    assert server.most_in_flight == 2
    assert {type(error) for error in failures(ended)} == {BudgetReached}
    assert len(failures(ended)) == 2


def test_an_ending_run_does_not_wait_for_room_in_the_budget() -> None:
    server = Server(steps(YES, seconds=100.0))
    budget = Budget(PRICES, max_cost=1.5 * MOST)
    asking = caller(server, Memory(), concurrency=8, budget=budget)

    async def main() -> list[object]:
        calls = [
            asyncio.ensure_future(asking.ask(f"i{n}", "role0", prompt=f"p{n}")) for n in range(3)
        ]
        await asyncio.sleep(1.0)
        asking.stop_retrying()
        _, waiting = await asyncio.wait(calls, timeout=1.0)
        assert len(waiting) == 1
        return list(await asyncio.gather(*calls, return_exceptions=True))

    ended = in_virtual_time(main())
    assert {type(error) for error in failures(ended)} == {GivenUp}
    assert len(server.times) == 1
    assert budget.in_flight.tokens == 0


@pytest.mark.parametrize(
    ("error", "counted"),
    [
        (RateLimited("429", retry_after_s=1.0), False),
        (ServerFault("500", status=500), False),
        (ConnectionFault("torn"), False),
        (BadResponse("a 200 without an answer", status=200), True),
    ],
    ids=["429", "500", "torn", "empty 200"],
)
def test_an_attempt_that_failed_is_counted_only_when_it_may_be_on_the_bill(
    error: Exception, counted: bool
) -> None:
    server = Server(steps(error, YES))
    budget = Budget(PRICES, max_cost=1.0)
    in_virtual_time(caller(server, Memory(), budget=budget).ask("i", "role0", prompt="pp"))
    expected = 300e-6 + (MOST if counted else 0.0)
    assert budget.spent.cost == pytest.approx(expected)
    assert budget.in_flight.tokens == 0


def test_a_call_that_is_cancelled_gives_its_reservation_back() -> None:
    server = Server(steps(YES, seconds=100.0))
    budget = Budget(PRICES, max_cost=1.0)
    asking = caller(server, Memory(), budget=budget)

    async def main() -> None:
        call = asyncio.ensure_future(asking.ask("i", "role0", prompt="p"))
        await asyncio.sleep(1.0)
        assert budget.in_flight.tokens > 0
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)

    in_virtual_time(main())
    assert budget.in_flight.tokens == 0


def test_a_stored_answer_costs_nothing_even_when_the_budget_is_spent() -> None:
    server = Server(steps(YES))
    memory = Memory()
    budget = Budget(PRICES, max_cost=1.2 * MOST)
    asking = caller(server, memory, budget=budget)

    async def main() -> None:
        first = await asking.ask("i", "role0", prompt="p")
        with pytest.raises(BudgetReached):
            await asking.ask("j", "role0", prompt="q")
        assert await asking.ask("i", "role0", prompt="p") == first

    in_virtual_time(main())
    assert len(server.times) == 1
