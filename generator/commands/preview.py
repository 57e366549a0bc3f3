"""`dialogsmith preview`: a few items in full on the terminal; writes nothing."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import Any

from generator.commands.numbers import positive
from generator.commands.options import add_pace_options, add_recipe_options, run_settings, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_recipe_options(parser)
    parser.add_argument(
        "--limit", type=positive, default=1, metavar="N", help="items shown (default: 1)"
    )
    add_pace_options(parser.add_argument_group("forecast of the whole run"))


def run(options: argparse.Namespace) -> int:
    from generator.preview import preview

    settings = run_settings(options, Path())
    verdicts = asyncio.run(_show_all(preview(settings, os.environ)))
    if not verdicts:
        say("the inputs gave no item; `dialogsmith generate … --dry-run` tells why")
        return 1
    return 3 if "failed" in verdicts else 0


async def _show_all(items: Any) -> list[str]:
    from generator.preview import PreviewItem
    from generator.report.show import harmless

    verdicts: list[str] = []
    async for item in items:
        if not isinstance(item, PreviewItem):
            say(f"══ a run over all the inputs ══\n{item.forecast}")
            continue
        verdicts.append(item.verdict)
        say(f"══ {harmless(item.id)} ══")
        for step in item.steps:
            say(f"── {step.role} is asked ({step.spec}) ──")
            say(harmless(step.prompt))
            say(f"── {step.role} answers ({step.outcome}) ──")
            say(harmless(step.text))
        say("── parsed ──")
        say(harmless(item.parsed))
        say(f"── {item.verdict} ──")
        for line in item.reasons:
            say("  " + harmless(line))
        if item.cost:
            say(item.cost)
    return verdicts
