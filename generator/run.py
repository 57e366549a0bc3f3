"""One run: bounded workers pull items lazily, and every item ends in exactly one place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from generator.calling.caller import Caller
from generator.corpus_stage import CorpusStage, judge_corpus
from generator.errors import (
    CallFailed,
    ContentFiltered,
    ContextOverflow,
    DialogsmithError,
    NoYield,
    RunStopped,
    Unexpected,
    WrongUse,
)
from generator.progress import Progress, SilentProgress
from generator.recipes.model import (
    Answer,
    Candidate,
    Interpretation,
    Item,
    PreparedRecipe,
    Skipped,
)
from generator.store import ItemRow, RunStore, SkipRow, VerdictRow
from generator.target import InOrder, Yield
from generator.values import Constraint, Message
from prompts import TemplateProblem

GIVE_UP_AFTER = 25
"""So many items failed in a row, with none done between them, end the run: it is not the items."""

_BREATHE_EVERY = 200
_AHEAD = 4
_LOOK_AGAIN_S = 0.02


class StopSignal:
    """Asks a run to end: what is in flight is finished and stored, nothing new is begun."""

    def __init__(self) -> None:
        self.draining = False
        self._told: list[Callable[[], None]] = []

    def drain(self) -> None:
        """Begin to end. Call it on the run's own event loop; more than once does no harm."""
        if not self.draining:
            self.draining = True
            for tell in self._told:
                tell()

    def on_drain(self, tell: Callable[[], None]) -> None:
        self._told.append(tell)


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended. `counts` are those of the store (items, accepted, rejected, …)."""

    counts: dict[str, int]
    stopped: DialogsmithError | TemplateProblem | None = None
    interrupted: bool = False

    @property
    def complete(self) -> bool:
        """Every item of the inputs was reached and answered for."""
        return self.stopped is None and not self.interrupted and not self.counts["failed"]


class Run:
    """Drives one prepared recipe over its inputs into one store."""

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
    ) -> None:
        self._recipe = recipe
        self._store = store
        self._caller = caller
        self._workers = workers
        self._limit = limit
        self._progress = progress or SilentProgress()
        self._stop = stop or StopSignal()
        self._filters_off = filters_off
        self._failed_in_a_row = 0
        self._yield = wanted or Yield()
        self._enough = False
        self._some_accepted = False
        self._ids: dict[int, str] = {}
        self._order: InOrder[VerdictRow | None] = InOrder()
        self._corpus = CorpusStage(store, recipe, filters_off)
        self._stopped: DialogsmithError | TemplateProblem | None = None

    async def execute(self, inputs: Sequence[str]) -> RunResult:
        """Work through the inputs; whatever happens, the store is consistent afterwards.

        Cancelling it gives up what is in flight; all that had arrived is stored.
        """
        self._stop.on_drain(self._caller.stop_retrying)
        self._progress.start(self._limit)
        feed = Feed(
            self._recipe.items(inputs),
            self._store,
            self._progress,
            self._limit,
            on_done=self._judged_before,
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
        return RunResult(self._store.counts(), self._stopped, interrupted)

    def _keep_to_target(self) -> None:
        """Exactly the target, and the same records at any concurrency: the first ones count."""
        if self._yield.target is not None:
            last = self._store.place_of_accepted(self._yield.target)
            if last is not None:
                self._store.unjudge_after(last)

    def _judged_before(self, seq: int, item: Item) -> None:
        """An item that an earlier run has judged takes its place in the order."""
        verdict = self._store.verdict_of(item.key)
        self._place(seq, item.id, verdict)

    def _place(self, seq: int, item_id: str, verdict: VerdictRow | None) -> None:
        """Count what is now in order; ends the run when the target is met or out of reach."""
        if self._yield.target is None and (self._some_accepted or (verdict and verdict.accepted)):
            # Without a target the order matters only until something was accepted.
            self._some_accepted = True
            return
        self._ids[seq] = item_id
        for number, found in self._order.add(seq, verdict):
            name = self._ids.pop(number)
            if found is None:
                continue
            refused = self._corpus.judge(name, found).reasons
            if found.accepted and not refused:
                self._yield.count(None)
            else:
                first = found.reasons[0] if found.reasons else refused[0].to_json()
                self._yield.count(f"{first['stage']}/{first['code']}")
            try:
                self._yield.check()
            except NoYield as error:
                self._halt(error)
            if self._yield.reached:
                self._enough = True

    async def _work(self, feed: Feed) -> None:
        while not self._stop.draining and not self._enough:
            await self._not_too_far_ahead(feed)
            found = await feed.next()
            if found is None:
                return
            seq, item = found
            try:
                candidate = await self._recipe.run(item, self._asker(item.key))
                reading = self._recipe.interpret(item, candidate)
            except (ContextOverflow, ContentFiltered) as error:
                candidate = Candidate(refused=(call_refusal(error),))
                reading = self._recipe.interpret(item, candidate)
            except CallFailed as error:
                self._fail(seq, item, error)
                continue
            except (RunStopped, WrongUse, TemplateProblem) as error:
                self._halt(error)
                return
            except Exception as error:
                self._fail(seq, item, Unexpected(f"{type(error).__name__}: {error}"))
                continue
            self._failed_in_a_row = 0
            row = verdict_row(item.key, seq, candidate, reading)
            await self._store.put_verdict(row)
            self._place(seq, item.id, row)
            self._progress.item("accepted" if reading.verdict.accepted else "rejected")

    async def _not_too_far_ahead(self, feed: Feed) -> None:
        """With a target, work near the front: what lies far behind it may never be wanted."""
        if self._yield.target is None:
            return
        while feed.given - self._order.next > _AHEAD * self._workers and not self._stop.draining:
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _halt(self, error: DialogsmithError | TemplateProblem) -> None:
        """No call can succeed any more: let the others finish, and keep the first reason."""
        if self._stopped is None:
            self._stopped = error
        self._stop.drain()

    def _asker(self, item: str) -> Any:
        async def ask(
            role: str,
            *,
            messages: Sequence[Message] = (),
            prompt: str | None = None,
            constraint: Constraint | None = None,
            opening: str = "",
            stop: tuple[str, ...] = (),
            sample: int = 0,
        ) -> Answer:
            row = await self._caller.ask(
                item,
                role,
                messages=messages,
                prompt=prompt,
                constraint=constraint,
                stop=stop,
                sample=sample,
            )
            return Answer(role, row.key, row.item, opening, row.completion)

        return ask

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
                    f"{error} Nothing more is sent; mend the cause, then run the same command "
                    "to go on."
                )
            )


class Feed:
    """Hands out items that are not done yet, registering each; one reader at a time."""

    def __init__(
        self,
        items: Iterator[Item | Skipped],
        store: RunStore,
        progress: Progress,
        limit: int | None,
        on_done: Callable[[int, Item], None],
    ) -> None:
        self._on_done = on_done
        self._items = items
        self._store = store
        self._progress = progress
        self._limit = limit
        self._seq = 0
        self._skips = 0
        self._lock = asyncio.Lock()
        self._ended = False
        self._unwritten: dict[str, Future[Any]] = {}
        self._last_skip: Future[Any] | None = None

    @property
    def given(self) -> int:
        """How many different items were met so far."""
        return self._seq

    async def next(self) -> tuple[int, Item] | None:
        """The next item to work on with its place in the input, or None at the end."""
        async with self._lock:
            passed = 0
            while not self._ended:
                if self._limit is not None and self._seq >= self._limit:
                    self._ended = True
                    break
                met = next(self._items, None)
                if met is None:
                    self._ended = True
                    break
                if isinstance(met, Skipped):
                    self._skip(met)
                elif (seq := self._register(met)) is not None:
                    return seq, met
                passed += 1
                if passed % _BREATHE_EVERY == 0:
                    await self._breathe()
            return None

    async def _breathe(self) -> None:
        """Let the workers on, and let the writer catch up: what is queued must stay bounded."""
        await asyncio.sleep(0)
        if self._last_skip is not None:
            await asyncio.wrap_future(self._last_skip)

    def _register(self, item: Item) -> int | None:
        """The place of an item that is still to do; None when it is done or a repetition."""
        known = self._store.item_place(item.key)
        if item.key in self._unwritten or (known is not None and known[0] < self._seq):
            self._skip(
                Skipped(item.source, item.line, item.id, "duplicate_input",
                        "this segment has already come up in the inputs")
            )  # fmt: skip
            return None
        seq = self._seq
        self._seq += 1
        if known is None:
            written = self._store.put_item(
                ItemRow(item.key, seq, item.id, item.source, item.line, item.content)
            )
            self._unwritten = {k: f for k, f in self._unwritten.items() if not f.done()}
            self._unwritten[item.key] = written
        elif known[1] == "done":
            self._on_done(seq, item)
            return None
        return seq

    def _skip(self, skipped: Skipped) -> None:
        self._last_skip = self._store.put_skip(
            SkipRow(
                self._skips, skipped.source, skipped.line, skipped.id, skipped.code, skipped.detail
            )
        )
        self._skips += 1


def call_refusal(error: CallFailed) -> dict[str, Any]:
    """A call that failed because of the item itself, as a reason to reject it."""
    return {"stage": "call", "code": error.code, "detail": str(error), "span": None}


def verdict_row(key: str, seq: int, candidate: Candidate, reading: Interpretation) -> VerdictRow:
    """A judged candidate as the store keeps it."""
    verdict = reading.verdict
    return VerdictRow(
        item=key,
        seq=seq,
        accepted=verdict.accepted,
        reasons=tuple(
            {"stage": r.stage, "code": r.code, "detail": r.detail,
             "span": list(r.span) if r.span else None}
            for r in verdict.reasons
        ),
        measures={**verdict.measures, **candidate.notes},
        candidate={
            "answers": [
                {"role": a.role, "key": a.call_key, "item": a.call_item, "opening": a.opening}
                for a in candidate.answers
            ],
            "refused": list(candidate.refused),
            "notes": dict(candidate.notes),
        },
        parsed=reading.parsed,
        record=reading.record,
        fingerprint=reading.fingerprint,
    )  # fmt: skip


def stored_candidate(store: RunStore, row: VerdictRow) -> Candidate:
    """The candidate behind a stored verdict, rebuilt from its raw answers."""
    answers = []
    for known in row.answers:
        call = store.find_call(known["key"], item=known["item"])
        if call is not None:
            answers.append(
                Answer(known["role"], call.key, call.item, known["opening"], call.completion)
            )
    return Candidate(tuple(answers), tuple(row.candidate["refused"]), row.candidate["notes"])
