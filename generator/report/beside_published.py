"""The figures of a corpus of cited answers beside those of TruthReader's public sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.filters.truthreader import summarise_truthreader
from generator.report.summary import MeasureSpread
from generator.run_directory import RunDirectory
from generator.store import RunStore, naming_store_faults

_JUDGED = {
    "judge_recall": "sentences that the judge finds entailed (citation recall)",
    "judge_precision": "markers that the judge finds needed (citation precision)",
    "judge_agreement": "sentences on which judge and word overlap agree",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the corpus, and the published sample's where there is one."""

    label: str
    value: str
    published: str


def figures_beside_published(run: Path, manifest: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The figures of the accepted records; empty for a run of another shape, or of none."""
    if manifest["shape"] != "truthreader":
        return ()
    directory = RunDirectory(run)
    store = RunStore(directory.store, create=False, writable=False)
    try:
        with naming_store_faults(directory.store):
            lang = str(manifest["settings"]["lang"])
            summary = summarise_truthreader(
                (v.record for _, v in store.judged(accepted_only=True) if v.in_corpus and v.record),
                lang,
            )
    finally:
        store.close()
    return tuple(
        Figure(
            row.label,
            _text(row.name, row.values.get(lang)),
            _text(row.name, row.published.get(lang, row.published.get("all"))),
        )
        for row in summary.rows
        if lang in row.values
    )


def judged_figures(measures: Sequence[MeasureSpread]) -> tuple[Figure, ...]:
    """Means of what a judge said of the accepted records; empty where none was asked."""
    return tuple(
        Figure(_JUDGED[spread.name], f"{spread.mean:.2f}", "")
        for spread in measures
        if spread.name in _JUDGED
    )


def describe_figures(figures: Sequence[Figure]) -> str:
    """The figures as a table for a terminal."""
    width = max(len(figure.label) for figure in figures)
    lines = [f"  {'of the accepted records':<{width}}  {'here':>7}  published sample"]
    lines += [f"  {f.label:<{width}}  {f.value:>7}  {f.published:>7}".rstrip() for f in figures]
    return "\n".join(lines)


def _text(name: str, value: float | None) -> str:
    if value is None:
        return ""
    if name.endswith("_share"):
        return f"{100 * value:.0f} %"
    return f"{value:.2f}" if value < 1 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
