"""`dialogsmith models`: the backends there are."""

from __future__ import annotations

import argparse
import os

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run(options: argparse.Namespace) -> int:
    from generator.backends import list_backends
    from generator.backends.embedded import NOTICE

    del options
    for info in list_backends(os.environ):
        say(f"{info.name}")
        say(f"    {info.summary}")
        say(f"    for example: {info.example}")
        if not info.available:
            say(f"    not available here: {info.why_not}")
        if info.name == "embedded":
            say(f"    {NOTICE}")
    return 0
