"""A person's word on a sample: accepted although rejected, or refused although accepted.

A decision is stored beside the verdict of the filters and weighs more; `refilter` and resumed
runs keep it. It can be undone. The corpus stage treats a dialogue that a person refused like
one that a filter refused: its copy behind it, no duplicate any more, is judged by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.corpus_stage import CORPUS_JUDGED, CorpusStage, judge_corpus, same_word
from generator.edited_records import accepted_content
from generator.errors import StoreFault, WrongUse
from generator.judging import reader_of_run, settings_of_run
from generator.recipes.model import Reader, Recipe, RecipeSettings
from generator.refiltering import place_of
from generator.run_directory import RunDirectory
from generator.store import (
    Decision,
    ItemRow,
    RunLock,
    RunStore,
    VerdictRow,
    naming_store_faults,
)
from generator.store.rows import Action
from generator.view_edits import Changed, edit_views, views_are_true
from generator.views import calls_of, raw_texts, write_views

Clock = Callable[[], float]
"""Seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Side:
    """Where a sample stood and where it stands: "accepted", or its first reject code."""

    id: str
    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """What a decision changed: the sample itself, and others that changed sides through it.

    `others` are copies that are no duplicates any more, or have become some. `counts` are
    those of the store.
    """

    sample: Side
    others: tuple[Side, ...]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A decision and the id of its item; `decision.undone_at` is set when it was undone."""

    id: str
    decision: Decision


def decide(
    run: Path,
    item: str,
    action: Action,
    *,
    note: str = "",
    edited: Mapping[str, Any] | None = None,
    clock: Clock = time.time,
    views: bool = True,
) -> DecisionResult:
    """Accept a rejected sample, refuse an accepted one, or accept one in other words.

    `item` is an item's id or key. `edited` replaces what was parsed: for the shape
    paperpersichat `{"summary", "turns"}`, for any other the whole record. The views follow
    at once; without `views` they are left stale until the next decision, `write_stale_views`,
    refilter or run. Raises `WrongUse` for an unknown or ambiguous item, a decision that
    changes nothing, or a record that is none of the shape; `StoreFault` when another process
    is writing the run.
    """
    if action not in ("accept", "refuse"):
        raise WrongUse(f"a decision is accept or refuse, not {action!r}")
    if action == "refuse" and edited is not None:
        raise WrongUse("only what is accepted can be edited")
    with _Desk(run) as desk:
        desk.settle(views=views)
        row, verdict = desk.judged(item)
        decision = desk.decision(row, verdict, action, note, edited, clock())
        return desk.change(row, verdict, lambda: desk.store.put_decision(decision), views=views)


def undo(run: Path, item: str, *, clock: Clock = time.time, views: bool = True) -> DecisionResult:
    """Take back the last decision on an item; the one before it counts again, if there is one.

    Raises `WrongUse` when nothing was decided about it; otherwise as `decide`.
    """
    with _Desk(run) as desk:
        desk.settle(views=views)
        row, verdict = desk.judged(item)
        if verdict.decision is None:
            raise WrongUse(f"{row.id}: there is no decision to undo")
        at = clock()
        return desk.change(row, verdict, lambda: desk.store.undo_decision(row.key, at), views=views)


def decisions(run: Path, item: str | None = None) -> Iterator[PastDecision]:
    """Every decision ever made in a run, or on one item, in the order made; undone ones too."""
    directory = RunDirectory(run)
    directory.read_manifest()
    store = RunStore(directory.store, create=False, writable=False)
    try:
        with naming_store_faults(directory.store):
            key = None if item is None else _key(store, item, run)
            for decision in store.decisions(item=key):
                yield PastDecision(store.item_id(decision.item), decision)
    finally:
        store.close()


def write_stale_views(run: Path) -> bool:
    """Rewrite the views of a run where decisions left them stale; whether it was needed."""
    with _Desk(run) as desk:
        return desk.settle(views=True)


class _Desk:
    """A run opened for one decision, locked, with what reads and judges its samples."""

    def __init__(self, run: Path) -> None:
        self.directory = RunDirectory(run)
        self.manifest = self.directory.read_manifest()
        self.recipe: Recipe
        self.settings: RecipeSettings
        self.recipe, self.settings = settings_of_run(self.manifest)
        self.reader: Reader = reader_of_run(self.manifest, self.recipe, self.settings)
        self._lock = RunLock(run, advice="Wait for it to end, then decide again.")
        self.store: RunStore

    def __enter__(self) -> _Desk:
        self._lock.acquire()
        try:
            self.store = RunStore(self.directory.store, create=False)
        except BaseException:
            self._lock.release()
            raise
        if self.store.meta("refilter_pending"):
            self.__exit__()
            raise StoreFault(
                f"{self.directory.path}: a refilter of this run was interrupted. "
                f"`dialogsmith refilter {self.directory.path}` finishes it."
            )
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
        self._lock.release()

    def settle(self, *, views: bool) -> bool:
        """Finish what was left undone: the corpus stage, then the views; whether any were stale.

        A decision that was stored when the disk was full, or by a process that was killed, is
        carried through here.
        """
        if not self.store.meta(CORPUS_JUDGED):
            self._judge_all({})
        if not views or views_are_true(self.directory, self.store):
            return False
        write_views(self.directory, self.store, self.manifest)
        return True

    def judged(self, item: str) -> tuple[ItemRow, VerdictRow]:
        """The one item of that id or key, with its verdict."""
        key = _key(self.store, item, self.directory.path)
        found = self.store.judged_item(key)
        if found is None:
            raise WrongUse(
                f"{item} has no verdict yet, so there is nothing to decide; finish the run first"
            )
        return found

    def decision(
        self,
        row: ItemRow,
        verdict: VerdictRow,
        action: Action,
        note: str,
        edited: Mapping[str, Any] | None,
        at: float,
    ) -> Decision:
        """The decision as it is kept, checked."""
        if action == "refuse":
            if not verdict.in_corpus:
                raise WrongUse(f"{row.id} is rejected already ({place_of(verdict)})")
            return Decision(row.key, "refuse", note, at)
        if verdict.in_corpus and edited is None:
            raise WrongUse(f"{row.id} is accepted already; give an edit to change it")
        alone = self.store.judged_alone(row.key) or verdict
        raw = raw_texts(alone, list(calls_of(self.store, alone)))
        content = accepted_content(self.recipe, row, alone, raw, edited)
        return Decision(
            item=row.key,
            action="accept",
            note=note,
            at=at,
            edited=content.edited,
            parsed=content.parsed,
            record=content.record,
            fingerprint=content.fingerprint,
        )

    def change(
        self, row: ItemRow, before: VerdictRow, write: Callable[[], None], *, views: bool
    ) -> DecisionResult:
        """Write a decision, let the corpus follow, then the views."""
        write()
        after = self.store.verdict_of(row.key) or before
        touched = {row.key: before}
        if self.reader.corpus_judge() is None:
            self._judge_copies(row, before, after, touched)
        else:
            self._judge_all(touched)
        sides = [self._side(key, old) for key, old in touched.items()]
        if views:
            changed = [Changed(key, old.seq, old.in_corpus) for key, old in touched.items()]
            edit_views(self.directory, self.store, self.manifest, changed)
        return DecisionResult(
            sample=sides[0],
            others=tuple(side for side in sides[1:] if side.before != side.after),
            counts=self.store.counts(),
        )

    def _judge_copies(
        self,
        row: ItemRow,
        before: VerdictRow,
        after: VerdictRow,
        touched: dict[str, VerdictRow],
    ) -> None:
        """Judge duplicates anew among those that share their words with the changed sample."""
        prints = {v.fingerprint for v in (before, after) if v.stands and v.fingerprint}
        keys = [row.key]
        for known in sorted(prints):
            keys += [key for key in self.store.copies_after(known, row.seq) if key not in keys]
        stage = CorpusStage(self.store, self.reader, self.settings.filters.off)
        for key in keys:
            found = self.store.judged_item(key)
            if found is None:
                continue
            item, verdict = found
            word = stage.judge(item.id, verdict)
            if not same_word(word, verdict):
                touched.setdefault(key, verdict)
                reasons = [reason.to_json() for reason in word.reasons]
                self.store.put_corpus_verdict(key, reasons, word.measures).result()
        self.store.put_meta(CORPUS_JUDGED, True)

    def _judge_all(self, touched: dict[str, VerdictRow]) -> None:
        """The corpus stage over the whole run; `touched` gains what changed, as it was."""

        def note(key: str) -> None:
            old = self.store.verdict_of(key)
            if old is not None:
                touched.setdefault(key, old)

        judge_corpus(self.store, self.reader, off=self.settings.filters.off, changed=note)

    def _side(self, key: str, old: VerdictRow) -> Side:
        new = self.store.verdict_of(key) or old
        return Side(self.store.item_id(key), key, place_of(old), place_of(new))


def _key(store: RunStore, name: str, run: Path) -> str:
    keys = store.keys_named(name)
    if not keys:
        raise WrongUse(
            f"{run} has no item {name!r}; `dialogsmith rejects {run}` and provenance.jsonl "
            "show the ids"
        )
    if len(keys) > 1:
        raise WrongUse(
            f"{len(keys)} items of {run} have the id {name!r}; give the key of one instead: "
            + ", ".join(keys[:4])
        )
    return keys[0]
