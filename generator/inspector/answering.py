"""How a view becomes an answer: in a thread, and with a page of its own for what went wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from generator.inspector.pages import Pages

Answering = Callable[[Request], Awaitable[Response]]


def in_thread(make: Callable[[Request], Response]) -> Answering:
    """A view that may wait (SQLite waits for the disk), as the server takes it."""

    async def answer(request: Request) -> Response:
        return await run_in_threadpool(make, request)

    return answer


class Answers:
    """Pages for what went wrong."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def missing(self, request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        detail = getattr(error, "detail", "")
        known = {"Not Found": "There is no such page here.",
                 "Method Not Allowed": "This address takes no request of that kind."}  # fmt: skip
        return self._error(request, status, known.get(detail, detail))

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
