"""The queue of an endpoint in virtual time: fair, patient, and no slot ever lost."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from virtual_time import in_virtual_time, now

from generator.calling.endpoint_limits import EndpointLimits, LimitSettings
from generator.calling.gate import EndpointGate
from generator.calling.waits import Waits
from generator.errors import BadResponse, ConnectionFault, RateLimited, RequestRefused, ServerFault
from generator.values import Usage


def gate(
    concurrency: int, rpm: int | None = None, tpm: int | None = None, waits: Waits | None = None
) -> EndpointGate:
    limits = EndpointLimits(LimitSettings(concurrency, rpm, tpm))
    return EndpointGate(limits, clock=now, sleep=asyncio.sleep, waits=waits)


async def answered(
    endpoint: EndpointGate, *, seconds: float = 1.0, tokens: int = 0, used: Usage | None = None
) -> float:
    """One request that is answered after so many seconds; gives when it was sent."""
    async with endpoint.slot(tokens) as slot:
        sent = now()
        await asyncio.sleep(seconds)
        slot.done(used or Usage())
    return sent


def test_a_slow_server_is_waited_for_without_a_deadline() -> None:
    async def main() -> list[float]:
        endpoint = gate(1)
        return await asyncio.gather(*(answered(endpoint, seconds=3600.0) for _ in range(48)))

    assert in_virtual_time(main()) == [3600.0 * n for n in range(48)]


def test_first_come_first_served_also_when_a_large_request_is_first() -> None:
    order: list[int] = []

    async def one(endpoint: EndpointGate, number: int, tokens: int) -> None:
        async with endpoint.slot(tokens) as slot:
            order.append(number)
            slot.done(Usage(tokens, 0))

    async def main() -> None:
        endpoint = gate(8, tpm=100)
        await asyncio.gather(*(one(endpoint, n, 90 if n == 1 else 20) for n in range(6)))

    in_virtual_time(main())
    assert order == [0, 1, 2, 3, 4, 5]


def test_requests_per_minute_are_kept() -> None:
    async def main() -> list[float]:
        endpoint = gate(50, rpm=10)
        return await asyncio.gather(*(answered(endpoint, seconds=0.1) for _ in range(25)))

    sent = in_virtual_time(main())
    for begin in sent:
        assert sum(begin <= at < begin + 60.0 for at in sent) <= 10
    assert max(sent) < 121.0


def test_tokens_are_estimated_before_and_corrected_after() -> None:
    async def main() -> tuple[float, float]:
        endpoint = gate(4, tpm=1000)
        await answered(endpoint, tokens=900, used=Usage(100, 50))
        early = await answered(endpoint, tokens=800, used=Usage(900, 900))
        late = await answered(endpoint, tokens=500)
        return early, late

    early, late = in_virtual_time(main())
    assert early == 1.0
    assert late >= 61.0


def test_a_call_that_waits_for_its_own_retry_after_holds_no_slot() -> None:
    async def limited(endpoint: EndpointGate) -> None:
        with pytest.raises(RateLimited):
            async with endpoint.slot():
                raise RateLimited("429", retry_after_s=300.0)
        await asyncio.sleep(300.0)

    async def main() -> float:
        endpoint = gate(1)
        waiting = asyncio.ensure_future(limited(endpoint))
        await asyncio.sleep(1.0)
        assert not waiting.done()
        assert endpoint.limits.in_flight == 0
        sent = await answered(endpoint)
        await waiting
        return sent

    assert in_virtual_time(main()) == 1.0


def test_after_a_burst_requests_go_one_at_a_time_until_one_is_answered() -> None:
    most = 0
    under_way = 0

    async def limited(endpoint: EndpointGate) -> None:
        async with endpoint.slot():
            await asyncio.sleep(0.5)
            raise RateLimited("429")

    async def one(endpoint: EndpointGate) -> None:
        nonlocal most, under_way
        async with endpoint.slot() as slot:
            under_way += 1
            if now() < 2.0:
                most = max(most, under_way)
            await asyncio.sleep(1.0)
            under_way -= 1
            slot.done(Usage())

    async def main() -> int:
        endpoint = gate(8)
        burst = [limited(endpoint) for _ in range(8)]
        ended = await asyncio.gather(*burst, return_exceptions=True)
        assert {type(error) for error in ended} == {RateLimited}
        assert endpoint.limits.allowed == 6
        await asyncio.gather(*(one(endpoint) for _ in range(12)))
        return endpoint.limits.in_flight

    assert in_virtual_time(main()) == 0
    assert most == 1


def test_the_time_the_server_named_opens_the_endpoint_again() -> None:
    async def main() -> list[float]:
        endpoint = gate(8)
        with pytest.raises(RateLimited):
            async with endpoint.slot():
                raise RateLimited("429", retry_after_s=20.0)
        return await asyncio.gather(*(answered(endpoint, seconds=100.0) for _ in range(4)))

    # One goes after a short rest, to see; the others when the server's time is over.
    assert in_virtual_time(main()) == [0.5, 20.0, 20.0, 20.0]


@pytest.mark.parametrize("fault", [ServerFault("500"), ConnectionFault("torn"), BadResponse("?")])
def test_faults_of_the_server_do_not_lower_the_level(fault: Exception) -> None:
    async def main() -> int:
        endpoint = gate(8)
        for _ in range(50):
            with pytest.raises(type(fault)):
                async with endpoint.slot():
                    raise fault
        assert endpoint.limits.in_flight == 0
        return endpoint.limits.allowed

    assert in_virtual_time(main()) == 8


def test_a_refused_request_shows_that_the_limit_is_no_longer_in_force() -> None:
    async def main() -> list[float]:
        endpoint = gate(4)
        for error in (RateLimited("429"), RequestRefused("400")):
            with pytest.raises(type(error)):
                async with endpoint.slot():
                    raise error
        return await asyncio.gather(*(answered(endpoint) for _ in range(3)))

    # One try after a rest of half a second, and then all at once.
    assert in_virtual_time(main()) == [0.5, 0.5, 0.5]


def test_while_the_server_refuses_it_is_tried_less_and_less_often() -> None:
    tried: list[float] = []

    async def limited(endpoint: EndpointGate) -> None:
        async with endpoint.slot():
            tried.append(now())
            raise RateLimited("429")

    async def main() -> None:
        endpoint = gate(4)
        await asyncio.gather(*(limited(endpoint) for _ in range(9)), return_exceptions=True)

    in_virtual_time(main())
    assert tried == [0.0, 0.5, 1.5, 3.5, 7.5, 15.5, 23.5, 31.5, 39.5]


def test_a_call_that_waited_as_it_was_told_is_not_held_back_longer() -> None:
    async def main() -> float:
        endpoint = gate(4)
        for _ in range(6):
            with pytest.raises(RateLimited):
                async with endpoint.slot(waited=True):
                    raise RateLimited("429", retry_after_s=3.0)
        async with endpoint.slot(waited=True) as slot:
            slot.done(Usage())
        return now()

    assert in_virtual_time(main()) == 0.0


def test_a_cancelled_waiter_leaves_the_queue_and_loses_no_slot() -> None:
    async def main() -> tuple[float, int, int]:
        endpoint = gate(1)
        first = asyncio.ensure_future(answered(endpoint, seconds=10.0))
        await asyncio.sleep(0)
        waiters = [asyncio.ensure_future(answered(endpoint)) for _ in range(3)]
        await asyncio.sleep(1.0)
        assert endpoint.queued == 3
        waiters[0].cancel()
        waiters[1].cancel()
        await first
        return await waiters[2], endpoint.queued, endpoint.limits.in_flight

    assert in_virtual_time(main()) == (10.0, 0, 0)


def test_a_call_cancelled_at_the_moment_of_its_turn_loses_no_slot() -> None:
    async def main() -> tuple[float, int]:
        endpoint = gate(1)
        first = asyncio.ensure_future(answered(endpoint, seconds=1.0))
        await asyncio.sleep(0)
        second, third = (asyncio.ensure_future(answered(endpoint)) for _ in range(2))
        await first
        second.cancel()
        return await third, endpoint.limits.in_flight

    sent, in_flight = in_virtual_time(main())
    assert 1.0 <= sent <= 2.0
    assert in_flight == 0


def test_a_call_cancelled_in_its_slot_gives_it_back() -> None:
    async def main() -> float:
        endpoint = gate(1)
        first = asyncio.ensure_future(answered(endpoint, seconds=1000.0))
        await asyncio.sleep(5.0)
        first.cancel()
        return await answered(endpoint)

    assert in_virtual_time(main()) == 5.0


def test_the_whole_queue_is_said_to_wait_for_a_limit_per_minute() -> None:
    async def main() -> str:
        waits = Waits()
        endpoint = gate(8, rpm=2, waits=waits)
        calls = [asyncio.ensure_future(answered(endpoint, seconds=0.5)) for _ in range(7)]
        await asyncio.sleep(10.0)
        text = waits.describe(now())
        await asyncio.gather(*calls)
        assert waits.describe(now()) == ""
        return text

    assert in_virtual_time(main()) == "waiting 50 s: rpm ×5"


OUTCOMES = st.sampled_from(("ok", "ok", "ok", "429", "429 word", "500", "400", "cancel"))


@settings(max_examples=60, deadline=None)
@given(
    concurrency=st.integers(1, 12),
    rpm=st.one_of(st.none(), st.integers(1, 30)),
    calls=st.lists(
        st.tuples(st.floats(0.0, 30.0), st.floats(0.0, 20.0), OUTCOMES), min_size=1, max_size=40
    ),
)
def test_any_traffic_ends_with_everyone_served_in_order_and_every_slot_back(
    concurrency: int, rpm: int | None, calls: list[tuple[float, float, str]]
) -> None:
    queued: list[int] = []
    served: list[int] = []
    under_way = 0

    async def one(endpoint: EndpointGate, number: int, arrives: float, how: str, s: float) -> None:
        nonlocal under_way
        await asyncio.sleep(arrives)
        queued.append(number)
        async with endpoint.slot(10) as slot:
            served.append(number)
            under_way += 1
            assert under_way <= concurrency
            try:
                await asyncio.sleep(s)
            finally:
                under_way -= 1
            if how == "429":
                raise RateLimited("429")
            if how == "429 word":
                raise RateLimited("429", retry_after_s=500.0)
            if how == "500":
                raise ServerFault("500")
            if how == "400":
                raise RequestRefused("400")
            slot.done(Usage(5, 5))

    async def main() -> None:
        endpoint = gate(concurrency, rpm)
        tasks = [
            asyncio.ensure_future(one(endpoint, number, arrives, how, s))
            for number, (arrives, s, how) in enumerate(calls)
        ]
        for task, (_, s, how) in zip(tasks, calls, strict=True):
            if how == "cancel":
                asyncio.get_running_loop().call_later(s, task.cancel)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert endpoint.limits.in_flight == 0
        assert endpoint.queued == 0
        assert under_way == 0
        await answered(endpoint)

    in_virtual_time(main())
    given_up = {n for n, (_, _, how) in enumerate(calls) if how == "cancel"}
    assert set(queued) - set(served) <= given_up
    order = {number: place for place, number in enumerate(queued)}
    places = [order[number] for number in served]
    assert places == sorted(places)


def test_what_was_refused_used_no_tokens() -> None:
    async def main() -> float:
        endpoint = gate(4, tpm=1000)
        with pytest.raises(RateLimited):
            async with endpoint.slot(900):
                raise RateLimited("429", retry_after_s=1.0)
        return await answered(endpoint, tokens=900)

    assert in_virtual_time(main()) == 0.5


def test_a_fault_of_another_kind_ends_the_rest_after_a_refusal() -> None:
    async def main() -> float:
        endpoint = gate(4)
        with pytest.raises(RateLimited):
            async with endpoint.slot():
                raise RateLimited("429", retry_after_s=90.0)
        with pytest.raises(ServerFault):
            async with endpoint.slot(waited=True):
                raise ServerFault("500")
        return await answered(endpoint)

    assert in_virtual_time(main()) == 0.0
