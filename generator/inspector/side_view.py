"""One side of a pair of samples, ready for the page. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from generator.comparing import SampleSide
from generator.inspector.understood import utterances
from generator.inspector.visible import Mark, Shown, shown, visible


@dataclass(frozen=True, slots=True)
class SideView:
    """Where a sample stands in one run, with its outputs and what was understood of them."""

    place: str
    reasons: tuple[tuple[str, Markup], ...]
    failure: Markup | None
    raws: tuple[Shown, ...]
    summary: Markup | None
    turns: tuple[tuple[str, Markup], ...]
    measures: tuple[tuple[str, Any], ...]


def side_view(side: SampleSide) -> SideView:
    """A side with its texts as markup, its faults marked."""
    standing = side.standing
    marks = [
        Mark(reason["span"][0], reason["span"][1], (number,))
        for number, reason in enumerate(standing.reasons, start=1)
        if reason.get("span")
    ]
    parsed = side.parsed if isinstance(side.parsed, Mapping) else {}
    summary = parsed.get("summary")
    return SideView(
        place=standing.place,
        reasons=tuple(
            (f"{reason['stage']}/{reason['code']}", visible(str(reason["detail"])))
            for reason in standing.reasons
        ),
        failure=visible(standing.failure) if standing.failure else None,
        raws=tuple(
            shown(raw, marks if n == side.spans_in else ()) for n, raw in enumerate(side.raw)
        ),
        summary=shown(summary).markup if isinstance(summary, str) else None,
        turns=tuple((speaker, shown(text).markup) for speaker, text in utterances(side.parsed)),
        measures=tuple(standing.measures.items()),
    )
