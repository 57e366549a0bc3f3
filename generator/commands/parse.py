"""`dialogsmith parse`: raw dialogue text to one JSON object."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator.commands.numbers import positive
from generator.commands.options import add_settings_file, chosen_groups
from generator.errors import WrongUse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="raw text; standard input without it"
    )
    parser.add_argument(
        "--parser", choices=("dialogsmith", "original"),
        help="original is upstream's published rules (default: dialogsmith)",
    )  # fmt: skip
    parser.add_argument(
        "--min-pairs", type=positive, default=2, metavar="N",
        help="fewest pairs of question and answer (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--set", metavar="parser.NAME=VALUE", action="append", default=[], dest="sets",
        help="add labels or patterns (parser.person_labels=Reader,读者); repeatable",
    )  # fmt: skip
    add_settings_file(parser)


def run(options: argparse.Namespace) -> int:
    from generator.judging import changed_words, changes_from
    from generator.recipes.parser_words import ParserWords
    from generator.shapes import dump_record
    from parsers.dialogue import Rejection, parse_dialogue, parse_dialogue_original

    changes = changes_from(chosen_groups(options), parser=options.parser)
    words = changed_words(ParserWords(), changes.words)
    raw = _read(options.file)
    if changes.parser == "original":
        original = parse_dialogue_original(raw)
        parsed = original.rejection or original.dialogue
    else:
        parsed = parse_dialogue(raw, vocabulary=words.vocabulary(), min_pairs=options.min_pairs)
    if isinstance(parsed, Rejection):
        span = None if parsed.span is None else list(parsed.span)
        value: dict[str, object] = {
            "reject": {"code": parsed.code, "detail": parsed.detail, "span": span}
        }
    else:
        value = {
            "summary": parsed.summary,
            "turns": [{"speaker": t.speaker, "text": t.text} for t in parsed.turns],
        }
    sys.stdout.write(dump_record(value) + "\n")
    return 0


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise WrongUse(f"{name}: cannot be read ({error.strerror})") from None
    return data.decode("utf-8", "replace")
