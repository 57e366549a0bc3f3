"""Calls per second and processor time per call: bare clients, the backends, the whole product.

One local server answers every client in the same run, with a latency of 0 or 200 ms.
`calling_profile.py` shows where the time of the whole product goes.
"""

from __future__ import annotations

import asyncio
import contextlib
import cProfile
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from fast_server import MODEL, serving, write_papers
from material import segment

from generator.backends import make_backend
from generator.calling.open_files import ensure_open_files
from generator.progress import SilentProgress
from generator.values import Message, Request, Sampling
from parsers.segments import SegmentRule

LATENCY_S = 0.2
CONCURRENCIES = (1, 10, 100, 1000)
ROUNDS = 3
LONG_S = 1.5
"""A figure that took longer than this is not taken again."""
# The openai package needs seconds for what the others do in one.
CALLS = {
    0.0: {1: 200, 10: 400, 100: 1000, 1000: 1500},
    LATENCY_S: {1: 5, 10: 60, 100: 1000, 1000: 2000},
}
FEW_CALLS = {
    0.0: {1: 50, 10: 50, 100: 200, 1000: 1000},
    LATENCY_S: {1: 5, 10: 50, 100: 200, 1000: 1000},
}


# A run of seconds, so that its beginning (a second process, concurrency that grows) weighs little.
RUN_CALLS = {
    0.0: {1: 1000, 10: 3000, 100: 6000, 1000: 6000},
    LATENCY_S: {1: 20, 10: 300, 100: 4000, 1000: 12000},
}


@dataclass(frozen=True)
class Figure:
    """Calls, and the wall and processor seconds they took together."""

    calls: int
    wall_s: float
    cpu_s: float


Ask = Callable[[int], Awaitable[str]]
Opened = AbstractAsyncContextManager[Ask]
Open = Callable[[str, int], Opened]


async def looped(opened: Opened, calls: int, concurrency: int) -> Figure:
    """`concurrency` workers that share `calls` calls, after one call to warm up."""
    numbers = iter(range(calls))

    async def work(ask: Ask) -> None:
        for number in numbers:
            if "paper" not in await ask(number):
                raise SystemExit("the server's answer did not arrive")

    async with opened as ask:
        await ask(0)
        wall, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work(ask) for _ in range(concurrency)))
        return Figure(calls, time.perf_counter() - wall, time.process_time() - cpu)


PROMPT = segment(random.Random(5), 2400)


def messages(number: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"Paper {number}. {PROMPT}"}]


@contextlib.asynccontextmanager
async def bare_openai(base_url: str, concurrency: int) -> AsyncIterator[Ask]:
    import openai

    async with openai.AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0) as client:

        async def ask(number: int) -> str:
            made = await client.chat.completions.create(
                model=MODEL, messages=messages(number), temperature=0.5, max_tokens=500
            )
            return made.choices[0].message.content or ""

        yield ask


@contextlib.asynccontextmanager
async def bare_aiohttp(base_url: str, concurrency: int) -> AsyncIterator[Ask]:
    import aiohttp

    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(number: int) -> str:
            body = {"model": MODEL, "messages": messages(number), "temperature": 0.5,
                    "max_tokens": 500}  # fmt: skip
            async with session.post(base_url + "/chat/completions", json=body) as response:
                value = json.loads(await response.read())
            return value["choices"][0]["message"]["content"]

        yield ask


def backend_over(kind: str) -> Open:
    @contextlib.asynccontextmanager
    async def opened(base_url: str, concurrency: int) -> AsyncIterator[Ask]:
        backend = make_backend(f"{kind}:{MODEL}@{base_url}", environ={}, concurrency=concurrency)
        sampling = Sampling(temperature=0.5, max_tokens=500)

        async def ask(number: int) -> str:
            content = messages(number)[0]["content"]
            request = Request((Message("user", content),), sampling=sampling)
            return (await backend.complete(request)).text

        try:
            yield ask
        finally:
            await backend.aclose()

    return opened


class Stopwatch(SilentProgress):
    """Times a run from its first step to its last verdict, without preparation and views."""

    def __init__(self, profiler: cProfile.Profile | None = None) -> None:
        self._profiler = profiler

    def start(self, total: int | None) -> None:
        self.wall, self.cpu = time.perf_counter(), processor_s()
        self.main_thread = time.thread_time()
        if self._profiler is not None:
            self._profiler.enable()

    def close(self) -> None:
        if self._profiler is not None:
            self._profiler.disable()
        self.main_thread = time.thread_time() - self.main_thread
        self.cpu = processor_s() - self.cpu
        self.wall = time.perf_counter() - self.wall


