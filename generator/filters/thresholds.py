"""What all groups of filter settings have in common: which values they take, and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

Settings = TypeVar("Settings")


def check_thresholds(settings: Any) -> None:
    """Raises `ValueError` naming a field whose value it cannot have.

    A set holds codes; a field with a whole default takes whole numbers from 0 on, any other a
    number from 0 to 1.
    """
    for f in fields(settings):
        value = getattr(settings, f.name)
        if isinstance(f.default, frozenset):
            if not isinstance(value, frozenset) or not all(isinstance(c, str) for c in value):
                raise ValueError(f"{f.name} must be a set of codes, not {value!r}")
        elif isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{f.name} must be a number, not {value!r}")
        elif isinstance(f.default, int):
            if not isinstance(value, int) or value < 0:
                raise ValueError(f"{f.name} must be a whole number from 0 on, not {value!r}")
        elif not 0 <= value <= 1:
            raise ValueError(f"{f.name} must be between 0 and 1, not {value!r}")


def thresholds_to_json(settings: Any) -> dict[str, Any]:
    """Plain JSON values in a fixed order; `thresholds_from_json` gives the same settings back."""
    plain = asdict(settings)
    return {n: sorted(v) if isinstance(v, frozenset) else v for n, v in plain.items()}


def thresholds_from_json(
    group: type[Settings], values: Mapping[str, Any], *, called: str
) -> Settings:
    """Settings from JSON values; what is not named keeps its default.

    Raises `ValueError` for an unknown name (of a `called`) or a value that it cannot have.
    """
    known = {f.name: f.default for f in fields(group)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise ValueError(f"there is no {called} {unknown[0]}; there are: {', '.join(known)}")
    return group(
        **{n: frozenset(v) if isinstance(known[n], frozenset) else v for n, v in values.items()}
    )
