"""A comparison as plain text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.calling.prices import dollars
from generator.comparing.model import PLACES, ComparedRun, Comparison, MeasurePair
from generator.report.show import harmless_line
from generator.report.spread import Spread
from generator.store import PairedItem, Standing

_WIDE = 12
_FOR_TWO = 20
_LONGEST_DETAIL = 160
_MOST_SETTINGS = 20


def describe_comparison(found: Comparison) -> str:
    """The figures of both runs in columns, `B - A` beside them."""
    lines: list[str] = []
    for name, run in (("A", found.a), ("B", found.b)):
        models = ", ".join(f"{role}={spec}" for role, spec in run.models.items())
        lines.append(f"{name}  {run.path}  ({run.recipe}; {harmless_line(models)})")
    lines += ["", *(f"note: {harmless_line(warning)}" for warning in found.warnings)]
    if found.warnings:
        lines.append("")
    lines.append(
        f"{found.shared:,} items are in both runs, {found.only_a:,} in A alone, "
        f"{found.only_b:,} in B alone{'' if found.adds_up else '  (MISMATCH)'}"
    )
    lines += ["", *_totals(found)]
    if found.shared:
        lines += ["", *_yields(found), "", *_moves(found)]
    if found.reasons:
        lines += ["", *_reasons(found)]
    for lengths, title in ((True, "lengths"), (False, "measures")):
        rows = [m for m in found.measures if m.length is lengths]
        if rows:
            lines += ["", *_measures(title, rows)]
    if found.settings:
        lines += ["", *_settings(found)]
    return "\n".join(lines)


def describe_item(item: PairedItem) -> str:
    """One item: where it stands in either run, and why."""
    line = "" if item.line is None else f":{item.line}"
    return "\n".join(
        [
            f"{harmless_line(item.id)}  ({harmless_line(item.source)}{line})",
            *(f"  A  {text}" for text in _standing(item.a)),
            *(f"  B  {text}" for text in _standing(item.b)),
        ]
    )


def _standing(standing: Standing) -> Iterator[str]:
    if standing.place == "absent":
        yield "not in this run"
        return
    if standing.place == "failed":
        yield f"failed: {harmless_line(standing.failure or 'unknown')[:_LONGEST_DETAIL]}"
        return
    if standing.place != "rejected":
        yield str(standing.place)
        return
    for reason in standing.reasons:
        detail = harmless_line(str(reason["detail"]))
        cut = detail[:_LONGEST_DETAIL] + (" …" if len(detail) > _LONGEST_DETAIL else "")
        yield f"rejected  {reason['stage']}/{reason['code']}: {cut}"


def _row(label: str, *cells: str, wide: int = _WIDE) -> str:
    return f"  {label:<28}" + "".join(f" {cell:>{wide - 1}}" for cell in cells)


def _totals(found: Comparison) -> list[str]:
    a, b = found.a, found.b

    def count(run: ComparedRun, name: str) -> str:
        return f"{run.counts[name]:,}"

    rows = [_row("whole runs", "A", "B")]
    rows += [_row(name, count(a, name), count(b, name)) for name in ("items", *PLACES, "calls")]
    rows.append(_row("prompt tokens", _known(a.prompt_tokens), _known(b.prompt_tokens)))
    rows.append(_row("answer tokens", _known(a.completion_tokens), _known(b.completion_tokens)))
    rows.append(_row("cost", *("unknown" if r.cost is None else dollars(r.cost) for r in (a, b))))
    return rows


def _yields(found: Comparison) -> list[str]:
    a, b = found.a, found.b
    rows = [_row("items in both", "A", "B", "B - A")]
    rows += [
        _row(p, f"{a.shared[p]:,}", f"{b.shared[p]:,}", f"{b.shared[p] - a.shared[p]:+,}")
        for p in PLACES
    ]
    shares = a.yield_share, b.yield_share
    change = "" if None in shares else f"{100 * ((shares[1] or 0) - (shares[0] or 0)):+.1f} pt"
    rows.append(_row("yield", *("-" if s is None else f"{s:.1%}" for s in shares), change))
    return rows


def _moves(found: Comparison) -> list[str]:
    """Rows are places in A, columns places in B."""
    rows = [_row("in A, then in B", *PLACES)]
    rows += [
        _row(f"{a} in A", *(f"{found.moved.get((a, b), 0):,}" for b in PLACES))
        for a in PLACES
        if found.a.shared[a]
    ]
    rows.append(
        f"  {found.gained:,} gained, {found.lost:,} lost, "
        f"{found.other_reason:,} rejected by both for another first reason"
    )
    return rows


def _reasons(found: Comparison) -> list[str]:
    rows = [_row("reasons, first [all]", "A", "B", "B - A", wide=_FOR_TWO)]
    rows += [
        _row(
            f"{r.stage}/{r.code}",
            f"{r.first_a:,} [{r.any_a:,}]",
            f"{r.first_b:,} [{r.any_b:,}]",
            f"{r.first_b - r.first_a:+,}",
            wide=_FOR_TWO,
        )
        for r in found.reasons
    ]
    return rows


def _measures(title: str, measures: list[MeasurePair]) -> list[str]:
    rows = [
        _row(f"{title} of accepted records", "A mean", "median", "B mean", "median", "B - A",
             "same items")
    ]  # fmt: skip
    for m in measures:
        change = "-" if m.difference is None else _signed(m.difference)
        same = "-" if m.paired_difference is None else _signed(m.paired_difference)
        rows.append(_row(m.name, *_centre(m.a), *_centre(m.b), change, same))
    return rows


def _centre(spread: Spread) -> tuple[str, str]:
    if not spread.count:
        return "-", "-"
    return _number(spread.mean), _number(spread.median)


def _settings(found: Comparison) -> list[str]:
    rows = ["  settings that differ (A → B)"]
    rows += [
        f"    {harmless_line(s.name)}: {_brief(s.a)} → {_brief(s.b)}"
        for s in found.settings[:_MOST_SETTINGS]
    ]
    if len(found.settings) > _MOST_SETTINGS:
        rows.append(f"    … and {len(found.settings) - _MOST_SETTINGS} more (--json has all)")
    return rows


def _brief(value: Any) -> str:
    text = "not set" if value is None else harmless_line(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 60 else text[:57] + "…"


def _known(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _number(value: float) -> str:
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.3g}"


def _signed(value: float) -> str:
    return f"{value:+,.1f}" if abs(value) >= 10 else f"{value:+.3g}"