def processor_s() -> float:
    """Processor seconds of this process, and of children that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def whole_product(
    base_url: str, calls: int, concurrency: int, watch: Stopwatch | None = None
) -> Figure:
    """One run of the davinci recipe from its first step to its last file.

    Rendering, calls, store, parser, filters, line files; a process it starts counts too.
    """
    import generator

    watch = watch or Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        papers = Path(folder) / "papers.jsonl"
        write_papers(papers, calls)
        wall, cpu = time.perf_counter(), processor_s()
        result = generator.generate(
            "paperpersichat-davinci", papers, out=Path(folder) / "run",
            model=f"openai:{MODEL}@{base_url}", concurrency=concurrency, progress=watch,
            segments=SegmentRule(per_paper="all"), limit=calls, environ={},
        )  # fmt: skip
        wall, cpu = time.perf_counter() - wall, processor_s() - cpu
    if result.stopped or result.counts["calls"] != calls:
        raise SystemExit(f"the run did not end well: {result}")
    if result.counts["accepted"] < calls / 2:
        raise SystemExit(f"most dialogues were rejected: {result.counts}")
    return Figure(calls, wall, cpu)


def whole_calling(base_url: str, calls: int, concurrency: int) -> Figure:
    """The same run from its first step to its last verdict, without preparation and line files.

    A process that reads for it ends later, so its time is not in these processor seconds.
    """
    watch = Stopwatch()
    whole_product(base_url, calls, concurrency, watch)
    return Figure(calls, watch.wall, watch.cpu)


Run = Callable[[str, int, int], Figure]
RUNS: dict[str, Run] = {
    "whole product": whole_product,
    "the same, calling alone": whole_calling,
}
CLIENTS: dict[str, tuple[Open, bool]] = {
    "openai client, bare loop": (bare_openai, True),
    "backend over the SDK": (backend_over("openai-sdk"), True),
    "aiohttp, bare loop": (bare_aiohttp, False),
    "backend, fast path": (backend_over("openai"), False),
}
ROWS = (*CLIENTS, *RUNS)


def measure(name: str, base_url: str, latency_s: float, concurrency: int) -> Figure:
    if name in RUNS:
        return RUNS[name](base_url, RUN_CALLS[latency_s][concurrency], concurrency)
    opened, slow = CLIENTS[name]
    calls = (FEW_CALLS if slow else CALLS)[latency_s][concurrency]
    return asyncio.run(looped(opened(base_url, concurrency), calls, concurrency))


def report(address: str) -> None:
    for latency_s in (LATENCY_S, 0.0):
        print(f"\n{latency_s * 1000:.0f} ms latency: calls/s (CPU ms a call)", end="")
        print(", share of concurrency ÷ latency" if latency_s else "")
        print(f"{'':26}" + "".join(f"{f'at {n}':>24}" for n in CONCURRENCIES), flush=True)
        cells: dict[tuple[str, int], list[Figure]] = {}
        base_url = f"{address}/{latency_s * 1000:.0f}/v1"
        for concurrency in CONCURRENCIES:
            for turn in range(ROUNDS):  # Interleaved: the machine's moods meet all alike.
                for name in ROWS:
                    figures = cells.setdefault((name, concurrency), [])
                    if turn == 0 or sum(figure.wall_s for figure in figures) < LONG_S:
                        figures.append(measure(name, base_url, latency_s, concurrency))
        for name in ROWS:
            line = f"{name:26}"
            for concurrency in CONCURRENCIES:
                figures = cells[name, concurrency]
                rate = statistics.median(f.calls / f.wall_s for f in figures)
                cpu_ms = 1000 * statistics.median(f.cpu_s / f.calls for f in figures)
                share = f" {rate * latency_s / concurrency:5.2f}" if latency_s else ""
                line += f"{f'{rate:,.0f} ({cpu_ms:.2f}){share}':>24}"
            print(line, flush=True)


def main() -> None:
    ensure_open_files(2000)
    with serving() as address:
        report(address)


if __name__ == "__main__":
    main()
