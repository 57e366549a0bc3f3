"""`dialogsmith inspect`: the local page over a run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument(
        "--port", type=_port, default=0, metavar="N", help="port on 127.0.0.1 (default: a free one)"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--compare", type=Path, action="append", default=[], metavar="DIR",
        help="another run over the same inputs to hold beside it; repeatable",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl+C, which is how the page is meant to be ended: exit code 0."""
    from generator.inspector import Inspector
    from generator.loopback import stopped_by_signals

    inspector = Inspector(options.run_dir, port=options.port, compare=options.compare)
    with stopped_by_signals(inspector.stop):
        inspector.start()
        say(inspector.url)
        sys.stdout.flush()
        sys.stderr.write("inspect: the page is for this machine alone; Ctrl+C ends it\n")
        if not options.no_open:
            _open(inspector.url)
        inspector.run()
    if behind := inspector.opened_run.line_files.behind:
        sys.stderr.write(f"inspect: writing {behind} decisions into the line files …\n")
        inspector.write_files()
    sys.stderr.write("inspect: ended\n")
    return 0


def _open(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        sys.stderr.write("inspect: no browser could be opened; open the address above yourself\n")


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port from 0 to 65535")
    return value
