"""What if: other thresholds, filters, labels; which samples change sides; saving and applying."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from generator.errors import WrongUse
from generator.inspector.jobs import Job
from generator.inspector.judging_form import JudgingForm, form_of
from generator.inspector.opened_run import Reading
from generator.inspector.pages import Pages, counts_of
from generator.inspector.safety import trusted_form
from generator.inspector.traits import paper_of
from generator.judging import JudgingChanges, changed_settings, settings_of_run
from generator.refiltering import RefilterResult, refilter
from generator.settings_file import write_settings
from generator.whatif import WhatIf, WhatIfProgress, settings_to_save, what_if

PAGE_SIZE = 50
_PHASES = {
    "looking": "Looking over all verdicts",
    "reading": "Reading again what may change",
    "comparing": "Comparing with the rest of the corpus",
}


class WhatIfPages:
    """The page, the settings file, and applying."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._run = pages.run

    def show(self, request: Request) -> Response:
        """The form; once something is changed in it, what would become of the run."""
        form = self._form(request)
        if "sent" in request.query_params:
            # A short address, with the changes alone, is one to keep and send.
            return RedirectResponse(form.address("/whatif"), status_code=303)
        return self._page(request, form)

    def settings(self, request: Request) -> Response:
        """The changed settings as a file for `refilter --settings` and `generate --settings`."""
        groups = settings_to_save(self._run.directory.path, self._form(request).changes())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "settings.toml"
            write_settings(path, groups)
            text = path.read_text(encoding="utf-8")
        return PlainTextResponse(
            text, headers={"content-disposition": 'attachment; filename="settings.toml"'}
        )

    async def apply(self, request: Request) -> Response:
        """Refilter the run with the changes, in the background."""
        await trusted_form(request, self._pages.token)
        return await run_in_threadpool(self._apply, request)

    def _apply(self, request: Request) -> Response:
        form = self._form(request)
        changes = form.changes()
        if not changes:
            raise WrongUse("Nothing is changed, so there is nothing to apply.")
        self._check(changes)
        job = self._pages.jobs.ask("apply", self._state(), lambda job: self._refilter(job, changes))
        return RedirectResponse(form.address("/whatif", ("applying", str(job.number))), 303)

    def _refilter(self, job: Job, changes: JudgingChanges) -> RefilterResult:
        job.phase = "Judging all samples anew"
        result = refilter(
            self._run.directory.path,
            parser=changes.parser,
            filters=changes.filters,
            words=changes.words,
        )
        self._run.follower.look_again()
        return result

    def _form(self, request: Request) -> JudgingForm:
        _, settings = settings_of_run(self._run.manifest())
        return form_of(settings, request.query_params.multi_items())

    def _check(self, changes: JudgingChanges) -> None:
        """Raise `WrongUse` for a change that cannot be made."""
        _, settings = settings_of_run(self._run.manifest())
        changed_settings(settings, changes)

    def _state(self) -> str:
        with self._run.reading() as reading:
            return reading.index.meta("rows") or "0"

    def _page(self, request: Request, form: JudgingForm) -> Response:
        problem, job, result = None, None, None
        applied = self._applied(request)
        try:
            changes = form.changes()
            self._check(changes)
        except WrongUse as error:
            problem, changes = str(error), JudgingChanges()
        if changes and applied is None:
            key = (tuple(form.parameters()), self._state())
            job = self._pages.jobs.ask("whatif", key, lambda job: self._try(job, changes))
            result = job.result if job.finished else None
            problem = job.error if job.finished else None
        with self._run.reading() as reading:
            return self._pages.page(
                "whatif.html.jinja",
                request,
                status=200 if problem is None else 400,
                form=form,
                changed=bool(changes),
                problem=problem,
                job=applied or job,
                applied=applied,
                result=result,
                moved=None if result is None else self._moved(reading, request, form, result),
                command=self._command(),
                counts=counts_of(reading),
            )

    def _applied(self, request: Request) -> Job | None:
        number = request.query_params.get("applying", "")
        job = self._pages.jobs.numbered(int(number)) if number.isdecimal() else None
        return job if job is not None and job.kind == "apply" else None

    def _try(self, job: Job, changes: JudgingChanges) -> WhatIf:
        def tell(progress: WhatIfProgress) -> None:
            job.tell(_PHASES[progress.phase], progress.done, progress.total)

        return what_if(self._run.directory.path, changes, progress=tell, stop=job.stopped)

    def _title(self, reading: Reading, seq: int) -> str:
        item = reading.store.item_at(seq)
        return "" if item is None else paper_of(item.payload)[1]

    def _moved(
        self, reading: Reading, request: Request, form: JudgingForm, result: WhatIf
    ) -> dict[str, Any]:
        params = request.query_params
        before, after = params.get("before") or None, params.get("after") or None
        offset = params.get("offset", "0")
        start = int(offset) if offset.isdecimal() and len(offset) < 10 else 0
        chosen = [(n, v) for n, v in (("before", before), ("after", after)) if v]
        rows = result.page(start, PAGE_SIZE + 1, before=before, after=after)

        def at(place: int) -> str:
            return form.address("/whatif", *chosen, ("offset", str(place))) + "#moved"

        return {
            "rows": [(row, self._title(reading, row.seq)) for row in rows[:PAGE_SIZE]],
            "first": start + 1,
            "previous": at(max(0, start - PAGE_SIZE)) if start else None,
            "following": at(start + PAGE_SIZE) if len(rows) > PAGE_SIZE else None,
            "before": before,
            "after": after,
            "moves": [
                (old, new, count,
                 form.address("/whatif", ("before", old), ("after", new)) + "#moved")
                for (old, new), count in result.moves.items()
            ],
            "everything": form.address("/whatif") + "#moved",
        }  # fmt: skip

    def _command(self) -> str:
        run = shlex.quote(str(self._run.directory.path))
        return f"dialogsmith refilter {run} --settings settings.toml"
