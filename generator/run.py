"""One run: bounded workers pull items lazily, and every item ends in exactly one place."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence

from generator.asking import asker
from generator.calling.caller import Caller
from generator.candidates import call_refusal
from generator.corpus_stage import CorpusStage, judge_corpus
from generator.errors import (
    CallFailed,
    ContentFiltered,
    ContextOverflow,
    DialogsmithError,
    GivenUp,
    NoYield,
    RunStopped,
    Unexpected,
    WrongUse,
)
from generator.feed import Feed, Handed
from generator.interpreting import Interpreting
from generator.progress import Progress, SilentProgress
from generator.recipes.model import (
    Candidate,
    Item,
    PreparedRecipe,
    Skipped,
    Skipping,
    StillReading,
)
from generator.run_end import RunResult, StopSignal
from generator.store import (
    ItemPlace,
    ResumePoint,
    RunStore,
    VerdictColumns,
    VerdictRow,
    described,
    fresh_verdict,
)
from generator.target import Hopeful, InOrder, Yield
from prompts import TemplateProblem

__all__ = ["GIVE_UP_AFTER", "WORTH_SKIPPING", "Run", "RunResult", "StopSignal"]

GIVE_UP_AFTER = 25
"""So many items failed in a row, with none done between them, end the run: it is not the items."""

WORTH_SKIPPING = 10_000
"""So many done items at the beginning of the inputs are passed over without reading them."""

_AHEAD = 4
_LOOK_AGAIN_S = 0.02


class Run:
    """Drives one prepared recipe over its inputs into one store.

    `same_inputs`: an earlier session read these inputs under the same names.
    `interpreting` gives the verdicts, by default in this process.
    """

    def __init__(
        self,
        recipe: PreparedRecipe,
        store: RunStore,
        caller: Caller,
        *,
        workers: int,
        limit: int | None = None,
        wanted: Yield | None = None,
        progress: Progress | None = None,
        stop: StopSignal | None = None,
        filters_off: frozenset[str] = frozenset(),
        same_inputs: bool = False,
        interpreting: Interpreting | None = None,
    ) -> None:
        self._recipe = recipe
        self._store = store
        self._caller = caller
        self._workers = workers
        self._limit = limit
        self._progress = progress or SilentProgress()
        self._stop = stop or StopSignal()
        self._filters_off = filters_off
        self._same_inputs = same_inputs
        self._interpreting = interpreting or Interpreting(recipe)
        self._failed_in_a_row = 0
        self._yield = wanted or Yield()
        self._enough = False
        self._some_accepted = False
        self._gave_up_at: int | None = None
        self._ids: dict[int, str] = {}
        self._order: InOrder[VerdictRow | None] = InOrder()
        self._hopeful = Hopeful()
        # A branch begins with answers of another run's items.
        self._branched = store.meta("branched_from") is not None
        self._corpus = CorpusStage(store, recipe, filters_off)
        self._stopped: DialogsmithError | TemplateProblem | None = None

    async def execute(self, inputs: Sequence[str]) -> RunResult:
        """Work through the inputs; whatever happens, the store is consistent afterwards.

        Cancelling it gives up what is in flight; all that had arrived is stored.
        """
        self._stop.on_drain(self._caller.stop_retrying)
        self._store.put_meta("ended", None)
        self._progress.start(self._limit)
        point = self._resume_point()
        feed = Feed(
            self._items(inputs, point),
            self._store,
            self._limit,
            seq=0 if point is None else point.seq,
            skips=0 if point is None else point.ordinal,
            on_done=self._judged_before,
            ahead=self._workers // 4,
            ending=lambda: self._stop.draining,
            on_reading=lambda count: self._progress.waiting(
                f"reading the inputs: {count:,} documents so far"
            ),
        )
        interrupted = False
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._work(feed))
        except asyncio.CancelledError:
            interrupted = True
        finally:
            self._progress.close()
        interrupted |= self._stop.draining and self._stopped is None
        judge_corpus(self._store, self._recipe, off=self._filters_off)
        self._keep_to_target()
        why = str(self._stopped) if self._stopped is not None else ""
        if interrupted:
            why = "interrupted"
        self._store.put_meta("ended", {"whole": feed.ended and not why, "why": why})
        return RunResult(self._store.counts(), self._stopped, interrupted)

    def _resume_point(self) -> ResumePoint | None:
        """Where to begin reading, when much is done and the order of what is done is settled."""
        if not self._same_inputs or self._yield.target is not None:
            return None
        if not isinstance(self._recipe, Skipping):
            return None
        point = self._store.resume_point(WORTH_SKIPPING, self._limit)
        # Files whose names are no valid Unicode may look alike in what the store keeps of them.
        if point is None or not point.accepted or "\ufffd" in point.source:
            return None
        return point

    def _items(
        self, inputs: Sequence[str], point: ResumePoint | None
    ) -> Iterator[Item | Skipped | StillReading]:
        if point is None or not isinstance(self._recipe, Skipping):
            return self._recipe.items(inputs)
        self._some_accepted = True
        self._progress.resumed(point.accepted, point.seq - point.accepted)
        return self._recipe.items_from(inputs, point.source, point.line)

    def _keep_to_target(self) -> None:
        """Exactly the target, and the same records at any concurrency: the first ones count."""
        last = self._gave_up_at
        if self._yield.target is not None:
            last = self._store.place_of_accepted(self._yield.target)
        if last is not None:
            self._store.unjudge_after(last)

    def _judged_before(self, item: Item, place: ItemPlace) -> None:
        """An item that an earlier run has judged takes its place in the order."""
        if not place.accepted and place.code is not None:
            self._progress.reason(place.code)
        self._progress.resumed(int(place.accepted), int(not place.accepted))
        self._some_accepted |= place.accepted
        if self._yield.target is not None or not self._some_accepted:
            self._place(place.seq, item.id, self._store.verdict_of(item.key))

    def _tell_reason(self, verdict: VerdictRow | None) -> None:
        if verdict is not None and verdict.all_reasons:
            self._progress.reason(verdict.all_reasons[0]["code"])

    def _place(self, seq: int, item_id: str, verdict: VerdictRow | None) -> None:
        """Count what is now in order; ends the run when the target is met or out of reach."""
        if self._yield.target is None and (self._some_accepted or (verdict and verdict.stands)):
            # Without a target the order matters only until something was accepted.
            self._some_accepted = True
            return
        self._ids[seq] = item_id
        if verdict is not None and verdict.stands:
            self._hopeful.accept(seq)
        else:
            self._hopeful.drop(seq)
        for number, found in self._order.add(seq, verdict):
            name = self._ids.pop(number)
            self._hopeful.drop(number)
            if found is None:
                continue
            refused = self._corpus.judge(name, found).reasons
            if found.stands and not refused:
                self._yield.count(None)
            else:
                first = found.all_reasons[0] if not found.stands else refused[0].to_json()
                self._yield.count(f"{first['stage']}/{first['code']}")
            try:
                self._yield.check()
            except NoYield as error:
                self._gave_up_at = number
                self._halt(error)
                return
            if self._yield.reached:
                self._enough = True

    async def _work(self, feed: Feed) -> None:
        try:
            while not self._stop.draining and not self._enough:
                found = await feed.next()
                if found is None or not await self._is_wanted(found.seq):
                    return
                await self._do(found)
        except (RunStopped, WrongUse, TemplateProblem) as error:
            self._halt(error)
        except sqlite3.Error as error:
            self._halt(described(error, str(self._store.path)))

    async def _do(self, handed: Handed) -> None:
        """One item from its first call to its verdict; what stops the run is raised."""
        seq, item = handed.seq, handed.item
        asked: set[str] | None = set() if handed.new and not self._branched else None
        try:
            candidate = await self._candidate(item, asked)
            columns = await self._interpreting.verdict(item, seq, candidate)
        except GivenUp:
            return
        except CallFailed as error:
            self._fail(seq, item, error)
            return
        except (RunStopped, WrongUse, TemplateProblem, sqlite3.Error):
            raise
        except Exception as error:
            self._fail(seq, item, Unexpected(f"{type(error).__name__}: {error}"))
            return
        self._failed_in_a_row = 0
        await self._store.put_verdict(columns)
        self._count(handed, columns)

    async def _candidate(self, item: Item, asked: set[str] | None) -> Candidate:
        try:
            return await self._recipe.run(item, asker(self._caller, item.key, asked))
        except (ContextOverflow, ContentFiltered) as error:
            return Candidate(refused=(call_refusal(error),))

    def _count(self, handed: Handed, columns: VerdictColumns) -> None:
        """Tell what became of an item, and let it take its place in the order."""
        if handed.new and columns.accepted and self._yield.target is None:
            self._some_accepted = True
            self._progress.item("accepted")
            return
        row = fresh_verdict(columns)
        if not handed.new:
            row = self._store.decided(row)
        self._place(handed.seq, handed.item.id, row)
        if row.stands:
            self._progress.item("accepted")
        else:
            self._tell_reason(row)
            self._progress.item("rejected")

    async def _is_wanted(self, seq: int) -> bool:
        """Wait until a target needs this item, and those before it are not far behind."""
        if self._yield.target is None:
            return True
        self._hopeful.begin(seq)
        furthest = _AHEAD * self._workers
        while not self._yield.wants(seq, self._hopeful) or seq - self._order.next > furthest:
            if self._stop.draining or self._enough:
                return False
            await asyncio.sleep(_LOOK_AGAIN_S)
        return True

    def _halt(self, error: DialogsmithError | TemplateProblem) -> None:
        """No call can succeed any more: let the others finish, and keep the first reason."""
        if self._stopped is None:
            self._stopped = error
        self._stop.drain()

    def _fail(self, seq: int, item: Item, error: CallFailed) -> None:
        self._place(seq, item.id, None)
        self._store.put_failure(item.key, f"{error.code}: {error}")
        self._progress.item("failed")
        if self._stop.draining:
            return
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= GIVE_UP_AFTER:
            self._halt(
                RunStopped(
                    f"{self._failed_in_a_row} items failed in a row, the last ({item.id}) with: "
                    f"{str(error).rstrip('.')}. Nothing more is sent; mend the cause, then run the "
                    "same command to go on."
                )
            )
