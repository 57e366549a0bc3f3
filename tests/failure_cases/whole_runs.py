"""Whole runs against the fake server: papers, one-line starts, and what came of each item."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import generator
from generator.calling.caller import Environs
from generator.fakeserver import FakeServer, FakeServerSettings, parse_fault, read_schedule
from generator.job import run_job
from generator.progress import Progress, SilentProgress
from generator.settings import RunSettings
from generator.store import RunStore

ONE_CALL = "paperpersichat-davinci"
SELF_PLAY = "paperpersichat-selfplay"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")

_SENTENCES = (
    "The {name} desk sorts tide gauges by the age of their last calibration.",
    "Old gauges are read twice before their level enters the harbour chart.",
    "The keepers compared {number} winters and found the second reading cheap.",
    "A drifting gauge betrays itself by a slope that its neighbours do not share.",
    "Paper strips remain in a drawer so that any level can be checked by hand.",
    "The {name} desk closed three gauges and repaired the other eleven.",
    "Fishermen asked for the chart at dawn, and the desk prints it before five.",
    "In the end the cheap second reading replaced a costly satellite link.",
)


def body_of(number: int, *, times: int = 3) -> str:
    """About 600 characters of prose, so many times over, that no other paper has."""
    return " ".join(
        sentence.format(name=f"Harbour{number}", number=number + 4)
        for sentence in _SENTENCES * times
    )


def write_papers(path: Path, count: int, *, first: int = 0, times: int = 3) -> Path:
    """A JSONL file of papers with one eligible segment each, numbered from `first`."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(first, first + count):
            sections = [{"heading": "1 Introduction", "text": body_of(number, times=times)}]
            sections += [
                {"heading": heading, "text": "Short."}
                for heading in ("2 Method", "3 Experiments", "4 Results", "Acknowledgements")
            ]
            paper = {
                "title": f"Tides at harbour {number}",
                "abstract": f"On the gauges of harbour {number}.",
                "sections": sections,
            }
            file.write(json.dumps(paper) + "\n")
    return path


def fake_server(*faults: str, schedule: Sequence[dict[str, Any]] = (), **more: Any) -> FakeServer:
    """A server with these faults (and a schedule of them by the order of requests)."""
    lines = "\n".join(json.dumps(line) for line in schedule).encode()
    settings = FakeServerSettings(
        seed=3,
        faults=tuple(parse_fault(fault) for fault in faults),
        schedule=read_schedule(lines, "schedule"),
        **more,
    )
    return FakeServer(settings)


def model_at(server: FakeServer) -> str:
    return f"openai:fake@{server.base_url}"


def run(server: FakeServer, papers: Path, out: Path, **options: Any) -> generator.RunResult:
    """Run or resume the one-call recipe against the server, without a key of this machine."""
    chosen = {"recipe": ONE_CALL, "environ": {}, "model": model_at(server), **options}
    return generator.generate(chosen.pop("recipe"), papers, out=out, **chosen)


class Hurry:
    """A clock that every wait moves on at once; `waits` are the seconds asked for, in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def environs(self) -> Environs:
        return Environs(
            clock=lambda: 1_000_000.0 + self.now, monotonic=lambda: self.now, sleep=self.sleep,
            tick=lambda _: asyncio.sleep(0),
        )  # fmt: skip


def hurried(
    server: FakeServer,
    papers: Path,
    out: Path,
    *,
    hurry: Hurry | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> generator.RunResult:
    """Like `run`, one request at a time, and no wait takes any time."""
    chosen = RunSettings(
        inputs=(str(papers),), out=out,
        **{"recipe": ONE_CALL, "model": model_at(server), "concurrency": 1, **settings},
    )  # fmt: skip
    environs = (hurry or Hurry()).environs()
    work = run_job(chosen, environ={}, progress=progress or SilentProgress(), environs=environs)
    return asyncio.run(asyncio.wait_for(work, 50))


def command(*arguments: object) -> list[str]:
    """The command line that runs `dialogsmith` with these arguments."""
    return [sys.executable, "-m", "generator.cli", *map(str, arguments)]


def generate_command(
    server: FakeServer, papers: Path, out: Path, *more: object, recipe: str = ONE_CALL
) -> list[str]:
    return command("generate", recipe, papers, "--out", out, "--model", model_at(server), *more)


def finished(arguments: list[str], **environ: str) -> subprocess.CompletedProcess[str]:
    """A command that must end by itself within a minute."""
    plain = {k: v for k, v in os.environ.items() if not k.endswith(("_API_KEY", "_BASE_URL"))}
    return subprocess.run(
        arguments, capture_output=True, text=True, timeout=60, check=False, env={**plain, **environ}
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def views(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in VIEWS}


def first_reasons(out: Path) -> dict[str, str]:
    """The first reason (stage/code) of each rejected item, by its id."""
    return {
        line["id"]: "{stage}/{code}".format(**line["reasons"][0])
        for line in lines(out / "rejected.jsonl")
    }


def open_store(out: Path) -> RunStore:
    return RunStore(out / "store.sqlite", create=False, writable=False)


def failures(out: Path) -> dict[str, str]:
    """What failed items failed with, by their id."""
    store = open_store(out)
    try:
        return {row.id: row.failure or "" for row in store.items(state="failed")}
    finally:
        store.close()


def attempts(out: Path) -> list[Any]:
    """All failed attempts, item by item."""
    store = open_store(out)
    try:
        return [attempt for item in store.items() for attempt in store.attempts(item.key)]
    finally:
        store.close()
