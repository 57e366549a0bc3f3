"""The routes of the inspector."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from generator.errors import DialogsmithError
from generator.inspector.acting import Acts
from generator.inspector.answering import Answers, in_thread
from generator.inspector.compare_pages import ComparePages
from generator.inspector.pages import STATIC, Pages
from generator.inspector.safety import Guard, Refused
from generator.inspector.views import Views
from generator.inspector.whatif_pages import WhatIfPages

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def make_app(pages: Pages) -> ASGIApp:
    """The inspector as an ASGI app, behind its guard."""
    answers = Answers(pages)
    app = Starlette(
        routes=routes(pages),
        exception_handlers={
            HTTPException: answers.missing,
            Refused: answers.refused,
            DialogsmithError: answers.trouble,
            Exception: answers.unexpected,
        },
    )
    return Guard(app)


def routes(pages: Pages) -> list[Route]:
    """Every address there is; `docs/inspector.md` lists them."""
    views, acts = Views(pages), Acts(pages)
    whatif, compare = WhatIfPages(pages), ComparePages(pages)
    return [
        Route("/", in_thread(views.funnel)),
        Route("/samples", in_thread(views.samples)),
        Route("/sample/{seq:int}", in_thread(views.sample)),
        Route("/sample/{seq:int}/accept", acts.accept, methods=["POST"]),
        Route("/sample/{seq:int}/edit", acts.edit, methods=["POST"]),
        Route("/sample/{seq:int}/refuse", acts.refuse, methods=["POST"]),
        Route("/sample/{seq:int}/undo", acts.undo, methods=["POST"]),
        Route("/files", acts.write_files, methods=["POST"]),
        Route("/whatif", in_thread(whatif.show)),
        Route("/whatif/settings.toml", in_thread(whatif.settings)),
        Route("/whatif/apply", whatif.apply, methods=["POST"]),
        Route("/compare", in_thread(compare.show)),
        Route("/compare/{key}", in_thread(compare.item)),
        Route("/jobs/{number:int}", in_thread(views.job)),
        Route("/progress", in_thread(views.progress)),
        Route("/static/{name}", static),
    ]


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
