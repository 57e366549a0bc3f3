"""Options that several commands share."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from generator.commands.numbers import from_zero, number, positive, whole
from generator.errors import WrongUse


def add_segment_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("segments")
    group.add_argument(
        "--per-paper", choices=("one", "all"), default="all",
        help="all eligible segments of a paper, or one drawn at random as published (default: all)",
    )  # fmt: skip
    group.add_argument(
        "--budget", type=whole, metavar="CHARS",
        help="characters of a segment (published: 3500 for this recipe, 4000 for self-play)",
    )  # fmt: skip
    group.add_argument(
        "--min-chars", type=whole, metavar="CHARS", help="shortest segment (published: 1000)"
    )
    group.add_argument(
        "--min-sections", type=whole, metavar="N", help="fewest sections of a paper (published: 5)"
    )
    group.add_argument(
        "--segment-rule", choices=("carry", "original"), default="carry",
        help="what overflows a segment starts the next one (carry), or is lost as upstream "
        "(original)",
    )  # fmt: skip


def add_recipe_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", metavar="RECIPE", help="for example paperpersichat-davinci")
    parser.add_argument(
        "inputs", metavar="INPUT", nargs="+",
        help="paper (or document) files or folders, or another run; - is standard input",
    )  # fmt: skip
    group = parser.add_argument_group("models")
    group.add_argument(
        "--model", metavar="SPEC",
        help="what answers: BACKEND:MODEL[@BASE_URL], see `dialogsmith models` (default: embedded)",
    )  # fmt: skip
    group.add_argument(
        "--role", metavar="NAME=SPEC", action="append", default=[],
        help="another model for one role; repeatable",
    )  # fmt: skip
    group.add_argument(
        "--set", metavar="GROUP.NAME=VALUE", action="append", default=[], dest="sets",
        help="one setting: of a role's sampling (writer.temperature=0.2), of the filters "
        "(filters.max_echo=0.5, filters.off=loop,echo), of the parser "
        "(parser.person_labels=Reader,读者); repeatable",
    )  # fmt: skip
    add_settings_file(group)
    group = parser.add_argument_group("recipe")
    group.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the corpus")
    group.add_argument(
        "--variant", default="auto", metavar="NAME",
        help="template variant: plain, few-shot, grammar, … (default: what the backend can follow)",
    )  # fmt: skip
    group.add_argument(
        "--parser", choices=("dialogsmith", "original"),
        help="how raw dialogues are read: dialogsmith (default), or upstream's published rules",
    )  # fmt: skip
    group.add_argument(
        "--on-overflow", choices=("reject", "trim"), default="reject",
        help="a text longer than the model's context is rejected, or cut and recorded",
    )  # fmt: skip
    group.add_argument(
        "--prompts", metavar="DIR", type=Path, help="a folder of your own templates, tried first"
    )
    group.add_argument("--seed", type=whole, help="seed of the draw and of the sampling")
    add_segment_options(parser)
    group = parser.add_argument_group("self-play")
    group.add_argument(
        "--rounds", type=positive, metavar="N", help="questions and answers of a dialogue (4)"
    )
    group.add_argument(
        "--turn-retries",
        type=from_zero,
        metavar="N",
        help="how often a faulty turn is asked again (2)",
    )
    group.add_argument(
        "--on-failure", choices=("reject", "keep"),
        help="a dialogue cut short is rejected (default), or kept from two rounds on as published",
    )  # fmt: skip
    group.add_argument(
        "--summaries", metavar="FILE", type=Path,
        help='ready-made summaries, JSON lines of {"id": segment id, "summary": text}',
    )  # fmt: skip

    group = parser.add_argument_group("truthreader")
    group.add_argument(
        "--questions-per-document", type=positive, metavar="N",
        help="items made of each document (1)",
    )  # fmt: skip
    group.add_argument(
        "--multi-share", type=number, metavar="SHARE",
        help="share of the questions that need two documents (0.3)",
    )  # fmt: skip
    group.add_argument(
        "--unanswerable-share", type=number, metavar="SHARE",
        help="share of the items whose document is withheld (0.1)",
    )  # fmt: skip
    group.add_argument(
        "--judge", action="store_true", default=None,
        help="ask the role judge whether the cited documents entail each sentence; "
        "--role judge=SPEC implies it",
    )  # fmt: skip


def add_settings_file(group: Any) -> None:
    """The option `--settings FILE`, which several commands have."""
    group.add_argument(
        "--settings", metavar="FILE", type=Path,
        help="settings from a TOML or JSON file; --set and other options win over it",
    )  # fmt: skip


def add_pace_options(group: Any) -> None:
    """The options on how fast and for what price a run asks: `generate` and `preview`."""
    group.add_argument(
        "--concurrency", type=positive, metavar="N", help="requests in flight at once (default: 8)"
    )
    group.add_argument("--rpm", type=positive, metavar="N", help="requests a minute, at most")
    group.add_argument("--tpm", type=positive, metavar="N", help="tokens a minute, at most")
    group.add_argument(
        "--prices", metavar="FILE", type=Path, help="your own prices, over the shipped table"
    )


def chosen_groups(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The settings of `--settings`, with those of `--set` over them, by group."""
    from generator.overrides import parse_set_options
    from generator.settings_file import merge_settings, read_settings

    of_file = {} if options.settings is None else read_settings(options.settings)
    return merge_settings(of_file, parse_set_options(options.sets))


