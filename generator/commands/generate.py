"""`dialogsmith generate`: run a recipe, or resume a run."""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Any

from generator.commands.numbers import from_zero, number, positive
from generator.commands.options import add_pace_options, add_recipe_options, run_settings, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_recipe_options(parser)
    group = parser.add_argument_group("run")
    group.add_argument(
        "--out", metavar="DIR", type=Path, required=True,
        help="the run directory; the same command with the same directory resumes",
    )  # fmt: skip
    group.add_argument("--limit", type=positive, metavar="N", help="work on the first N items")
    group.add_argument(
        "--target", type=positive, metavar="N",
        help="stop at exactly N accepted records, the first in input order",
    )  # fmt: skip
    group.add_argument(
        "--give-up-after", type=from_zero, metavar="K", default=100,
        help="end early when none of the first K items is accepted (default: 100; 0: never)",
    )  # fmt: skip
    add_pace_options(group)
    group.add_argument(
        "--max-cost", type=number, metavar="USD",
        help="stop before the request that could cost more than this in all; resumable",
    )  # fmt: skip
    group.add_argument(
        "--max-tokens-total", type=positive, metavar="N",
        help="stop before the request that could use more tokens than this in all; resumable",
    )  # fmt: skip
    group.add_argument(
        "--dry-run", action="store_true",
        help="ask nothing, write nothing: forecast calls, tokens, cost and time",
    )  # fmt: skip
    group.add_argument(
        "--branch", metavar="RUN", type=Path,
        help="reuse the answers of another run where the requests are the same",
    )  # fmt: skip
    group.add_argument(
        "--retry-truncated", action="store_true",
        help="do the items again whose answer was cut off, and only those, with a larger "
        "--set ROLE.max_tokens=N",
    )  # fmt: skip
    group.add_argument("--quiet", action="store_true", help="no progress")


def run(options: argparse.Namespace) -> int:
    from generator.progress import progress_for
    from generator.report.terminal import describe_run

    settings = run_settings(options, options.out)
    if options.dry_run:
        from generator.dry_run import dry_run

        say(f"{asyncio.run(dry_run(settings, os.environ))}; nothing was asked")
        return 0
    _say_what_the_embedded_model_is(settings)
    progress = progress_for(clock=time.monotonic, quiet=options.quiet)
    result = asyncio.run(_with_signals(settings, progress))
    say(describe_run(options.out))
    if result.stopped is not None:
        sys.stderr.write(f"dialogsmith: {result.stopped}\n{_hint(options, result.stopped)}")
        return int(getattr(result.stopped, "exit_code", 2))
    if result.interrupted:
        sys.stderr.write(f"dialogsmith: interrupted. {_hint(options)}")
        return 130
    if not result.counts["items"]:
        sys.stderr.write("dialogsmith: the inputs gave no item; the reasons stand above\n")
        return 1
    if result.counts["failed"]:
        sys.stderr.write(
            f"dialogsmith: {result.counts['failed']} items failed at the backend; "
            f"they are tried again by the next run. {_hint(options)}"
        )
        return 1
    if settings.target is not None and result.counts["accepted"] < settings.target:
        limited = settings.limit is not None and result.counts["items"] >= settings.limit
        sys.stderr.write(
            f"dialogsmith: {result.counts['accepted']} accepted, {settings.target} were wanted; "
            + (
                f"--limit {settings.limit} allows no more items. Raise it"
                if limited
                else "the inputs give no more. Add inputs"
            )
            + ", or see what was rejected\n"
        )
        return 1
    if not result.counts["accepted"]:
        sys.stderr.write(
            "dialogsmith: no dialogue was accepted; "
            f"see `dialogsmith rejects {shlex.quote(str(options.out))}`\n"
        )
        return 1
    return 0


async def _with_signals(settings: Any, progress: Any) -> Any:
    """The first Ctrl+C (or SIGTERM) drains, the second gives up what is in flight."""
    from generator.job import run_job
    from generator.run import StopSignal

    stop = StopSignal()
    task = asyncio.ensure_future(
        run_job(settings, environ=os.environ, progress=progress, stop=stop)
    )

    def on_signal() -> None:
        if stop.draining:
            task.cancel()
        else:
            stop.drain()
            sys.stderr.write("\nending: waiting for what is in flight; once more gives that up\n")

    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(one, on_signal)
        except NotImplementedError:  # Windows has no loop signal handlers
            signal.signal(one, lambda *_: loop.call_soon_threadsafe(on_signal))
    return await task


def _say_what_the_embedded_model_is(settings: Any) -> None:
    from generator.backends.embedded import NOTICE
    from generator.recipes import get_recipe
    from generator.settings import role_specs

    if "embedded" in role_specs(settings, get_recipe(settings.recipe)).values():
        sys.stderr.write(f"note: {NOTICE}\n")


def _hint(options: argparse.Namespace, stopped: Exception | None = None) -> str:
    """How to go on; an error that wants something changed first has said what."""
    from generator.commands.resume_hint import resume_command
    from generator.errors import BudgetReached, NoYield

    asks_for_more = isinstance(stopped, BudgetReached | NoYield)
    lead = "The command was:" if asks_for_more else "To go on, run the same command again:"
    return f"{lead}\n  {resume_command(sys.argv, options.out)}\n"
