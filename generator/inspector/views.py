"""The views that only show: funnel, list, sample, progress."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from generator.inspector.call_view import unanswered_attempts
from generator.inspector.decision_view import EditForm, decision_view
from generator.inspector.funnel import DIMENSIONS, funnel_of, shares, slices
from generator.inspector.listing import chips, list_view
from generator.inspector.pages import Pages, counts_of, progress_of
from generator.inspector.query import cursor_from, query_from
from generator.inspector.reproducing import command_again
from generator.inspector.sample_view import sample_view
from generator.inspector.search import Search
from generator.recipes import get_recipe

_SLICES_SHOWN = 20


class Views:
    """What each address shows."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._run = pages.run

    def funnel(self, request: Request) -> Response:
        pairs = request.query_params.multi_items()
        query = query_from(pairs)
        like = request.query_params.get("find", "")
        with self._run.reading() as reading:
            search = Search(reading.index, query)
            funnel = funnel_of(search)
            tables = [
                (facet, title, slices(search, facet, limit=_SLICES_SHOWN,
                                      like=like if facet == "paper" else ""),
                 reading.index.count_values(facet))
                for facet, title in DIMENSIONS
            ]  # fmt: skip
            return self._pages.page(
                "funnel.html.jinja",
                request,
                query=query,
                funnel=funnel,
                plotted=shares(funnel.steps, funnel.items),
                tables=tables,
                find=like,
                chips=chips(reading, query, "/"),
                counts=counts_of(reading),
                manifest=self._run.manifest(),
                ended=reading.store.meta("ended"),
            )

    def samples(self, request: Request) -> Response:
        params = request.query_params
        query = query_from(params.multi_items())
        with self._run.reading() as reading:
            view = list_view(
                reading,
                query,
                after=cursor_from(params.get("after")),
                before=cursor_from(params.get("before")),
            )
            return self._pages.page(
                "samples.html.jinja", request, query=query, view=view, counts=counts_of(reading)
            )

    def sample(
        self, request: Request, *, problem: str | None = None, given: EditForm | None = None
    ) -> Response:
        """One sample; `problem` is why a decision was not made, `given` the edit it was to be."""
        seq = int(request.path_params["seq"])
        query = query_from(request.query_params.multi_items())
        whole = request.query_params.getlist("full")
        manifest = self._run.manifest()
        with self._run.reading() as reading:
            view = sample_view(reading.store, seq, manifest, self._run.prices, whole=whole)
            if view is None:
                raise HTTPException(404, f"There is no item at place {seq} of the input.")
            search = Search(reading.index, query)
            before, after = search.neighbours(seq)
            inside = bool(search.found >> seq & 1)
            return self._pages.page(
                "sample.html.jinja",
                request,
                status=200 if problem is None else 409,
                query=query,
                view=view,
                address=f"/sample/{seq}",
                problem=problem,
                editing=given is not None,
                decision=decision_view(
                    reading.store,
                    reading.store.verdict_of(view.key),
                    str(manifest.get("shape", "")),
                    given,
                    whole="edit" in whole,
                ),
                before=None if before is None else query.address(f"/sample/{before}"),
                after=None if after is None else query.address(f"/sample/{after}"),
                place_in_list=search.place_of(search.cursor(seq)) if inside else None,
                total=search.total,
                unanswered=unanswered_attempts(
                    reading.store, view.key, view.calls, whole="calls" in whole
                ),
                commands=self._commands(seq),
            )

    def _commands(self, seq: int) -> list[tuple[str, str]]:
        manifest = self._run.manifest()
        recipe = get_recipe(manifest["recipe"])
        path = self._run.directory.path
        return [
            ("from the stored answers, without a model call",
             command_again(manifest, recipe, out=f"{path}-again", limit=seq + 1, replay=path)),
            ("asking the models again",
             command_again(manifest, recipe, out=f"{path}-anew", limit=seq + 1)),
        ]  # fmt: skip

    def job(self, request: Request) -> Response:
        """How far a piece of work in the background is, as JSON."""
        job = self._pages.jobs.numbered(int(request.path_params["number"]))
        if job is None:
            raise HTTPException(404, "There is no such piece of work.")
        return JSONResponse(job.as_json())

    def progress(self, request: Request) -> Response:
        with self._run.reading() as reading:
            return JSONResponse(
                progress_of(self._run.follower.status, reading, self._run.manifest())
            )
