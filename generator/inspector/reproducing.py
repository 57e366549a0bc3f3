"""The command that makes a run (up to one item of it) again, from its manifest. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.backends.context import BackendOptions
from generator.filters.settings import FilterSettings
from generator.recipes.model import Recipe
from generator.settings import to_plain

_FLAGS = (
    ("lang", "--lang", "en"),
    ("variant", "--variant", "auto"),
    ("parser", "--parser", "dialogsmith"),
    ("on_overflow", "--on-overflow", "reject"),
)
_SEGMENT_FLAGS = (
    ("per_paper", "--per-paper"),
    ("budget", "--budget"),
    ("min_chars", "--min-chars"),
    ("min_sections", "--min-sections"),
    ("rule", "--segment-rule"),
)
_OWN_FLAGS = ("rounds", "turn_retries", "on_failure")


def command_again(
    manifest: Mapping[str, Any], recipe: Recipe, *, out: str, limit: int, replay: Path | None = None
) -> str:
    """`dialogsmith generate …` for the first `limit` items, quoted for a shell.

    With `replay` the stored answers of that run are taken instead of asking a model.
    """
    settings = manifest["settings"]
    words = ["dialogsmith", "generate", manifest["recipe"], *manifest["inputs"], "--out", out]
    for role in recipe.roles:
        about = manifest["roles"].get(role.name)
        if about is not None:
            spec = about["spec"] if replay is None else f"replay:{replay}"
            words += ["--role", f"{role.name}={spec}"]
    for name, flag, default in _FLAGS:
        if settings.get(name, default) != default:
            words += [flag, str(settings[name])]
    if manifest.get("prompts"):
        words += ["--prompts", manifest["prompts"]]
    if manifest.get("seed") is not None:
        words += ["--seed", str(manifest["seed"])]
    published = to_plain(recipe.segments)
    for name, flag in _SEGMENT_FLAGS:
        value = settings.get("segments", {}).get(name, published[name])
        if value != published[name]:
            words += [flag, str(value)]
    words += _own(settings, recipe)
    words += _sets(settings, manifest, recipe)
    return shlex.join([*words, "--limit", str(limit)])


def _own(settings: Mapping[str, Any], recipe: Recipe) -> list[str]:
    options = settings.get("options")
    if recipe.options_type is None or not isinstance(options, Mapping):
        return []
    defaults = to_plain(recipe.options_type())
    words = []
    for name, value in options.items():
        if name == "filters":
            for own, bound in value.items():
                if bound != defaults["filters"].get(own):
                    words += ["--set", f"filters.{own}={_text(bound)}"]
        elif name in defaults and value != defaults[name]:
            flag = ["--" + name.replace("_", "-"), str(value)]
            words += flag if name in _OWN_FLAGS else ["--set", f"recipe.{name}={_text(value)}"]
    return words


def _sets(settings: Mapping[str, Any], manifest: Mapping[str, Any], recipe: Recipe) -> list[str]:
    words = []
    for role in recipe.roles:
        about = settings["roles"].get(role.name, {})
        published = to_plain(role.sampling) | {"seed": manifest.get("seed")}
        for name, value in about.get("sampling", {}).items():
            if value != published.get(name) and name != "extra":
                words += ["--set", f"{role.name}.{name}={_text(value)}"]
        plain = to_plain(BackendOptions())
        for name, value in about.get("backend", {}).items():
            if value != plain.get(name):
                words += ["--set", f"{role.name}.backend.{name}={_text(value)}"]
    usual = FilterSettings().to_json()
    for name, value in settings.get("filters", {}).items():
        if value != usual.get(name):
            words += ["--set", f"filters.{name}={_text(value)}"]
    for name, value in settings.get("parser_words", {}).items():
        if value:
            words += ["--set", f"parser.{name}={_text(value)}"]
    return words


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value)
