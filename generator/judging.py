"""The settings that decide how stored answers are read and judged, and changes to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from generator.errors import WrongUse
from generator.overrides import apply_overrides
from generator.recipes import get_recipe
from generator.recipes.model import Item, Reader, Recipe, RecipeSettings
from generator.recipes.parser_words import ParserWords, split_patterns
from generator.recipes.reading import PARSERS
from generator.settings import to_plain, with_filters
from generator.store import ItemRow

GROUPS = ("parser", "filters")
"""The groups of settings that can be changed without new answers."""


@dataclass(frozen=True, slots=True)
class JudgingChanges:
    """What is to be changed: the parser's name, its added words, filter settings by name.

    `words` holds settings of `ParserWords`; `filters` those of `FilterSettings` and the
    recipe's own. Values are those of Python, or text as on the command line. Raises
    `WrongUse` for a parser that there is not.
    """

    parser: str | None = None
    words: Mapping[str, Any] = field(default_factory=dict)
    filters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.parser is not None and self.parser not in PARSERS:
            raise WrongUse(f"there is no parser {self.parser!r}; there are: {', '.join(PARSERS)}")

    def __bool__(self) -> bool:
        return self.parser is not None or bool(self.words) or bool(self.filters)


def changes_from(
    groups: Mapping[str, Mapping[str, Any]], *, parser: str | None = None
) -> JudgingChanges:
    """Changes from groups of settings as `--set` and settings files give them.

    The group `parser` holds added words, and as `name` which parser it is. Raises
    `WrongUse` for a group that a refilter cannot change.
    """
    other = next((name for name in groups if name not in GROUPS), None)
    if other is not None:
        raise WrongUse(
            f"{other}.…: only the groups parser and filters can be changed without new answers; "
            "a role's sampling or a recipe's course needs another run"
        )
    words = dict(groups.get("parser", {}))
    name = words.pop("name", None)
    return JudgingChanges(parser or name, words, dict(groups.get("filters", {})))


def changed_words(words: ParserWords, changes: Mapping[str, Any]) -> ParserWords:
    """The words with some settings replaced; text is read as a list with commas.

    Raises `WrongUse` for an unknown setting, a bad label or a bad pattern.
    """
    read = dict(changes)
    if isinstance(patterns := read.get("patterns"), str):
        read["patterns"] = split_patterns(patterns)
    return apply_overrides(words, read, "parser.")


def changed_settings(settings: RecipeSettings, changes: JudgingChanges) -> RecipeSettings:
    """The settings with the changes made. Raises `WrongUse` for what cannot be set."""
    if changes.parser is not None:
        settings = replace(settings, parser=changes.parser)
    words = changed_words(settings.parser_words, changes.words)
    return with_filters(replace(settings, parser_words=words), changes.filters)


def settings_of_run(manifest: Mapping[str, Any]) -> tuple[Recipe, RecipeSettings]:
    """The recipe of a run, and the settings it was judged by."""
    recipe = get_recipe(manifest["recipe"])
    settings = recipe_settings_from(manifest["settings"], recipe)
    if manifest.get("prompts"):
        settings = replace(settings, prompts=Path(manifest["prompts"]))
    return recipe, settings


def reader_of_run(manifest: Mapping[str, Any], recipe: Recipe, settings: RecipeSettings) -> Reader:
    """What reads the stored answers of a run by these settings."""
    return recipe.reader(settings, manifest["settings"]["variants"])


def with_settings(manifest: Mapping[str, Any], settings: RecipeSettings) -> dict[str, Any]:
    """The manifest of a run that is judged by these settings from now on."""
    plain = dict(manifest["settings"])
    plain["parser"] = settings.parser
    plain["filters"] = to_plain(settings.filters)
    plain.pop("parser_words", None)
    if settings.parser_words:
        plain["parser_words"] = to_plain(settings.parser_words)
    if settings.options is not None:
        plain["options"] = to_plain(settings.options)
    return {**manifest, "settings": plain}


def recipe_settings_from(plain: Mapping[str, Any], recipe: Recipe) -> RecipeSettings:
    """The recipe settings a manifest holds."""
    settings = RecipeSettings()
    simple = {n: plain[n] for n in ("lang", "variant", "parser", "on_overflow") if n in plain}
    options = None
    if recipe.options_type is not None:
        options = options_from(plain.get("options") or {}, recipe.options_type)
    return replace(
        apply_overrides(settings, simple),
        segments=apply_overrides(settings.segments, plain.get("segments", {}), "segments."),
        filters=apply_overrides(settings.filters, plain.get("filters", {}), "filters."),
        parser_words=changed_words(settings.parser_words, plain.get("parser_words", {})),
        options=options,
    )


def options_from(plain: Mapping[str, Any], options_type: type[Any]) -> Any:
    """A recipe's own settings from JSON; a nested group of filters is read as such."""
    options = options_type()
    simple = {n: v for n, v in plain.items() if n != "filters"}
    options = apply_overrides(options, simple, "recipe.")
    if "filters" in plain:
        own = apply_overrides(options.filters, plain["filters"], "filters.")
        options = replace(options, filters=own)
    return options


def item_of(row: ItemRow) -> Item:
    """A stored item as recipes take it."""
    return Item(row.key, row.id, row.source, row.line, row.payload)
