"""Settings changed by name, with values as they come from a command line or a file."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from generator.errors import WrongUse

Settings = TypeVar("Settings")


def apply_overrides(value: Settings, overrides: Mapping[str, Any], prefix: str = "") -> Settings:
    """A frozen dataclass with some fields set; unknown names and wrong types are `WrongUse`.

    Text is read as the field's type ("0.5" as a number, "a,b" as a tuple).
    """
    if not overrides:
        return value
    hints = typing.get_type_hints(type(value))
    changed = {}
    for name, raw in overrides.items():
        if name not in hints:
            raise WrongUse(
                f"there is no setting {prefix}{name}; there are: "
                + ", ".join(prefix + n for n in sorted(hints))
            )
        changed[name] = _as_type(raw, hints[name], f"{prefix}{name}")
    try:
        replaced: Settings = dataclasses.replace(value, **changed)  # type: ignore[type-var]
    except ValueError as error:
        raise WrongUse(f"{prefix.rstrip('.')}: {error}") from None
    return replaced


def parse_set_options(pairs: Sequence[str]) -> dict[str, dict[str, str]]:
    """`["writer.temperature=0.2"]` → `{"writer": {"temperature": "0.2"}}`."""
    result: dict[str, dict[str, str]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        group, dot, setting = name.strip().partition(".")
        if not equals or not dot or not group or not setting:
            raise WrongUse(
                f"--set {pair}: expected GROUP.NAME=VALUE, for example "
                "--set writer.temperature=0.2 or --set filters.min_pairs=3"
            )
        result.setdefault(group, {})[setting] = value.strip()
    return result


def _as_type(raw: Any, hint: Any, name: str) -> Any:
    options = typing.get_args(hint) if _is_union(hint) else (hint,)
    if raw is None or (isinstance(raw, str) and raw.lower() in ("none", "null")):
        if type(None) in options:
            return None
        raise WrongUse(f"{name} cannot be none")
    for option in options:
        try:
            return _read(raw, option)
        except (ValueError, TypeError):
            continue
    wanted = " or ".join(_type_name(o) for o in options if o is not type(None))
    raise WrongUse(f"{name}: {raw!r} is not {wanted}")


def _type_name(option: Any) -> str:
    if typing.get_origin(option) is typing.Literal:
        return "one of " + ", ".join(map(str, typing.get_args(option)))
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    return names.get(option, f"a {getattr(option, '__name__', option)}")


def _read(raw: Any, option: Any) -> Any:
    origin = typing.get_origin(option) or option
    if origin is typing.Literal:
        if raw in typing.get_args(option):
            return raw
        raise ValueError(raw)
    if origin is bool:
        return raw if isinstance(raw, bool) else _truth(raw)
    if origin in (int, float) and (
        isinstance(raw, bool) or (isinstance(raw, float) and origin(raw) != raw)
    ):
        raise ValueError(raw)
    if origin is str and isinstance(raw, bool | Sequence | Mapping) and not isinstance(raw, str):
        raise ValueError(raw)
    if origin in (int, float, str):
        return origin(raw)
    if origin in (tuple, frozenset, set, list):
        parts = [p.strip() for p in raw.split(",") if p.strip()] if isinstance(raw, str) else raw
        return origin(parts)
    if origin is Path:
        return Path(raw)
    raise TypeError(option)


def _truth(raw: Any) -> bool:
    if str(raw).lower() in ("true", "yes", "on", "1"):
        return True
    if str(raw).lower() in ("false", "no", "off", "0"):
        return False
    raise ValueError(raw)


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)
