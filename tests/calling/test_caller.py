"""The calling layer: stored answers first, retries by kind, durable before returned."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from generator.calling.caller import Caller, Environs
from generator.calling.retry import RetryPolicy
from generator.calling.roles import RoleBinding
from generator.errors import (
    BadKey,
    CallFailed,
    ConnectionFault,
    ContextOverflow,
    GivenUp,
    RateLimited,
    RequestRefused,
    ServerFault,
    Unreachable,
)
from generator.store import RunStore
from generator.values import Capabilities, Completion, Request, Sampling

Step = Completion | Exception


class Sequence:
    """A backend that gives its steps in order and counts its calls."""

    spec = "sequence"
    endpoint = "sequence"
    capabilities = Capabilities(frozenset({"chat", "completion"}))

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[Request] = []
        self.in_flight = 0
        self.most_in_flight = 0

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        await asyncio.sleep(0)
        self.in_flight -= 1
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, Exception):
            raise step
        return step

    async def aclose(self) -> None: ...


class Pauses:
    """A sleep that notes how long it should have been, and returns at once."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path / "store.sqlite", create=True)


def run(
    store: RunStore,
    backend: Sequence,
    work: Callable[[Caller], Awaitable[object]],
    *,
    pauses: Pauses | None = None,
    attempts: int = 3,
    concurrency: int = 4,
    rng: random.Random | None = None,
) -> object:
    async def main() -> object:
        caller = Caller(
            store,
            [RoleBinding("writer", backend, Sampling(temperature=0.0))],
            concurrency=concurrency,
            retry=RetryPolicy(max_attempts=attempts),
            environs=Environs(
                clock=lambda: 1.0, sleep=pauses or Pauses(), rng=rng or random.Random(1)
            ),
        )
        return await work(caller)

    return asyncio.run(main())


def ask(
    item: str = "i", prompt: str = "p", sample: int = 0
) -> Callable[[Caller], Awaitable[object]]:
    return lambda caller: caller.ask(item, "writer", prompt=prompt, sample=sample)


def test_an_answer_is_in_the_store_when_it_is_returned(store: RunStore) -> None:
    row = run(store, Sequence(Completion("yes", "stop")), ask())
    assert store.counts()["calls"] == 1
    assert store.find_call(row.key, item="i") == row  # type: ignore[attr-defined]


def test_a_stored_answer_is_not_asked_for_again(store: RunStore) -> None:
    backend = Sequence(Completion("yes", "stop"))
    first = run(store, backend, ask())
    again = run(store, backend, ask())
    assert first == again
    assert len(backend.requests) == 1


@pytest.mark.parametrize(
    ("other", "calls"),
    [
        pytest.param(ask(prompt="another"), 2, id="another prompt"),
        pytest.param(ask(sample=1), 2, id="another sample"),
        pytest.param(ask(item="j"), 2, id="the same request of another item"),
    ],
)
def test_what_counts_as_the_same_call(
    store: RunStore, other: Callable[[Caller], Awaitable[object]], calls: int
) -> None:
    backend = Sequence(Completion("yes", "stop"))
    run(store, backend, ask())
    run(store, backend, other)
    assert len(backend.requests) == calls


@pytest.mark.parametrize(
    "completion",
    [
        pytest.param(Completion("", "stop"), id="empty"),
        pytest.param(Completion("half a sent", "length"), id="truncated"),
        pytest.param(Completion("", "stop", refusal="no"), id="refusal"),
    ],
)
def test_a_useless_answer_is_kept_but_never_answers_another_item(
    store: RunStore, completion: Completion
) -> None:
    backend = Sequence(completion)
    run(store, backend, ask(item="i"))
    run(store, backend, ask(item="j"))
    assert len(backend.requests) == 2
    # The item itself is resumed with what it got: nothing is paid for twice.
    run(store, backend, ask(item="i"))
    run(store, backend, ask(item="j"))
    assert len(backend.requests) == 2


def test_n_attempts_means_n_attempts(store: RunStore) -> None:
    backend = Sequence(ServerFault("500"))
    with pytest.raises(ServerFault):
        run(store, backend, ask(), attempts=4)
    assert len(backend.requests) == 4


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(RequestRefused("400"), id="refused"),
        pytest.param(ContextOverflow("too long"), id="too long"),
        pytest.param(BadKey("401"), id="bad key"),
    ],
)
def test_what_cannot_succeed_is_not_tried_again(store: RunStore, error: Exception) -> None:
    backend = Sequence(error)
    with pytest.raises(type(error)):
        run(store, backend, ask())
    assert len(backend.requests) == 1


