"""Distributions as plain text: the run's figures, and the published ones beside them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from generator.report.figures import RunFigures
from generator.report.file_figures import FileFigures
from generator.report.measures import MEANINGS
from generator.report.numbers import figure
from generator.report.published import SOURCES, STRUCTURAL_YIELD
from generator.report.record_lengths import Distribution
from generator.report.shape_table import ShapeTable
from generator.report.show import harmless_line
from generator.report.summary import MeasureSpread
from generator.report.terminal import describe


def describe_figures(figures: RunFigures, run: Path) -> str:
    """All of a run: its places, its reasons, and the lengths of its accepted records."""
    lines = [describe(figures.summary, run)]
    if figures.lengths:
        lines += ["", "  lengths of the accepted records", *_table(figures.lengths)]
        lines += _shape_lines(figures.shape_figures)
        lines += _source(figures.shape)
        lines += _judge_lines(figures.summary.measures)
    if figures.shape == "paperpersichat":
        lines += [
            "",
            f"  published yield: {STRUCTURAL_YIELD:.1%}, 2,817 of 3,588 raw dialogues, by their "
            "structure alone",
        ]
    return "\n".join(lines)


def _judge_lines(measures: Sequence[MeasureSpread]) -> list[str]:
    """What a judge said of the citations, on average; nothing where none was asked."""
    means = {one.name: one for one in measures if one.name.startswith("judge_")}
    if not means:
        return []
    lines = ["", f"  {'judged citations':<58}{'number':>10}{'mean':>9}"]
    return lines + [
        f"  {MEANINGS[name]:<58}{one.count:>10,}{one.spread.mean:>9.2f}"
        for name, one in means.items()
        if name in MEANINGS
    ]


def describe_file(figures: FileFigures) -> str:
    """A file of records: how many there are, what was left out, and their lengths."""
    lines = [f"{figures.path}  ({figures.shape})", "", f"  {figures.records:,} records"]
    if figures.left_out:
        lines.append(f"  {figures.left_out:,} left out, since they do not have the shape:")
        lines += [
            f"    line {f.line}: {harmless_line(f.where)}: {harmless_line(f.message)[:200]}"
            for f in figures.faults
        ]
        if figures.left_out > len(figures.faults):
            lines.append(f"    … (`dialogsmith validate --shape {figures.shape}` names them all)")
    if figures.lengths:
        lines += ["", "  lengths", *_table(figures.lengths)]
        lines += [*_shape_lines(figures.shape_figures), *_source(figures.shape)]
    return "\n".join(lines)


def _table(rows: Sequence[Distribution]) -> list[str]:
    published = any(row.published is not None for row in rows)
    head = f"  {'':<36}{'number':>10}{'mean':>9}{'median':>9}{'95%':>9}"
    lines = [head + ("   published: mean / median / 95%" if published else "")]
    for row in rows:
        label = row.label if row.unit in row.label else f"{row.label}, {row.unit}"
        s = row.spread
        line = f"  {label:<36}{s.count:>10,}" + "".join(
            f"{figure(value):>9}" for value in (s.mean, s.median, s.quantile(0.95))
        )
        if row.published is not None:
            known = (row.published.mean, row.published.median, row.published.p95)
            line += "   " + " / ".join(figure(value) for value in known)
        lines.append(line)
    return lines


def _shape_lines(table: ShapeTable | None) -> list[str]:
    if table is None:
        return []
    lines = ["", f"  {'':<50}" + "".join(f"{n:>15}{'published':>11}" for n in table.columns)]
    for row in table.rows:
        cells = "".join(f"{c.here or '–':>15}{c.published or '–':>11}" for c in row.cells)
        lines.append(f"  {row.label:<50}{cells}")
    return lines


def _source(shape: str) -> list[str]:
    if shape not in SOURCES:
        return []
    return [
        "",
        *textwrap.wrap(
            SOURCES[shape], 96, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        ),
    ]
