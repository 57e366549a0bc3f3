"""Numbers for readers."""

from __future__ import annotations


def figure(value: float | None) -> str:
    """A number in three digits or so: `1,242`, `53.6`, `0.894`; a dash for none."""
    if value is None:
        return "–"
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3g}"
