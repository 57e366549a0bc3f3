"""`dialogsmith compare`: two runs over the same inputs, side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator.commands.numbers import from_zero
from generator.commands.options import say

_CHANGES = (
    "changed", "gained", "lost", "other_reason", "both_accepted", "both_rejected", "only_a",
    "only_b", "all",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_a", metavar="A", type=Path, help="a run directory")
    parser.add_argument("run_b", metavar="B", type=Path, help="the run to hold beside it")
    parser.add_argument(
        "--items", choices=_CHANGES, default="changed",
        help="which items to list after the figures: those whose place changed (default), gained "
        "or lost by B, rejected for another reason, …",
    )  # fmt: skip
    parser.add_argument(
        "--limit", type=from_zero, default=10, metavar="N",
        help="list at most N items (default 10; 0: the figures alone)",
    )  # fmt: skip
    parser.add_argument(
        "--json", action="store_true",
        help="JSON lines: the figures as the first line, then one line for each item",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    import jsonlines

    from generator.comparing import RunPair
    from generator.comparing.describe import describe_comparison, describe_item
    from generator.comparing.model import item_json
    from generator.shapes import dump_record

    with RunPair(options.run_a, options.run_b) as pair:
        found = pair.compare()
        listed = pair.items(options.items, limit=options.limit)
        if options.json:
            out = jsonlines.Writer(sys.stdout, dumps=dump_record)
            out.write(found.to_json())
            for item in listed:
                out.write(item_json(item))
            return 0
        say(describe_comparison(found))
        if options.limit:
            say()
            say(f"items ({options.items}, at most {options.limit:,})")
            first = next(listed, None)
            say("  none" if first is None else f"\n{describe_item(first)}")
        for item in listed:
            say()
            say(describe_item(item))
    return 0
