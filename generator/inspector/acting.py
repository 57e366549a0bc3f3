"""What changes a run: a person's decisions on its samples."""

from __future__ import annotations

from collections.abc import Callable

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
        path = self._run.directory.path
        return await self._act(
            request, lambda key, form: decide(path, key, "accept", note=_note(form))
        )

    async def refuse(self, request: Request) -> Response:
        path = self._run.directory.path
        return await self._act(
            request, lambda key, form: decide(path, key, "refuse", note=_note(form))
        )

    async def undo(self, request: Request) -> Response:
        return await self._act(request, lambda key, _: undo(self._run.directory.path, key))

    async def edit(self, request: Request) -> Response:
        path = self._run.directory.path

        def accept_edited(key: str, form: Form) -> DecisionResult:
            content = edited_content(form_from(form))
            return decide(path, key, "accept", note=_note(form), edited=content)

        return await self._act(request, accept_edited)

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


def _note(form: Form) -> str:
    return (form.get("note") or [""])[0].strip()
