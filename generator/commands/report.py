"""`dialogsmith report`: the yield of a run on the terminal, and as report.html."""

from __future__ import annotations

import argparse
from pathlib import Path

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="also print the first N accepted records"
    )


def run(options: argparse.Namespace) -> int:
    from generator.report.beside_published import (
        describe_figures,
        figures_beside_published,
        judged_figures,
    )
    from generator.report.html import write_report
    from generator.report.samples import accepted_samples
    from generator.report.show import show_dialogue
    from generator.report.summary import summarise
    from generator.report.terminal import describe

    summary = summarise(options.run_dir)
    say(describe(summary, options.run_dir))
    figures = figures_beside_published(options.run_dir, summary.manifest)
    if figures:
        say()
        say(describe_figures((*figures, *judged_figures(summary.measures))))
    for sample in accepted_samples(options.run_dir, limit=options.show):
        say()
        say(show_dialogue(sample))
    say()
    say(f"written: {write_report(options.run_dir)}")
    return 0