def segment_rule(options: argparse.Namespace, published: Any = None) -> Any:
    """The `SegmentRule` the options ask for, over a recipe's published one."""
    from dataclasses import replace

    from parsers.segments import SegmentRule

    given = {
        "budget": options.budget,
        "min_chars": options.min_chars,
        "min_sections": options.min_sections,
        "rule": options.segment_rule,
        "per_paper": options.per_paper,
        "seed": getattr(options, "seed", None),
    }
    try:
        return replace(
            published or SegmentRule(), **{k: v for k, v in given.items() if v is not None}
        )
    except ValueError as error:
        raise WrongUse(str(error)) from None


def run_settings(options: argparse.Namespace, out: Path) -> Any:
    """The `RunSettings` that the options of `generate` and `preview` ask for."""
    from generator.calling.retry import RetryPolicy
    from generator.judging import GROUPS, changed_settings, changes_from
    from generator.overrides import apply_overrides
    from generator.recipes import get_recipe
    from generator.recipes.model import RecipeSettings
    from generator.settings import DEFAULT_MODEL, RunSettings
    from generator.target import GIVE_UP_WITHOUT_YIELD

    if options.prompts is not None and not os.path.isdir(options.prompts):
        raise WrongUse(f"--prompts {options.prompts}: there is no such folder")
    recipe = get_recipe(options.recipe)
    sets = chosen_groups(options)
    changes = changes_from(
        {name: sets.pop(name) for name in GROUPS if name in sets}, parser=options.parser
    )
    sets_of_retry = sets.pop("retry", {})
    recipe_settings = RecipeSettings(
        lang=options.lang,
        variant=options.variant,
        on_overflow=options.on_overflow,
        segments=segment_rule(options, recipe.segments),
        prompts=options.prompts,
        options=own_options(options, recipe, sets.pop("recipe", {})),
    )
    return RunSettings(
        recipe=options.recipe,
        inputs=tuple(options.inputs),
        out=out,
        model=DEFAULT_MODEL if options.model is None else options.model,
        roles=role_options(options.role),
        sampling=sets,
        recipe_settings=changed_settings(recipe_settings, changes),
        seed=options.seed,
        limit=getattr(options, "limit", None),
        target=getattr(options, "target", None),
        give_up_after=getattr(options, "give_up_after", GIVE_UP_WITHOUT_YIELD),
        concurrency=getattr(options, "concurrency", None),
        branch=getattr(options, "branch", None),
        retry_truncated=getattr(options, "retry_truncated", False),
        rpm=getattr(options, "rpm", None),
        tpm=getattr(options, "tpm", None),
        max_cost=getattr(options, "max_cost", None),
        max_tokens_total=getattr(options, "max_tokens_total", None),
        prices=getattr(options, "prices", None),
        retry=apply_overrides(RetryPolicy(), sets_of_retry, "retry."),
    )


OWN_OPTIONS = (
    "rounds",
    "turn_retries",
    "on_failure",
    "summaries",
    "questions_per_document",
    "multi_share",
    "unanswerable_share",
    "judge",
)
"""Options of the command line that belong to one recipe's own settings."""


def own_options(options: argparse.Namespace, recipe: Any, sets: dict[str, Any]) -> Any:
    """The recipe's own settings, from its options and `--set recipe.NAME=VALUE`."""
    from dataclasses import fields

    from generator.overrides import apply_overrides

    given: dict[str, Any] = {
        name: value for name in OWN_OPTIONS if (value := getattr(options, name, None)) is not None
    }
    known = set() if recipe.options_type is None else {f.name for f in fields(recipe.options_type)}
    for name in given:
        if name not in known:
            raise WrongUse(f"the recipe {recipe.name} has no setting --{name.replace('_', '-')}")
    if recipe.options_type is None:
        if sets:
            raise WrongUse(f"the recipe {recipe.name} has no setting recipe.{next(iter(sets))}")
        return None
    return apply_overrides(recipe.options_type(), sets | given, "recipe.")


def role_options(pairs: list[str]) -> dict[str, str]:
    """`["bot=openai:x"]` → `{"bot": "openai:x"}`."""
    roles: dict[str, str] = {}
    for pair in pairs:
        name, equals, spec = pair.partition("=")
        if not equals or not name.strip() or not spec.strip():
            raise WrongUse(f"--role {pair}: expected NAME=SPEC, for example bot=openai:gpt-4o-mini")
        if name.strip() in roles:
            raise WrongUse(f"--role {name.strip()} is given twice")
        roles[name.strip()] = spec.strip()
    return roles


def say(text: str = "") -> None:
    """One line to standard output; what the terminal cannot show is replaced."""
    line = text + "\n"
    try:
        sys.stdout.write(line)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(line.encode(encoding, "replace").decode(encoding))
