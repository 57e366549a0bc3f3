"""What is said while calls wait, and how often."""

from __future__ import annotations

import asyncio
import itertools

from virtual_time import in_virtual_time, now

from generator.calling.waits import Waits, WaitTeller


def test_the_text_has_the_longest_wait_and_counts_by_reason() -> None:
    waits = Waits()
    assert waits.describe(0.0) == ""
    assert not len(waits)
    with waits.waiting("429", 142.0), waits.waiting("503", 101.0), waits.waiting("429", 110.0):
        assert waits.describe(100.0) == "waiting 42 s: 429 ×2, 503 ×1"
        assert waits.describe(100.5) == "waiting 42 s: 429 ×2, 503 ×1"
        assert waits.describe(500.0) == "waiting 0 s: 429 ×2, 503 ×1"
    assert waits.describe(100.0) == ""


def test_seventeen_calls_that_wait_are_seventeen() -> None:
    async def main() -> str:
        waits = Waits()

        async def one(seconds: float) -> None:
            with waits.waiting("429", now() + seconds):
                await asyncio.sleep(seconds)

        calls = [asyncio.ensure_future(one(26.0 + n)) for n in range(17)]
        await asyncio.sleep(0)
        text = waits.describe(now())
        await asyncio.gather(*calls)
        return text

    assert in_virtual_time(main()) == "waiting 42 s: 429 ×17"


def test_waits_in_days_are_told_in_full() -> None:
    waits = Waits()
    with waits.waiting("429", 90_000.0):
        assert waits.describe(0.0) == "waiting 90,000 s: 429 ×1"


def test_it_is_told_once_a_second_though_nothing_happens_and_cleared_at_the_end() -> None:
    told: list[tuple[float, str]] = []

    async def main() -> None:
        waits = Waits()
        teller = WaitTeller(
            waits, lambda text: told.append((now(), text)), clock=now, tick=asyncio.sleep
        )
        with waits.waiting("429", 3.5):
            telling = asyncio.ensure_future(teller.run())
            await asyncio.sleep(3.5)
        await telling

    in_virtual_time(main())
    assert told == [
        (0.0, "waiting 4 s: 429 ×1"),
        (1.0, "waiting 3 s: 429 ×1"),
        (2.0, "waiting 2 s: 429 ×1"),
        (3.0, "waiting 1 s: 429 ×1"),
        (4.0, ""),
    ]


def test_many_short_waits_do_not_make_it_talk_more_often() -> None:
    told: list[float] = []

    async def main() -> None:
        waits = Waits()
        teller = WaitTeller(
            waits, lambda text: told.append(now()) if text else None, clock=now, tick=asyncio.sleep
        )
        for _ in range(100):
            with waits.waiting("500", now() + 0.1):
                telling = asyncio.ensure_future(teller.run())
                await asyncio.sleep(0.1)
            await asyncio.sleep(0)
            telling.cancel()

    in_virtual_time(main())
    assert 2 <= len(told) <= 11
    assert all(after - before >= 1.0 for before, after in itertools.pairwise(told))
