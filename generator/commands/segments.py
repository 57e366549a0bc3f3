"""`dialogsmith segments`: the segments the inputs give, as JSON lines on standard output."""

from __future__ import annotations

import argparse
import sys

from generator.commands.options import add_segment_options, segment_rule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", metavar="INPUT", nargs="+", help="paper files or folders; - is standard input"
    )
    parser.add_argument("--seed", type=int, help="seed of the draw with --per-paper one")
    parser.add_argument(
        "--recipe", metavar="NAME", default="paperpersichat-davinci",
        help="whose published rule is meant where no option says otherwise",
    )  # fmt: skip
    add_segment_options(parser)


def run(options: argparse.Namespace) -> int:
    import jsonlines

    from generator.recipes import get_recipe
    from generator.recipes.model import Skipped
    from generator.report.show import harmless
    from generator.segment_items import segment_items
    from generator.shapes import dump_record

    rule = segment_rule(options, get_recipe(options.recipe).segments)
    given = skipped = 0
    out = jsonlines.Writer(sys.stdout, dumps=dump_record)
    for met in segment_items(options.inputs, rule):
        if isinstance(met, Skipped):
            skipped += 1
            place = met.source if met.line is None else f"{met.source}:{met.line}"
            name = f" {met.id}" if met.id else ""
            line = harmless(f"skipped {place}{name}: {met.code}: {met.detail}")
            sys.stderr.write(line + "\n")
            continue
        given += 1
        out.write({**met.content, "source": met.source, "line": met.line})
    sys.stderr.write(f"{given} segments, {skipped} skipped\n")
    return 0 if given else 1
