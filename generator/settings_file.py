"""Settings in a file, TOML or JSON: the groups and names of `--set`, kept for the next run.

[filters]
max_echo = 0.7
off = ["loop"]

[parser]
person_labels = ["Reader", "读者"]
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.errors import StoreFault, WrongUse

Groups = dict[str, dict[str, Any]]
_PLAIN = (str, int, float, bool)


def read_settings(path: Path) -> Groups:
    """The settings of a file by group and name; JSON when its name ends in `.json`, else TOML.

    Raises `WrongUse` naming the file, and the line or the setting, when it cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise WrongUse(f"{path}: the settings cannot be read ({why})") from None
    try:
        value = json.loads(text) if _is_json(path) else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        form = "JSON" if _is_json(path) else "TOML"
        raise WrongUse(f"{path}: no valid {form}: {error}") from None
    if not isinstance(value, dict):
        raise WrongUse(f"{path}: expected groups of settings, such as filters")
    return {str(name): _group(path, str(name), group) for name, group in value.items()}


def _group(path: Path, name: str, group: Any) -> dict[str, Any]:
    if not isinstance(group, dict):
        raise WrongUse(
            f"{path}: {name} stands outside a group; write it below [filters], [parser] or the "
            "name of a role"
        )
    for setting, value in group.items():
        values = value if isinstance(value, list) else [value]
        if value is not None and not all(isinstance(v, _PLAIN) for v in values):
            raise WrongUse(f"{path}: {name}.{setting} must be a text, a number or a list of texts")
    return dict(group)


def merge_settings(*sources: Mapping[str, Mapping[str, Any]]) -> Groups:
    """One set of groups; what comes later wins, setting by setting."""
    merged: Groups = {}
    for source in sources:
        for group, settings in source.items():
            merged.setdefault(group, {}).update(settings)
    return merged


def write_settings(path: Path, groups: Mapping[str, Mapping[str, Any]]) -> None:
    """Write settings so that `read_settings` gives them back.

    Raises `StoreFault` when the file cannot be written.
    """
    text = (
        json.dumps(groups, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        if _is_json(path)
        else _toml(groups)
    )
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise StoreFault(f"{path}: cannot be written ({error.strerror})") from None


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _toml(groups: Mapping[str, Mapping[str, Any]]) -> str:
    parts = []
    for group, settings in groups.items():
        lines = [f"[{_key(group)}]"]
        lines += [f"{_key(name)} = {_value(value)}" for name, value in settings.items()]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "a").replace("-", "a").isalnum()
    return name if plain else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # A JSON string is one of TOML but for this character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value, allow_nan=False)
