"""`dialogsmith rejects`: the refused samples of a run, with the reasons."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from generator.commands.options import positive, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument("--reason", metavar="CODE", help="only samples rejected with this code")
    parser.add_argument("--stage", help="only samples with a reason of this stage")
    parser.add_argument("--limit", type=positive, metavar="N", help="at most N samples")
    parser.add_argument("--json", action="store_true", help="JSON lines, as in rejected.jsonl")


def run(options: argparse.Namespace) -> int:
    import jsonlines

    from generator.report.samples import rejected_samples
    from generator.report.show import show_reject
    from generator.report.terminal import describe_run
    from generator.shapes import dump_record

    samples = rejected_samples(
        options.run_dir, code=options.reason, stage=options.stage, limit=options.limit
    )
    if options.json:
        out = jsonlines.Writer(sys.stdout, dumps=dump_record)
        for sample in samples:
            out.write(sample.line)
        return 0
    say(describe_run(options.run_dir))
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for sample in samples:
        say()
        say(show_reject(sample, colour=colour))
    return 0
