"""`dialogsmith validate`: check a file against an output shape."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from generator.commands.numbers import positive
from generator.commands.options import say
from generator.errors import WrongUse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="JSON lines, or a JSON array")
    parser.add_argument(
        "--shape", required=True, choices=("paperpersichat", "truthreader", "averitec"),
        help="the shape the records should have",
    )  # fmt: skip
    parser.add_argument(
        "--show", type=positive, default=20, metavar="N", help="problems shown (default: 20)"
    )


def run(options: argparse.Namespace) -> int:
    from generator.shapes import validate_file

    if not os.path.isfile(options.file):
        raise WrongUse(f"{options.file}: there is no such file")
    found = 0
    for problem in validate_file(options.file, options.shape):
        found += 1
        if found <= options.show:
            say(f"{options.file}:{problem.line}: {problem.where}: {problem.message}")
    if not found:
        say(f"{options.file}: valid ({options.shape})")
        return 0
    if found > options.show:
        say(f"… and {found - options.show} more")
    say(f"{options.file}: {found} problems")
    return 1
