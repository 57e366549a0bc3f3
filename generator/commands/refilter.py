"""`dialogsmith refilter`: parser and filters again over the stored raw outputs."""

from __future__ import annotations

import argparse
from pathlib import Path

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument("--parser", choices=("dialogsmith", "original"), help="change the parser")
    parser.add_argument(
        "--set", metavar="filters.NAME=VALUE", action="append", default=[], dest="sets",
        help="change one filter setting; repeatable",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from generator.errors import WrongUse
    from generator.refiltering import refilter
    from generator.settings import parse_set_options

    sets = parse_set_options(options.sets)
    filters = sets.pop("filters", {})
    if sets:
        raise WrongUse(
            f"--set {next(iter(sets))}.…: refilter changes filters only; a role's sampling needs "
            "new answers, so make another run"
        )
    result = refilter(options.run_dir, parser=options.parser, filters=filters)
    for (before, after), count in sorted(result.moved.items(), key=lambda m: (-m[1], m[0])):
        say(f"{count:6}  {before} → {after}")
    counts = result.counts
    say(
        f"{sum(result.moved.values())} changed, {result.unchanged} unchanged; "
        f"now {counts['accepted']} accepted, {counts['rejected']} rejected; no model call"
    )
    return 0
