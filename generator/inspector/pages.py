"""How a page is rendered: templates with escaping always on, and what every page shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from generator.inspector.following import FollowerStatus
from generator.inspector.jobs import Jobs
from generator.inspector.keys import KEYS
from generator.inspector.opened_run import OpenedRun, Reading
from generator.inspector.query import Query
from generator.inspector.safety import Token
from generator.inspector.visible import plain, visible

TEMPLATES = Path(__file__).with_name("templates")
STATIC = Path(__file__).with_name("static")


class Pages:
    """Renders templates for one run."""

    def __init__(self, run: OpenedRun, token: Token, compare: tuple[Path, ...]) -> None:
        self.run = run
        self.token = token
        self.compare = compare
        self.jobs = Jobs()

    @cached_property
    def _environment(self) -> jinja2.Environment:
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        environment.filters |= {
            "visible": lambda value: visible(str(value)),
            "plain": lambda value: plain(str(value)),
            "number": _number,
            "percent": _percent,
        }
        return environment

    def page(
        self, template: str, request: Request, *, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """A page of its own, with the frame that all have."""
        text = self._environment.get_template(template).render(
            run_name=self.run.name,
            keys=KEYS,
            token=self.token.value,
            follower=self.run.follower.status,
            behind=self.run.line_files.behind,
            comparable=bool(self.compare),
            path=request.url.path,
            **{"query": Query(), "counts": None, **values},
        )
        response = HTMLResponse(text, status_code=status)
        response.set_cookie(
            self.token.cookie, self.token.value, httponly=True, samesite="strict", path="/"
        )
        return response


def counts_of(reading: Reading) -> dict[str, int]:
    """How many items are in each place, from the index."""
    places = {v.value: v.count for v in reading.index.facet_values("place")}
    counts = {p: places.get(p, 0) for p in ("accepted", "rejected", "failed", "pending")}
    return {"items": sum(counts.values()), **counts}


def progress_of(
    status: FollowerStatus, reading: Reading, manifest: Mapping[str, Any]
) -> dict[str, Any]:
    """What the progress line says, as JSON."""
    ended = reading.store.meta("ended")
    counts = counts_of(reading)
    return {
        "phase": status.phase,
        "done": status.done,
        "total": status.total,
        "writing": status.writing,
        "trouble": status.trouble,
        "finished": bool(ended and ended["whole"]),
        "generation": reading.index.meta("rows") or "0",
        "counts": counts,
        "recipe": manifest["recipe"],
    }


def _number(value: Any) -> str:
    """A number as people read it."""
    if isinstance(value, bool) or value is None:
        return "–" if value is None else str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{int(value):,}" if value == int(value) and abs(value) < 1e15 else f"{value:,.4g}"
    return str(value)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
