"""`dialogsmith rejects`: the refused samples of a run, with the reasons."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from generator.commands.numbers import positive
from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "To rescue samples: `dialogsmith decide DIR ID accept` for one, or another threshold, "
        "filter or label for many: `dialogsmith refilter DIR --dry-run --set …`."
    )
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
    out = jsonlines.Writer(sys.stdout, dumps=dump_record)
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    if not options.json:
        say(describe_run(options.run_dir))
    any_found = False
    for sample in samples:
        any_found = True
        if options.json:
            out.write(sample.line)
        else:
            say()
            say(show_reject(sample, colour=colour))
    if not any_found:
        wanted = [f"{n} {v}" for n in ("stage", "reason") if (v := getattr(options, n))]
        sys.stderr.write(
            f"dialogsmith: no sample was rejected{' with ' if wanted else ''}"
            f"{' and '.join(wanted)}\n"
        )
    elif sys.stdout.isatty() and not options.json:
        directory = shlex.quote(str(options.run_dir))
        sys.stderr.write(
            f"\nto take one in: dialogsmith decide {directory} ID accept   to take in many: "
            f"dialogsmith refilter {directory} --dry-run --set filters.NAME=VALUE\n"
        )
    return 0
