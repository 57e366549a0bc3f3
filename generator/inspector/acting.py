"""What changes a run: a person's decisions on its samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from generator.deciding import DecisionResult, decide, undo
from generator.errors import DialogsmithError
from generator.inspector.decision_view import EditForm, edited_content, form_from, with_spare_turns
from generator.inspector.pages import Pages
from generator.inspector.query import query_from
from generator.inspector.safety import trusted_form
from generator.inspector.views import Views
from generator.store.rows import Action

_RENEWAL_S = 5.0
"""Seconds a page waits for the index to follow a decision; the decision itself is made by then."""

Form = dict[str, list[str]]


class Acts:
    """Decides, then leads back to the sample; what cannot be decided is said on its page."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._run = pages.run
        self._views = Views(pages)

    async def accept(self, request: Request) -> Response:
        return await self._act(request, lambda key, form: self._decide(key, "accept", form))

    async def refuse(self, request: Request) -> Response:
        return await self._act(request, lambda key, form: self._decide(key, "refuse", form))

    async def edit(self, request: Request) -> Response:
        def accept_edited(key: str, form: Form) -> DecisionResult:
            return self._decide(key, "accept", form, edited_content(form_from(form)))

        return await self._act(request, accept_edited)

    async def undo(self, request: Request) -> Response:
        path = self._run.directory.path
        return await self._act(
            request,
            lambda key, _: self._noted(lambda at_once: undo(path, key, views=at_once)),
        )

    async def write_files(self, request: Request) -> Response:
        """Write the line files where decisions left them behind, in the background."""
        await trusted_form(request, self._pages.token)
        files = self._run.line_files
        self._pages.jobs.ask("files", files.ever_behind, lambda _: files.write())
        return RedirectResponse("/", status_code=303)

    def _decide(
        self, key: str, action: Action, form: Form, edited: Mapping[str, Any] | None = None
    ) -> DecisionResult:
        path, note = self._run.directory.path, (form.get("note") or [""])[0].strip()
        return self._noted(
            lambda at_once: decide(path, key, action, note=note, edited=edited, views=at_once)
        )

    def _noted(self, act: Callable[[bool], DecisionResult]) -> DecisionResult:
        """Act, and keep count of what the line files do not have yet."""
        at_once = self._run.line_files.follow_at_once()
        result = act(at_once)
        if not at_once:
            self._run.line_files.left_behind()
        return result

    async def _act(self, request: Request, act: Callable[[str, Form], DecisionResult]) -> Response:
        form = await trusted_form(request, self._pages.token)
        return await run_in_threadpool(self._done, request, form, act)

    def _done(
        self, request: Request, form: Form, act: Callable[[str, Form], DecisionResult]
    ) -> Response:
        seq = int(request.path_params["seq"])
        with self._run.reading() as reading:
            item = reading.store.item_at(seq)
        if item is None:
            raise HTTPException(404, f"There is no item at place {seq} of the input.")
        try:
            result = act(item.key, form)
        except (DialogsmithError, ValueError) as error:
            given: EditForm | None = None
            if "text" in form or "record" in form:
                given = form_from(form)
                given = given if given.record is not None else with_spare_turns(given)
            return self._views.sample(request, problem=str(error), given=given)
        keys = [result.sample.key, *(side.key for side in result.others)]
        self._run.follower.renew(keys, _RENEWAL_S)
        query = query_from(request.query_params.multi_items())
        return RedirectResponse(query.address(f"/sample/{seq}"), status_code=303)
