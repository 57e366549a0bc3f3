"""`dialogsmith refilter`: parser and filters again over the stored raw outputs."""

from __future__ import annotations

import argparse
from pathlib import Path

from generator.commands.options import add_settings_file, chosen_groups, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument("--parser", choices=("dialogsmith", "original"), help="change the parser")
    parser.add_argument(
        "--set", metavar="GROUP.NAME=VALUE", action="append", default=[], dest="sets",
        help="change one setting of the filters (filters.max_echo=0.7, filters.off=loop) or of "
        "the parser (parser.person_labels=Reader,读者); repeatable",
    )  # fmt: skip
    add_settings_file(parser)


def run(options: argparse.Namespace) -> int:
    from generator.judging import changes_from
    from generator.refiltering import refilter

    changes = changes_from(chosen_groups(options), parser=options.parser)
    result = refilter(
        options.run_dir, parser=changes.parser, filters=changes.filters, words=changes.words
    )
    for (before, after), count in sorted(result.moved.items(), key=lambda m: (-m[1], m[0])):
        say(f"{count:6}  {before} → {after}")
    counts = result.counts
    say(
        f"{sum(result.moved.values())} changed, {result.unchanged} unchanged; "
        f"now {counts['accepted']} accepted, {counts['rejected']} rejected; no model call"
    )
    return 0
