"""Figures of a shape by language, each beside the published one, as text ready to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from generator.report.numbers import figure

_NAMES = {"en": "English", "zh": "Chinese", "all": "all"}


@dataclass(frozen=True, slots=True)
class ShapeCell:
    """One figure in one language, and what was published of it ("" where nothing was)."""

    here: str
    published: str


@dataclass(frozen=True, slots=True)
class ShapeRow:
    """One figure; there is a cell for each column of the table."""

    label: str
    cells: tuple[ShapeCell, ...]


@dataclass(frozen=True, slots=True)
class ShapeTable:
    """Figures in rows, languages in columns; a column is named with its number of records."""

    columns: tuple[str, ...]
    rows: tuple[ShapeRow, ...]


def shape_table(
    shape: str, records: Iterable[Mapping[str, Any]], lang: str | None = None
) -> ShapeTable | None:
    """The table of the records of a shape, read once; None where the shape has none, or there
    is no record. `lang` is each record's own (by the script of its question) when it is None."""
    if shape != "truthreader":
        return None
    from generator.filters.truthreader import summarise_truthreader

    summary = summarise_truthreader(records, lang)
    if not summary.records["all"]:
        return None
    languages = [name for name in _NAMES if summary.records.get(name)]
    if len(languages) == 2:
        # One language and "all" are the same records.
        languages.remove("all")
    alone = len(languages) == 1
    return ShapeTable(
        tuple(f"{_NAMES[name]} ({summary.records[name]:,})" for name in languages),
        tuple(
            ShapeRow(
                row.label,
                tuple(
                    ShapeCell(
                        _shown(row.name, row.values.get(name)),
                        _shown(row.name, _published(row.published, name, alone=alone)),
                    )
                    for name in languages
                ),
            )
            for row in summary.rows
        ),
    )


def _published(known: Mapping[str, float], name: str, *, alone: bool) -> float | None:
    """What was published of a language; where only one is shown, else of both together."""
    return known.get(name, known.get("all") if alone else None)


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return ""
    if name.endswith("_share"):
        return f"{value:.1%}"
    if name.startswith(("support", "uncited")):
        return f"{value:.2f}"
    return figure(round(value, 4))
