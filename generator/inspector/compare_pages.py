"""Two runs over the same inputs: figures side by side, then item by item."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from generator.comparing import CHANGES, Comparison, PairedItem, RunPair
from generator.inspector.jobs import Job
from generator.inspector.pages import Pages
from generator.inspector.side_view import side_view
from generator.inspector.sources import source_parts
from generator.run_directory import RunDirectory
from generator.store.scanning import StoreScanner

PAGE_SIZE = 50
CHANGE_WORDS = {
    "changed": "changed sides",
    "gained": "gained by B",
    "lost": "lost by B",
    "other_reason": "rejected for another reason",
    "both_accepted": "accepted by both",
    "both_rejected": "rejected by both",
    "only_a": "in A alone",
    "only_b": "in B alone",
    "all": "all items",
}


class ComparePages:
    """The comparison of the run with one of those named on the command line, and no other."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._run = pages.run

    def show(self, request: Request) -> Response:
        """Figures, then a page of items; the figures are counted in the background."""
        choices = [str(path) for path in self._pages.compare]
        other = self._other(request)
        if other is None:
            return self._pages.page(
                "compare.html.jinja", request, choices=choices, other=None, job=None, found=None,
                rows=(), changes=(), change="changed", following=None, problem=None,
            )  # fmt: skip
        job = self._pages.jobs.ask("compare", (str(other), self._state(other)),
                                   lambda job: self._compare(job, other))  # fmt: skip
        found: Comparison | None = job.result if job.finished else None
        change = request.query_params.get("change", "changed")
        change = change if change in CHANGES else "changed"
        rows, following = self._rows(request, other, change)
        return self._pages.page(
            "compare.html.jinja",
            request,
            choices=choices,
            other=other,
            job=job,
            found=found,
            problem=job.error,
            change=change,
            changes=[
                (name, word, _link(other, change=name)) for name, word in CHANGE_WORDS.items()
            ],
            rows=[(row, _link(other, row.key, change=change)) for row in rows],
            following=following,
        )

    def item(self, request: Request) -> Response:
        """One item as both runs have it, beside its source."""
        other = self._other(request)
        if other is None:
            raise HTTPException(404)
        with RunPair(self._run.directory.path, other) as pair:
            sample = pair.sample(request.path_params["key"])
            if sample is None:
                raise HTTPException(404, "Neither run has such an item.")
            number = int(sample.item.a.place == "absent")
            names = (self._run.directory.path, other)
        store = StoreScanner(RunDirectory(names[number]).store)
        try:
            item = store.item_at(sample.item.seq)
        finally:
            store.close()
        return self._pages.page(
            "compare_item.html.jinja",
            request,
            item=sample.item,
            parts=() if item is None else source_parts(item.payload),
            sides=[
                ("A", str(names[0]), side_view(sample.a)),
                ("B", str(names[1]), side_view(sample.b)),
            ],
            back=_link(other, change=request.query_params.get("change", "changed")),
            inside=None if number else f"/sample/{sample.item.seq}",
        )

    def _other(self, request: Request) -> Path | None:
        """The run that the address names, if it was named on the command line."""
        wanted = request.query_params.get("with")
        if wanted is None:
            return self._pages.compare[0] if len(self._pages.compare) == 1 else None
        for path in self._pages.compare:
            if wanted == str(path):
                return path
        raise HTTPException(
            404,
            "Only runs that were named when the inspector was started can be compared: "
            "dialogsmith inspect DIR --compare OTHER",
        )

    def _compare(self, job: Job, other: Path) -> Comparison:
        total = self._total()
        with RunPair(self._run.directory.path, other) as pair:
            return pair.compare(
                on_progress=lambda done: job.tell("Counting the items of both runs", done, total)
            )

    def _total(self) -> int:
        with self._run.reading() as reading:
            return reading.index.everything().bit_count()

    def _state(self, other: Path) -> str:
        """Equal as long as neither run has changed."""
        with self._run.reading() as reading:
            mine = reading.index.meta("rows")
        store = RunDirectory(other).store
        files = [store, store.with_name(store.name + "-wal")]
        stamps = [(p.stat().st_size, p.stat().st_mtime_ns) for p in files if p.exists()]
        return f"{mine} {stamps}"

    def _rows(
        self, request: Request, other: Path, change: str
    ) -> tuple[list[PairedItem], str | None]:
        with RunPair(self._run.directory.path, other) as pair:
            after = _cursor(request.query_params.get("after", ""))
            rows = list(pair.items(change, after=after, limit=PAGE_SIZE + 1))
        following = None
        if len(rows) > PAGE_SIZE:
            rows = rows[:PAGE_SIZE]
            place = "{}-{}".format(*rows[-1].cursor)
            following = _link(other, change=change, after=place) + "#items"
        return rows, following


def _cursor(text: str) -> tuple[int, int] | None:
    side, _, seq = text.partition("-")
    if side in ("0", "1") and seq.isascii() and seq.isdigit() and len(seq) < 12:
        return int(side), int(seq)
    return None


def _link(other: Path, key: str = "", **more: Any) -> str:
    path = f"/compare/{key}" if key else "/compare"
    return f"{path}?{urlencode({'with': str(other), **more})}"
