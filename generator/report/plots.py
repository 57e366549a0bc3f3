"""Plots as SVG, drawn by matplotlib where it is installed (the extra `report`).

The same values give the same bytes: no date, and ids from a fixed salt. Colours are CSS
variables of the page, so that a plot follows its light or dark scheme. Letters stay text,
drawn by the reader's own fonts.
"""

from __future__ import annotations

import importlib.util
import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import pairwise
from typing import Any

from generator.report.funnel import FunnelStep
from generator.report.published import Published
from generator.report.spread import Spread

_WIDTH_IN = 4.2
_BINS = 24
_COLOURS = {
    # What matplotlib is told, and what the page is to draw.
    "#010203": "var(--ink)",
    "#010204": "var(--soft)",
    "#010205": "var(--line)",
    "#010206": "var(--bar)",
    "#010207": "var(--bad)",
    "#010208": "var(--good)",
    "#010209": "var(--published)",
}
_INK, _SOFT, _LINE, _BAR, _BAD, _GOOD, _PUBLISHED = _COLOURS
_STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": _INK,
    "axes.edgecolor": _LINE,
    "axes.labelcolor": _INK,
    "xtick.color": _SOFT,
    "ytick.color": _SOFT,
    "text.parse_math": False,
}
NO_PLOTS = (
    "There are no plots here, since matplotlib is not installed: "
    'pip install "dialogsmith[report]", then write the report again.'
)


def can_plot() -> bool:
    """Whether matplotlib is there."""
    return importlib.util.find_spec("matplotlib") is not None


def funnel_plot(steps: Sequence[FunnelStep]) -> str:
    """What is left after each step, as bars with the step's name above each."""
    with _styled("funnel"):
        return _funnel(steps)


def _funnel(steps: Sequence[FunnelStep]) -> str:
    items = max(steps[0].left, 1)
    figure, axes = _figure(0.36 * len(steps) + 0.1, left_in=0.03, below_in=0, right=0.99)
    for row, step in enumerate(steps):
        axes.barh(row, items, height=0.34, color=_LINE, linewidth=0)
        lost = step.left + step.dropped
        axes.barh(row, lost, height=0.34, color=_BAD, linewidth=0)
        colour = _GOOD if step.kind == "end" else _BAR
        axes.barh(row, step.left, height=0.34, color=colour, linewidth=0)
        tail = f"  -{step.dropped:,}" if step.dropped else ""
        axes.text(0, row - 0.24, _plain(step.name), va="bottom", ha="left")
        axes.text(items, row - 0.24, f"{step.left:,}{tail}", va="bottom", ha="right")
    axes.set_ylim(len(steps) - 0.6, -0.75)
    axes.set_xlim(0, items)
    axes.set_axis_off()
    return _svg(figure, "Items left after each step; the table has the same numbers")


def histogram_plot(name: str, spread: Spread, unit: str, published: Published | None) -> str:
    """How the values spread; published figures as dashed lines with their names."""
    with _styled(name):
        return _histogram(name, spread, unit, published)


def _histogram(name: str, spread: Spread, unit: str, published: Published | None) -> str:
    edges = bin_edges(spread)
    figure, axes = _figure(1.9, left_in=0.62, below_in=0.46 if unit else 0.24)
    counts = spread.histogram(edges)
    widths = [right - left for left, right in pairwise(edges)]
    axes.bar(edges[:-1], counts, width=widths, align="edge", color=_BAR, linewidth=0)
    top = max(counts) * 1.12
    marks = [] if published is None else _marks(published)
    for row, (label, value) in enumerate(marks):
        # The smallest value has the highest line, so that no label crosses another's line.
        height = top * (1.02 + 0.17 * row)
        axes.plot([value, value], [0, height], color=_PUBLISHED, linestyle="--", linewidth=1.2)
        axes.text(value, height, f" published {label} {value:,g}", va="bottom", fontsize=8)
    values = [value for _, value in marks]
    left = min([edges[0], *(0.98 * value for value in values)])
    right = max([edges[-1], *(left + 1.55 * (value - left) for value in values)])
    axes.set_xlim(left, right)
    axes.set_ylim(0, top * (1 + 0.18 * len(marks)))
    axes.set_xlabel(_plain(unit))
    axes.set_ylabel("number")
    axes.locator_params(axis="y", nbins=4, integer=True)
    axes.locator_params(axis="x", nbins=6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return _svg(figure, f"Histogram of {_plain(name)}; the table has its figures")


def _marks(published: Published) -> list[tuple[str, float]]:
    """The published figures by name, the largest first."""
    named = [("mean", published.mean), ("median", published.median), ("p95", published.p95)]
    known = [(label, value) for label, value in named if value is not None]
    return sorted(known, key=lambda mark: -mark[1])


def bin_edges(spread: Spread) -> list[float]:
    """Edges of some 24 bins of a round width. The upper half percent shares the last bin,
    so that one long record does not press all others into the first."""
    low, high = spread.low, spread.quantile(0.995)
    if low >= 0 and high <= 1:
        return [step / 20 for step in range(21)]
    width = _round_width((high - low) / _BINS, whole=spread.whole)
    first = math.floor(low / width)
    bins = max(1, math.floor(high / width) - first + 1)
    # A bin of one whole number stands around that number.
    shift = -0.5 if width == 1 and spread.whole else 0.0
    return [(first + step) * width + shift for step in range(bins + 1)]


def _round_width(wanted: float, *, whole: bool) -> float:
    if whole and wanted <= 1:
        return 1.0
    if wanted <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= wanted * 0.999)


@contextmanager
def _styled(salt: str) -> Iterator[None]:
    """The page's style; ids come from `salt`, so that two plots of a page share none."""
    import matplotlib as mpl

    with mpl.rc_context({**_STYLE, "svg.hashsalt": f"dialogsmith {salt}"}):
        yield


def _figure(
    height_in: float, left_in: float, below_in: float, right: float = 0.955
) -> tuple[Any, Any]:
    """A figure with one pair of axes; the room for their labels is fixed, which is quicker by
    half than to let it be worked out."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH_IN, height_in))
    figure.patch.set_alpha(0)
    left, below = left_in / _WIDTH_IN, below_in / height_in
    axes = figure.add_axes((left, below, right - left, 0.98 - below))
    axes.patch.set_alpha(0)
    return figure, axes


def _svg(figure: Any, title: str) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.StringIO()
    FigureCanvasSVG(figure)
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return _for_page(out.getvalue(), title)


def _for_page(svg: str, title: str) -> str:
    """The `<svg>` element alone, with the page's colours and no id that two plots could share."""
    view = re.search(r'viewBox="([\d. ]+)"', svg)
    drawing = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    drawing = re.sub(r"<metadata>.*?</metadata>\s*", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r"<style[^>]*>.*?</style>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'<g id="[^"]*"', "<g", drawing).replace("xlink:href", "href")
    for told, drawn in _COLOURS.items():
        drawing = drawing.replace(told, drawn)
    box = view.group(1) if view else "0 0 100 100"
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(title)}">{drawing}</svg>'


def _plain(label: str) -> str:
    """A label that every font can draw; the table beside a plot has it in full."""
    shown = "".join(c if " " <= c <= "~" else "?" for c in label)
    return shown if len(shown) <= 40 else shown[:39] + "~"
