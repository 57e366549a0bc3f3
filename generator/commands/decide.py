"""`dialogsmith decide`: a person's word on a sample."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from generator.commands.options import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "`dialogsmith rejects DIR` shows refused samples with their ids, provenance.jsonl has the "
        "ids of accepted ones. Decisions stay when the run is refiltered or resumed."
    )
    parser.add_argument("run_dir", metavar="DIR", type=Path, help="a run directory")
    parser.add_argument("item", metavar="ID", help="the id (or key) of a sample")
    parser.add_argument(
        "action", choices=("accept", "refuse", "undo"),
        help="take it into the corpus, take it out, or take back the last decision on it",
    )  # fmt: skip
    parser.add_argument("--note", default="", metavar="TEXT", help="why; kept with the decision")
    parser.add_argument(
        "--edit", metavar="FILE", type=Path,
        help='accept it in other words: JSON of {"summary": …, "turns": [{"speaker": …, "text": '
        "…}]} as `dialogsmith parse` prints it; for other shapes the whole record",
    )  # fmt: skip


def run(options: argparse.Namespace) -> int:
    from generator.deciding import decide, undo
    from generator.errors import WrongUse

    if options.action == "undo":
        if options.note or options.edit is not None:
            raise WrongUse("undo takes back a decision; it has neither --note nor --edit")
        result = undo(options.run_dir, options.item)
    else:
        edited = None if options.edit is None else _edit(options.edit)
        result = decide(
            options.run_dir, options.item, options.action, note=options.note, edited=edited
        )
    for side in (result.sample, *result.others):
        say(f"{side.id}: {side.before} → {side.after}")
    counts = result.counts
    say(f"now {counts['accepted']} accepted, {counts['rejected']} rejected; no model call")
    return 0


def _edit(path: Path) -> dict[str, Any]:
    import json

    from generator.errors import WrongUse

    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise WrongUse(f"--edit {path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"--edit {path}: no valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise WrongUse(f"--edit {path}: expected one JSON object")
    return value
