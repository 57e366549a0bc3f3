"""The command line. Parsing here, work in `generator.commands`, loaded only when used."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

COMMANDS = {
    "generate": "make a corpus: run a recipe over documents, or resume such a run",
    "preview": "one item in full: prompt, raw output, parse, verdict; writes nothing",
    "segments": "the segments that the inputs give, as JSON lines",
    "parse": "raw dialogue text to one JSON object",
    "refilter": "parser and filters again over a run, without a model call",
    "inspect": "a local page: what was filtered out and why, sample by sample",
    "rejects": "the refused samples of a run, with the reasons",
    "decide": "accept a refused sample, as it is or edited; refuse an accepted one; undo",
    "report": "the yield of a run, on the terminal and as report.html",
    "compare": "two runs over the same inputs, side by side: yield, reasons, lengths, items",
    "export": "a run in another format: summarization or qa, split by paper",
    "validate": "check a JSONL or JSON file against an output shape",
    "models": "the backends there are",
    "fake-server": "a strict server on loopback, with faults, to rehearse a run before paying",
    "probe": "what a backend can do (roles, constraints, seed, usage), by asking it",
}


class _Parser(argparse.ArgumentParser):
    """Tells a mistake in one line, without the usage of forty options around it.

    `asked` is what its options are asked of: unknown ones of a command are found here, too.
    """

    asked = ""

    def error(self, message: str) -> NoReturn:
        asked = self.asked or self.prog
        self.exit(2, f"{asked}: {message}. `{asked} --help` tells the options.\n")


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The argument parser; only the named command's options are loaded."""
    parser = _Parser(
        prog="dialogsmith",
        description="Turn documents into grounded dialogue corpora.",
        epilog="`dialogsmith COMMAND --help` tells the options of a command.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "--traceback", action="store_true", help="on an error, show where in the code it arose"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, does in COMMANDS.items():
        sub = commands.add_parser(name, help=does, description=does[0].upper() + does[1:] + ".")
        if name == command:
            command_module(name).add_arguments(sub)
            parser.asked = sub.prog
    return parser


def command_module(name: str) -> Any:
    """The module of a command, imported when it is needed."""
    return importlib.import_module(f"generator.commands.{name.replace('-', '_')}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; answers the exit code (0, 1, 2, 3 or 130)."""
    _speak_utf8()
    arguments = list(sys.argv[1:] if argv is None else argv)
    named = next((a for a in arguments if not a.startswith("-")), None)
    parser = build_parser(named if named in COMMANDS else None)
    options = parser.parse_args(arguments)
    if options.version:
        from importlib.metadata import version

        print(f"dialogsmith {version('dialogsmith')}")  # noqa: T201
        return 0
    if options.command is None:
        parser.print_help()
        return 2
    return run_command(options)


def _speak_utf8() -> None:
    """JSON lines are UTF-8 whatever the locale says; a terminal keeps its own encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def run_command(options: argparse.Namespace) -> int:
    """Run a parsed command, turning every expected error into one clear message."""
    import sqlite3

    from generator.errors import DialogsmithError
    from prompts.errors import TemplateProblem

    try:
        return int(command_module(options.command).run(options))
    except (DialogsmithError, TemplateProblem) as error:
        if options.traceback:
            raise
        sys.stderr.write(f"dialogsmith: {error}\n")
        return getattr(error, "exit_code", 2)
    except sqlite3.Error as error:
        if options.traceback:
            raise
        sys.stderr.write(f"dialogsmith: the run store cannot be read: {error}\n")
        return 3
    except KeyboardInterrupt:
        sys.stderr.write("dialogsmith: interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader of a pipe (`head`) has enough; closing quietly is what it expects.
        sys.stderr.close()
        return 0
    except OSError as error:
        if options.traceback:
            raise
        where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        why = error.strerror or type(error).__name__
        sys.stderr.write(f"dialogsmith: {where}the system says: {why}\n")
        return 3


if __name__ == "__main__":
    sys.exit(main())
