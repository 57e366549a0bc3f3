"""`dialogsmith report`: the figures of a run, or of any file of records, and a page of them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from generator.commands.numbers import from_zero
from generator.commands.options import say
from generator.errors import WrongUse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", metavar="DIR|FILE", type=Path,
        help="a run directory, or with --shape any file of records (JSON lines or a JSON array)",
    )  # fmt: skip
    parser.add_argument(
        "--shape", choices=("paperpersichat", "truthreader", "averitec"),
        help="the shape of the records of a FILE, for example of a published corpus",
    )  # fmt: skip
    parser.add_argument(
        "--html", metavar="PAGE", type=Path,
        help="where to write the page (default: report.html in DIR; for a FILE none is written)",
    )  # fmt: skip
    parser.add_argument(
        "--show", type=from_zero, default=0, metavar="N",
        help="also print the first N accepted dialogues of a run",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    if os.path.isfile(options.path):
        return _report_file(options)
    if options.shape is not None and os.path.isdir(options.path):
        raise WrongUse("--shape is for files of records; a run knows its own")
    return _report_run(options)


def _report_run(options: argparse.Namespace) -> int:
    from generator.report.describe_lengths import describe_figures
    from generator.report.figures import gather
    from generator.report.html import write_report
    from generator.report.samples import accepted_samples
    from generator.report.show import show_dialogue

    figures = gather(options.path)
    say(describe_figures(figures, options.path))
    for sample in accepted_samples(options.path, limit=options.show):
        say()
        say(show_dialogue(sample))
    say()
    say(f"written: {write_report(options.path, figures, to=options.html)}")
    return 0


def _report_file(options: argparse.Namespace) -> int:
    from generator.report.describe_lengths import describe_file
    from generator.report.file_figures import measure_file
    from generator.report.html import write_file_report

    if options.shape is None:
        raise WrongUse(
            f"{options.path} is a file: tell what its records are, for example "
            "--shape paperpersichat. For a run, give its directory."
        )
    if options.show:
        raise WrongUse("--show is for runs; the records of a file are in the file")
    figures = measure_file(options.path, options.shape)
    say(describe_file(figures))
    if options.html is not None:
        write_file_report(figures, options.html)
        say()
        say(f"written: {options.html}")
    return 1 if figures.left_out or not figures.records else 0
