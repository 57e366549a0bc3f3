"""`dialogsmith refilter`: parser and filters again over the stored raw outputs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.commands.options import add_settings_file, chosen_groups, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument("--parser", choices=("dialogsmith", "original"), help="change the parser")
    parser.add_argument(
        "--set", metavar="GROUP.NAME=VALUE", action="append", default=[], dest="sets",
        help="change one setting of the filters (filters.max_echo=0.7, filters.off=loop) or of "
        "the parser (parser.person_labels=Reader,读者); repeatable",
    )  # fmt: skip
    add_settings_file(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="only tell what would change; write nothing"
    )
    parser.add_argument(
        "--save", metavar="FILE", type=Path,
        help="keep the settings in a file (TOML, or JSON by its name) for --settings",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from generator.judging import changes_from
    from generator.refiltering import refilter

    changes = changes_from(chosen_groups(options), parser=options.parser)
    if options.save is not None:
        from generator.settings_file import write_settings
        from generator.whatif import settings_to_save

        write_settings(options.save, settings_to_save(options.run_dir, changes))
    if options.dry_run:
        return _dry_run(options.run_dir, changes)
    result = refilter(
        options.run_dir, parser=changes.parser, filters=changes.filters, words=changes.words
    )
    _say_moves(result.moved)
    counts = result.counts
    say(
        f"{sum(result.moved.values())} changed, {result.unchanged} unchanged; "
        f"now {counts['accepted']} accepted, {counts['rejected']} rejected; no model call"
    )
    return 0


def _dry_run(run_dir: Path, changes: Any) -> int:
    from generator.whatif import what_if

    shown = sys.stderr.isatty()
    result = what_if(run_dir, changes, progress=_show if shown else None)
    if shown:
        sys.stderr.write("\r\x1b[K")
    _say_moves(result.moves)
    for name, places in (("now", result.before), ("then", result.after)):
        share = places.yield_share
        say(
            f"{name:>6}  {places.accepted} accepted, {places.rejected} rejected"
            + ("" if share is None else f", yield {share:.1%}")
        )
    say(f"{result.moved} would change; nothing was written, no model call")
    return 0


def _show(progress: Any) -> None:
    """One line on the terminal that is written over."""
    words = {"looking": "looking at verdicts", "reading": "reading answers again",
             "comparing": "comparing with the corpus"}  # fmt: skip
    estimate = "" if progress.accepted is None else f"; about {progress.accepted:,} accepted"
    sys.stderr.write(
        f"\r\x1b[K{words[progress.phase]}: {progress.done:,} of {progress.total:,}{estimate}"
    )
    sys.stderr.flush()


def _say_moves(moves: Mapping[tuple[str, str], int]) -> None:
    for (before, after), count in sorted(moves.items(), key=lambda m: (-m[1], m[0])):
        say(f"{count:6}  {before} → {after}")