def test_rate_limits_use_up_no_attempts_and_are_waited_for_as_asked(store: RunStore) -> None:
    pauses = Pauses()
    limits = [RateLimited("429", retry_after_s=float(300 + n)) for n in range(9)]
    backend = Sequence(*limits, ServerFault("500"), Completion("yes", "stop"))
    row = run(store, backend, ask(), pauses=pauses, attempts=2)
    assert row.completion.text == "yes"  # type: ignore[attr-defined]
    assert pauses.seconds[:9] == [300.0 + n for n in range(9)]
    assert row.attempts == 11  # type: ignore[attr-defined]


@pytest.mark.parametrize("error", [RateLimited, ServerFault])
def test_a_server_that_says_at_once_for_ever_is_believed_once(
    store: RunStore, error: type[RateLimited | ServerFault]
) -> None:
    faults = [error("no", retry_after_s=0.0) for _ in range(9)]
    run(store, Sequence(*faults, Completion("yes", "stop")), ask(), attempts=10)
    store.put_failure("nobody", "").result()
    waits = [attempt.wait_s or 0.0 for attempt in store.attempts("i")]
    assert waits[0] == 0.0
    assert sum(waits) > 10


def test_a_short_wait_that_can_be_kept_is_kept_each_time(store: RunStore) -> None:
    pauses = Pauses()
    limits = [RateLimited("429", retry_after_s=0.2) for _ in range(5)]
    run(store, Sequence(*limits, Completion("yes", "stop")), ask(), pauses=pauses)
    assert [s for s in pauses.seconds if s] == [0.2] * 5


def test_without_a_word_from_the_server_waits_are_jittered_and_bounded(store: RunStore) -> None:
    pauses = Pauses()
    with pytest.raises(ServerFault):
        run(store, Sequence(ServerFault("500")), ask(), pauses=pauses, attempts=12)
    assert len(pauses.seconds) == 11
    assert len(set(pauses.seconds)) == 11
    assert all(0 <= s <= 60 for s in pauses.seconds)
    assert max(pauses.seconds[:2]) <= 2


def test_the_longest_wait_is_a_second_and_doubles_up_to_a_minute(store: RunStore) -> None:
    class Unlucky(random.Random):
        def uniform(self, a: float, b: float) -> float:
            return b

    pauses = Pauses()
    with pytest.raises(ServerFault):
        run(store, Sequence(ServerFault("500")), ask(), pauses=pauses, attempts=9, rng=Unlucky())
    assert pauses.seconds == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_every_failed_attempt_is_kept_for_inspection(store: RunStore) -> None:
    backend = Sequence(ServerFault("500", body="oops", status=500), Completion("yes", "stop"))
    run(store, backend, ask())
    store.put_failure("nobody", "").result()
    (attempt,) = store.attempts("i")
    assert (attempt.code, attempt.status, attempt.body) == ("server_fault", 500, "oops")
    assert attempt.wait_s is not None


def test_a_server_that_never_answered_stops_the_run(store: RunStore) -> None:
    with pytest.raises(Unreachable, match="check the address"):
        run(store, Sequence(ConnectionFault("refused")), ask())


def test_a_lost_connection_after_answers_fails_only_its_item(store: RunStore) -> None:
    async def work(caller: Caller) -> object:
        await caller.ask("i", "writer", prompt="a")
        with pytest.raises(CallFailed) as failed:
            await caller.ask("j", "writer", prompt="b")
        assert isinstance(failed.value, ConnectionFault)
        return None

    run(store, Sequence(Completion("yes", "stop"), ConnectionFault("reset")), work)


def test_never_more_in_flight_than_asked_for(store: RunStore) -> None:
    backend = Sequence(Completion("yes", "stop"))

    async def work(caller: Caller) -> object:
        return await asyncio.gather(
            *(caller.ask(f"i{n}", "writer", prompt=f"p{n}") for n in range(50))
        )

    run(store, backend, work, concurrency=3)
    assert backend.most_in_flight == 3
    assert store.counts()["calls"] == 50


def test_an_explicit_zero_is_sent(store: RunStore) -> None:
    backend = Sequence(Completion("yes", "stop"))
    run(store, backend, ask())
    assert backend.requests[0].sampling.temperature == 0.0


def test_once_the_run_ends_nobody_waits_for_another_attempt(store: RunStore) -> None:
    backend = Sequence(ServerFault("500", retry_after_s=3600.0))

    async def forever(seconds: float) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        caller = Caller(
            store,
            [RoleBinding("writer", backend, Sampling())],
            concurrency=1,
            environs=Environs(sleep=forever),
        )
        waiting = asyncio.ensure_future(caller.ask("i", "writer", prompt="p"))
        while not backend.requests:
            await asyncio.sleep(0)
        caller.stop_retrying()
        with pytest.raises(GivenUp):
            await asyncio.wait_for(waiting, 10)

    asyncio.run(main())
    assert len(backend.requests) <= 2
