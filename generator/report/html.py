"""`report.html`: one self-contained page to send to somebody, readable without script."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.calling.prices import dollars
from generator.report import plots
from generator.report.excerpts import shown_example, shown_text
from generator.report.figures import RunFigures, gather
from generator.report.file_figures import FileFigures
from generator.report.measures import MEANINGS, is_length
from generator.report.numbers import figure
from generator.report.published import SOURCES
from generator.report.record_lengths import Distribution
from generator.report.summary import MeasureSpread
from generator.run_directory import RunDirectory, flatten, replacing

_STEP_NAMES = {
    "candidates": "candidates judged",
    "answered": "answered in full",
    "parsed": "parsed",
}


def write_report(run: Path, figures: RunFigures | None = None, *, to: Path | None = None) -> Path:
    """Write the page, into the run directory unless `to` names a file; answers its path.

    `figures` are those of the run, where they were gathered before. Raises `WrongUse` when it
    is no run directory.
    """
    found = figures or gather(run)
    page = to or RunDirectory(run).report
    with replacing(page) as file:
        file.write(run_page(run.resolve().name, found))
    return page


def run_page(name: str, figures: RunFigures) -> str:
    """The page of a run as text."""
    summary = figures.summary
    manifest = summary.manifest
    varied = [
        m for m in summary.measures if not is_length(m.name) and m.low < m.high and m.low >= 0
    ]
    return render(
        "run.html.jinja",
        name=name,
        figures=figures,
        cost="unknown" if figures.cost is None else dollars(figures.cost),
        step_names=_STEP_NAMES,
        most=max((reason.first for reason in summary.reasons), default=1) or 1,
        examples={
            name: [shown_example(example) for example in found]
            for name, found in figures.examples.items()
        },
        source=SOURCES.get(figures.shape),
        measures=summary.measures,
        meanings=MEANINGS,
        settings=_settings(manifest),
        versions=sorted(manifest["versions"].items()),
        funnel_plot=_markup(plots.funnel_plot(summary.funnel)) if plots.can_plot() else None,
        length_plots=length_plots(figures.lengths),
        measure_plots=_measure_plots(varied),
    )


def write_file_report(figures: FileFigures, to: Path) -> None:
    """Write the page of a file of records."""
    with replacing(to) as file:
        file.write(
            render(
                "file.html.jinja",
                name=figures.path.name,
                figures=figures,
                source=SOURCES.get(figures.shape),
                length_plots=length_plots(figures.lengths),
            )
        )


def render(template: str, **values: Any) -> str:
    """A template of this folder as text; every value is escaped."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        # Corpus text is untrusted markup here, unlike in prompts.
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = figure
    environment.filters["shown"] = shown_text
    return environment.get_template(template).render(
        plotting=plots.can_plot(), no_plots=plots.NO_PLOTS, **values
    )


def length_plots(lengths: Sequence[Distribution]) -> list[Mapping[str, Any]]:
    """A histogram of each distribution; none where nothing can plot."""
    if not plots.can_plot():
        return []
    return [
        {
            "title": row.label if row.unit in row.label else f"{row.label}, {row.unit}",
            "svg": _markup(plots.histogram_plot(row.name, row.spread, row.unit, row.published)),
        }
        for row in lengths
    ]


def _measure_plots(measures: Sequence[MeasureSpread]) -> list[Mapping[str, Any]]:
    if not plots.can_plot():
        return []
    drawn = [(m.name, plots.histogram_plot(m.name, m.spread, "", None)) for m in measures]
    return [{"title": shown_text(name), "svg": _markup(svg)} for name, svg in drawn]


def _markup(svg: str) -> Any:
    """A plot, which is drawn from numbers and this project's words, not from corpus text."""
    from markupsafe import Markup

    return Markup(svg)


def _settings(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    models = {f"model of {role}": about["spec"] for role, about in manifest["roles"].items()}
    found = {**models, **dict(sorted(flatten(manifest["settings"]).items()))}
    return [
        (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for name, value in found.items()
    ]
