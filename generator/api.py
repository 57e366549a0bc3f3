"""The library's front door: one call, from scripts and from notebooks alike."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.filters import FilterSettings
from generator.job import run_job
from generator.progress import Progress, SilentProgress, progress_for
from generator.recipes import get_recipe
from generator.recipes.model import RecipeSettings
from generator.recipes.parser_words import ParserWords
from generator.run import RunResult
from generator.settings import DEFAULT_MODEL, RunSettings
from generator.target import GIVE_UP_WITHOUT_YIELD
from parsers.segments import SegmentRule


async def agenerate(
    recipe: str,
    inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    out: str | os.PathLike[str],
    model: str = DEFAULT_MODEL,
    roles: Mapping[str, str] | None = None,
    sampling: Mapping[str, Mapping[str, Any]] | None = None,
    lang: str = "en",
    variant: str = "auto",
    parser: str = "dialogsmith",
    on_overflow: str = "reject",
    segments: SegmentRule | None = None,
    filters: FilterSettings | None = None,
    options: Any = None,
    parser_words: ParserWords | None = None,
    prompts: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    limit: int | None = None,
    target: int | None = None,
    give_up_after: int = GIVE_UP_WITHOUT_YIELD,
    concurrency: int | None = None,
    branch: str | os.PathLike[str] | None = None,
    retry_truncated: bool = False,
    rpm: int | None = None,
    tpm: int | None = None,
    max_cost: float | None = None,
    max_tokens_total: int | None = None,
    prices: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Progress | bool = False,
) -> RunResult:
    """Run a recipe over documents, or resume such a run; see `generate`."""
    many = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    settings = RunSettings(
        recipe=recipe,
        inputs=tuple(os.fspath(path) for path in many),
        out=Path(out),
        model=model,
        roles=dict(roles or {}),
        sampling=dict(sampling or {}),
        recipe_settings=RecipeSettings(
            lang=lang,
            variant=variant,
            parser=parser,
            on_overflow=on_overflow,
            segments=segments or _published_rule(recipe, seed),
            filters=filters or FilterSettings(),
            prompts=None if prompts is None else Path(prompts),
            options=options,
            parser_words=parser_words or ParserWords(),
        ),
        seed=seed,
        limit=limit,
        target=target,
        give_up_after=give_up_after,
        concurrency=concurrency,
        branch=None if branch is None else Path(branch),
        retry_truncated=retry_truncated,
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        max_tokens_total=max_tokens_total,
        prices=None if prices is None else Path(prices),
    )
    shown: Progress
    if isinstance(progress, bool):
        shown = progress_for(clock=time.monotonic) if progress else SilentProgress()
    else:
        shown = progress
    return await run_job(
        settings, environ=os.environ if environ is None else environ, progress=shown
    )


def generate(
    recipe: str,
    inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    out: str | os.PathLike[str],
    **options: Any,
) -> RunResult:
    """Run a recipe over documents, or resume such a run, and wait for its end.

    `inputs` are paper files or folders, `out` is the run directory. Further
    options are those of `agenerate`: `model` (a SPEC), `roles`, `sampling`,
    `lang`, `variant`, `segments`, `filters`, `options` (the recipe's own), `parser_words`, `seed`,
    `limit`, `target`, `concurrency`, ….
    Works inside a running event loop (notebooks) too. Raises `WrongUse` for
    wrong settings; a run that had to stop says so in the result's `stopped`.
    """
    return _wait(agenerate(recipe, inputs, out=out, **options))


def _published_rule(recipe: str, seed: int | None) -> SegmentRule:
    """The recipe's own rule; the seed is that of its draws as well, as on the command line."""
    rule = get_recipe(recipe).segments
    return rule if seed is None else replace(rule, seed=seed)


def _wait(work: Coroutine[Any, Any, RunResult]) -> RunResult:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    # A notebook's own loop is running in this thread: the work gets a thread with another.
    box: dict[str, Any] = {}

    async def main() -> RunResult:
        box["loop"], box["task"] = asyncio.get_running_loop(), asyncio.current_task()
        return await work

    def in_thread() -> None:
        try:
            box["result"] = asyncio.run(main())
        except BaseException as error:
            box["error"] = error

    thread = threading.Thread(target=in_thread, name="dialogsmith-generate")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        # "Interrupt the kernel": give up what is in flight, keep all that has arrived.
        if "task" in box:
            box["loop"].call_soon_threadsafe(box["task"].cancel)
        thread.join()
        raise
    if "error" in box:
        raise box["error"]
    result: RunResult = box["result"]
    return result
