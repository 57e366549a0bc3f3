"""What a run would ask and cost, reckoned from its real inputs and templates; nothing is asked."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

from generator.calling.forecast import RoleSample, forecast
from generator.calling.prices import load_prices
from generator.errors import WrongUse
from generator.job import PreparedJob, prepare_job
from generator.recipes.model import Answer, Item, Skipped, StillReading
from generator.run_directory import RunDirectory
from generator.settings import RunSettings
from generator.store import RunStore
from generator.values import (
    Completion,
    Constraint,
    Environment,
    Message,
    Request,
    with_stops,
)

SAMPLE_ITEMS = 100
"""Items whose prompts are rendered; the others are only counted."""

TYPICAL_ANSWER = {
    "writer": 350,
    "summarizer": 80,
    "person": 20,
    "bot": 60,
    "asker": 25,
    "answerer": 350,
    "judge": 5,
}
"""Usual tokens of an answer: PaperPersiChat's figures (summary 60, bot answer 54 on average, four
pairs a dialogue), with room for the labels; TruthReader's (question 19, answer 208 words)."""


async def dry_run(settings: RunSettings, environ: Environment) -> str:
    """The forecast as text. Raises `WrongUse` for what would stop the run before its first call."""
    async with AsyncExitStack() as stack:
        job = await prepare_job(settings, environ, stack)
        reckoning = Reckoning(job, target=settings.target)
        for met in job.prepared.items(settings.inputs):
            if settings.limit is not None and reckoning.items >= settings.limit:
                break
            await reckoning.add(met)
        return reckoning.text(latency_s=mean_latency(settings))


class Reckoning:
    """Adds up what a run over the items it is shown would ask. With a `target`, at least."""

    def __init__(self, job: PreparedJob, *, target: int | None = None) -> None:
        self._job = job
        self._target = target
        self._asked: dict[str, list[Request]] = defaultdict(list)
        self._skipped: Counter[str] = Counter()
        self.items = 0

    async def add(self, met: Item | Skipped | StillReading) -> None:
        """Count one entry of the inputs; the prompts of the first items are rendered."""
        if isinstance(met, Item):
            self.items += 1
            if self.items <= SAMPLE_ITEMS:
                await _rehearse(self._job, met, self._asked)
        elif isinstance(met, Skipped):
            self._skipped[met.code] += 1

    def text(
        self, *, latency_s: float | None, answer_tokens: Mapping[str, int] | None = None
    ) -> str:
        """The forecast. `answer_tokens` are mean tokens of answers by role, where they are known.

        Raises `WrongUse` when there was no item.
        """
        if not self.items:
            raise WrongUse(f"the inputs give no item{_why(self._skipped)}")
        settings = self._job.settings
        typical = TYPICAL_ANSWER | dict(answer_tokens or {})
        samples = [
            RoleSample(
                binding.role,
                binding.backend.spec,
                self._asked[binding.role],
                items=min(self.items, SAMPLE_ITEMS),
                typical_answer_tokens=typical.get(binding.role),
            )
            for binding in self._job.bindings
            if self._asked[binding.role]
        ]
        least = min(self.items, self._target or self.items)
        plan = forecast(
            least,
            samples,
            load_prices(settings.prices),
            concurrency=self._job.concurrency,
            mean_latency_s=latency_s,
            rpm=settings.rpm,
            tpm=settings.tpm,
        )
        lines = [plan.describe()]
        if least < self.items:
            lines.append(
                f"--target {least:,} of {self.items:,} items: reckoned as if all were accepted; "
                "each that is rejected adds one"
            )
        lines.append(f"{self.items:,} items, {self._skipped.total():,} skipped")
        return "\n".join(lines)


def _why(reasons: Counter[str]) -> str:
    named = ", ".join(f"{count} {code}" for code, count in reasons.most_common(3))
    return f": skipped for {named}; see docs/formats-in.md" if named else ""


async def _rehearse(job: PreparedJob, item: Item, asked: dict[str, list[Request]]) -> None:
    """Render every request of an item; the answers are stand-ins of a usual length."""
    bindings = {binding.role: binding for binding in job.bindings}

    async def ask(
        role: str,
        *,
        messages: Sequence[Message] = (),
        prompt: str | None = None,
        constraint: Constraint | None = None,
        opening: str = "",
        stop: tuple[str, ...] = (),
        sample: int = 0,
    ) -> Answer:
        sampling = with_stops(bindings[role].sampling, stop)
        asked[role].append(Request(tuple(messages), prompt, sampling, constraint))
        text = _stand_in(role, len(asked[role]))
        return Answer(role, "dry-run", item.key, opening, Completion(text, "stop"))

    await job.prepared.run(item, ask)


def _stand_in(role: str, number: int) -> str:
    words = " ".join(f"word{number}x{n}" for n in range(TYPICAL_ANSWER.get(role, 60) // 3))
    if role == "judge":
        return "No."
    return f"What is {words}?" if role in ("person", "asker") else f"It is {words}."


def mean_latency(settings: RunSettings) -> float | None:
    """Mean seconds of an answer in this very run directory so far, None when there is none."""
    path = RunDirectory(settings.out).store
    if not os.path.isfile(path):
        return None
    store = RunStore(path, create=False, writable=False)
    try:
        return store.mean_latency()
    finally:
        store.close()
