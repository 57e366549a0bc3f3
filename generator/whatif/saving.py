"""Judging settings as groups for a settings file."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from generator.judging import JudgingChanges, changed_settings, settings_of_run
from generator.run_directory import RunDirectory
from generator.settings import to_plain


def settings_to_save(run: Path, changes: JudgingChanges) -> dict[str, dict[str, Any]]:
    """The run's judging settings with the changes made, by group, for `write_settings`.

    Holds what differs from the defaults or from the run, so that `generate --settings` makes
    a new run like that, and `refilter --settings` brings this one there.
    """
    _, old = settings_of_run(RunDirectory(run).read_manifest())
    new = changed_settings(old, changes)
    groups: dict[str, dict[str, Any]] = {
        "parser": _differing(new.parser_words, old.parser_words),
        "filters": _differing(new.filters, old.filters),
    }
    if new.parser != old.parser or new.parser != "dialogsmith":
        groups["parser"]["name"] = new.parser
    own = getattr(new.options, "filters", None)
    if own is not None:
        groups["filters"] |= _differing(own, old.options.filters)
    return {name: group for name, group in groups.items() if group}


def _differing(new: Any, old: Any) -> dict[str, Any]:
    default = type(new)()
    return {
        f.name: to_plain(getattr(new, f.name))
        for f in fields(new)
        if getattr(new, f.name) != getattr(default, f.name)
        or getattr(new, f.name) != getattr(old, f.name)
    }
