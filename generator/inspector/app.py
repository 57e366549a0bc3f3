"""The routes of the inspector."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from generator.errors import DialogsmithError
from generator.inspector.call_view import unanswered_attempts
from generator.inspector.funnel import DIMENSIONS, funnel_of, shares, slices
from generator.inspector.listing import chips, list_view
from generator.inspector.pages import TEMPLATES, Pages, counts_of, progress_of
from generator.inspector.query import cursor_from, query_from
from generator.inspector.reproducing import command_again
from generator.inspector.safety import Guard, Refused
from generator.inspector.sample_view import sample_view
from generator.inspector.search import Search
from generator.recipes import get_recipe

STATIC = TEMPLATES.with_name("static")
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_SLICES_SHOWN = 20


def make_app(pages: Pages) -> ASGIApp:
    """The inspector as an ASGI app, behind its guard."""
    views = Views(pages)
    app = Starlette(
        routes=[
            Route("/", views.page(views.funnel)),
            Route("/samples", views.page(views.samples)),
            Route("/sample/{seq:int}", views.page(views.sample)),
            Route("/progress", views.page(views.progress)),
            Route("/static/{name}", static),
        ],
        exception_handlers={
            HTTPException: views.missing,
            Refused: views.refused,
            DialogsmithError: views.trouble,
            Exception: views.unexpected,
        },
    )
    return Guard(app)


async def static(request: Request) -> Response:
    """A file that came with the package, by its bare name."""
    name = request.path_params["name"]
    known = {path.name: path for path in STATIC.iterdir() if path.suffix in _TYPES}
    if name not in known:
        raise HTTPException(404)
    return FileResponse(
        known[name],
        media_type=_TYPES[known[name].suffix],
        headers={"cache-control": "no-cache"},
    )


class Views:
    """What each address shows. Pages are made in threads: SQLite waits for the disk."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._run = pages.run

    def page(self, make: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
        """A view that may wait, as the server takes it."""

        async def answer(request: Request) -> Response:
            return await run_in_threadpool(make, request)

        return answer

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

    def sample(self, request: Request) -> Response:
        seq = int(request.path_params["seq"])
        query = query_from(request.query_params.multi_items())
        whole = request.query_params.get("full") == "1"
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
                query=query,
                view=view,
                whole=whole,
                before=None if before is None else query.address(f"/sample/{before}"),
                after=None if after is None else query.address(f"/sample/{after}"),
                place_in_list=search.place_of(search.cursor(seq)) if inside else None,
                total=search.total,
                unanswered=unanswered_attempts(reading.store, view.key, view.calls, whole=whole),
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

    def progress(self, request: Request) -> Response:
        with self._run.reading() as reading:
            return JSONResponse(
                progress_of(self._run.follower.status, reading, self._run.manifest())
            )

    async def missing(self, request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        detail = getattr(error, "detail", "")
        return self._error(
            request, status, "There is no such page here." if detail == "Not Found" else detail
        )

    async def refused(self, request: Request, error: Exception) -> Response:
        return self._error(request, getattr(error, "status", 403), str(error))

    async def trouble(self, request: Request, error: Exception) -> Response:
        return self._error(request, 409, str(error))

    async def unexpected(self, request: Request, error: Exception) -> Response:
        return self._error(request, 500, f"The page could not be made: {error!r}")

    def _error(self, request: Request, status: int, detail: str) -> Response:
        return self._pages.page(
            "error.html.jinja", request, status=status, code=status, detail=detail
        )
