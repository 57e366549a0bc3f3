"""A few items in full, in memory: prompts, raw outputs, parse and verdict."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from statistics import mean

from generator.calling.prices import PriceTable, dollars, load_prices
from generator.candidates import call_refusal
from generator.dry_run import Reckoning
from generator.errors import CallFailed, ContentFiltered, ContextOverflow
from generator.job import PreparedJob, prepare_job
from generator.recipes.model import Answer, Candidate, Item
from generator.settings import RunSettings
from generator.values import Completion, Constraint, Environment, Message, Request, with_stops


@dataclass(frozen=True, slots=True)
class PreviewStep:
    """One call: what was sent, and what came back."""

    role: str
    spec: str
    prompt: str
    text: str
    outcome: str


@dataclass(frozen=True, slots=True)
class PreviewItem:
    """One item from prompt to verdict."""

    id: str
    steps: tuple[PreviewStep, ...]
    parsed: str
    verdict: str
    reasons: tuple[str, ...]
    cost: str = ""


@dataclass(frozen=True, slots=True)
class WholeRun:
    """What a run over all the inputs would ask, cost and take, by what the preview saw."""

    forecast: str


async def preview(
    settings: RunSettings, environ: Environment
) -> AsyncIterator[PreviewItem | WholeRun]:
    """The first `settings.limit` items of the inputs (one by default), worked through in full.

    Then the forecast of a run over all of them; nothing where there is no item.
    """
    async with AsyncExitStack() as stack:
        job = await prepare_job(settings, environ, stack)
        prices = load_prices(settings.prices)
        reckoning = Reckoning(job)
        seen = _Seen()
        for met in job.prepared.items(settings.inputs):
            await reckoning.add(met)
            if isinstance(met, Item) and reckoning.items <= (settings.limit or 1):
                yield await _preview_item(job, met, prices, seen)
        if reckoning.items:
            yield WholeRun(
                reckoning.text(
                    latency_s=mean(seen.latencies_s) if seen.latencies_s else None,
                    answer_tokens={
                        role: round(mean(counts)) for role, counts in seen.answer_tokens.items()
                    },
                )
            )


@dataclass(slots=True)
class _Seen:
    """What the calls of a preview took."""

    latencies_s: list[float] = field(default_factory=list)
    answer_tokens: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, role: str, completion: Completion) -> None:
        if completion.latency_s is not None:
            self.latencies_s.append(completion.latency_s)
        if completion.usage.completion_tokens is not None:
            self.answer_tokens[role].append(completion.usage.completion_tokens)


async def _preview_item(
    job: PreparedJob, item: Item, prices: PriceTable, seen: _Seen
) -> PreviewItem:
    steps: list[PreviewStep] = []
    costs: list[float | None] = []
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
        binding = bindings[role]
        request = Request(tuple(messages), prompt, with_stops(binding.sampling, stop), constraint)
        completion = await binding.backend.complete(request)
        seen.add(role, completion)
        usage = completion.usage
        price = prices.price_of(binding.backend.spec)
        costs.append(None if price is None else price.cost_of(usage))
        steps.append(
            PreviewStep(
                role,
                binding.backend.spec,
                prompt if prompt is not None else _as_text(messages),
                opening + completion.text,
                f"finish: {completion.finish_reason or 'unknown'}; tokens: "
                f"{_known(usage.prompt_tokens)} prompt, {_known(usage.completion_tokens)} answer",
            )
        )
        return Answer(role, f"preview-{len(steps)}", item.key, opening, completion)

    try:
        candidate = await job.prepared.run(item, ask)
    except (ContextOverflow, ContentFiltered) as error:
        candidate = Candidate(refused=(call_refusal(error),))
    except CallFailed as error:
        return PreviewItem(item.id, tuple(steps), "", "failed", (f"{error.code}: {error}",))
    reading = job.prepared.interpret(item, candidate)
    verdict = reading.verdict
    return PreviewItem(
        id=item.id,
        steps=tuple(steps),
        parsed="(nothing)"
        if reading.parsed is None
        else json.dumps(reading.parsed, ensure_ascii=False, indent=2),
        verdict="accepted" if verdict.accepted else "rejected",
        reasons=tuple(f"{r.stage}/{r.code}: {r.detail}" for r in verdict.reasons),
        cost=_cost_text(costs),
    )


def _cost_text(costs: Sequence[float | None]) -> str:
    known = [cost for cost in costs if cost is not None]
    total = dollars(sum(known)) if len(known) == len(costs) else "unknown"
    calls = "1 call" if len(costs) == 1 else f"{len(costs)} calls"
    return f"{calls}, cost {total}"


def _as_text(messages: Sequence[Message]) -> str:
    return "\n".join(f"[{message.role}]\n{message.content}" for message in messages)


def _known(count: int | None) -> str:
    return "unknown" if count is None else str(count)
