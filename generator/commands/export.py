"""`dialogsmith export`: a run in another format."""

from __future__ import annotations

import argparse
from pathlib import Path

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument(
        "--to", required=True, metavar="FORMAT",
        help="summarization (text → summary of every raw output that had one) or qa (one line a "
        "question)",
    )  # fmt: skip
    parser.add_argument(
        "--out", required=True, metavar="PATH", type=Path, help="a file, or with --split a folder"
    )
    parser.add_argument(
        "--split", metavar="NAME=SHARE,…", help="by paper, for example train=0.9,valid=0.1"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the split (default: 0)")


def run(options: argparse.Namespace) -> int:
    from generator.exports.splits import counts_text, parse_split
    from generator.exports.write import export_run

    split = None if options.split is None else parse_split(options.split, options.seed)
    counts = export_run(options.run_dir, options.to, options.out, split)
    say(f"{options.out}: {counts_text(counts)}")
    return 0 if sum(counts.values()) else 1
