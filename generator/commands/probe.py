"""`dialogsmith probe`: what a backend can do, by asking it."""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import Any

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="BACKEND:MODEL[@BASE_URL]")
    parser.add_argument(
        "--set", metavar="backend.NAME=VALUE", action="append", default=[], dest="sets",
        help="an option of the backend, for example backend.roles=fold-system; repeatable",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from generator.probe import advice

    findings = asyncio.run(_ask(options))
    hint = advice(findings)
    if hint:
        say(f"\nuse it with: {hint}")
    return 0 if any(finding.works for finding in findings) else 1


async def _ask(options: argparse.Namespace) -> list[Any]:
    from generator.backends import BackendOptions, make_backend
    from generator.errors import WrongUse
    from generator.overrides import apply_overrides, parse_set_options
    from generator.probe import describe_capabilities, probe
    from generator.replay_source import open_stored_calls
    from generator.report.show import harmless

    sets = parse_set_options(options.sets)
    wanted = apply_overrides(BackendOptions(), sets.pop("backend", {}), "backend.")
    if sets:
        raise WrongUse(f"--set {next(iter(sets))}.…: probe takes backend.NAME=VALUE only")
    backend = make_backend(
        options.spec, environ=os.environ, options=wanted, open_run=open_stored_calls
    )
    findings = []
    try:
        say(f"{backend.spec}\n{describe_capabilities(backend.capabilities)}")
        async for finding in probe(backend):
            findings.append(finding)
            mark = {True: "yes", False: "no", None: "?"}[finding.works]
            say(f"  {mark:>3}  {finding.name}: {harmless(finding.detail)}")
    finally:
        await backend.aclose()
    return findings
