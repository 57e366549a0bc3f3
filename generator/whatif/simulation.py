"""What `refilter` would give with other settings, found without writing anything.

Most changes concern few samples. Whatever the stored reasons and measures prove is taken from
them; the rest is read again from the raw answers, on every core; then the corpus stage
decides in input order, as it does at the end of a run. The result is exact.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from generator.errors import StoreFault
from generator.judge_version import judged_by_this_version
from generator.judging import (
    JudgingChanges,
    changed_settings,
    reader_of_run,
    settings_of_run,
    with_settings,
)
from generator.recipes.model import Reader, RecipeSettings
from generator.refiltering import Codes
from generator.run_directory import RunDirectory
from generator.store import RunStore, naming_store_faults
from generator.store.rows import REFUSED_BY_PERSON, OwnVerdict
from generator.whatif.certainty import Certainty, certainty
from generator.whatif.corpus import CorpusView, Duplicates, refused_by_judge
from generator.whatif.crew import Batch, outcomes_of
from generator.whatif.mentions import Mentions, mentioning
from generator.whatif.rejudging import rejudge
from generator.whatif.result import (
    ACCEPTED,
    Places,
    WhatIf,
    WhatIfCancelled,
    WhatIfProgress,
    count_moves,
)
from generator.whatif.worker import BATCH, Order

_WORTH_A_CREW = 1_500
"""Samples to read again from which on starting processes takes less time than it saves."""

_FEW = 20_000
"""Samples that enter or repeat, up to which only dialogues of their words are compared."""

_LOOK_EVERY = 2_000
_NONE, _DOUBTFUL = 65_535, 65_534
_MOST_WORKERS = 16


def what_if(
    run: Path,
    changes: JudgingChanges,
    *,
    progress: Callable[[WhatIfProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    workers: int | None = None,
) -> WhatIf:
    """What `refilter` with these changes would make of the run in the directory `run`.

    `progress` is told how far it is, with an estimate; when `stop` answers true,
    `WhatIfCancelled` is raised. `workers` are the processes that may be started (by default
    one a core; 0 for none). Raises `WrongUse` for unknown settings or no run directory.
    """
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    recipe, old = settings_of_run(manifest)
    new = changed_settings(old, changes)
    manifest = with_settings(manifest, new)
    reader = reader_of_run(manifest, recipe, new)
    store = RunStore(directory.store, create=False, writable=False)
    try:
        with naming_store_faults(directory.store):
            if store.meta("refilter_pending"):
                raise StoreFault(
                    f"{run}: a refilter of this run was interrupted. "
                    f"`dialogsmith refilter {run}` finishes it."
                )
            sure = certainty(recipe.name, old, new)
            if not judged_by_this_version(store):
                sure = Certainty(True, sure.old, sure.new)
            order = Order(str(directory.store), manifest)
            simulation = _Simulation(store, reader, sure, order, old, new)
            simulation.tell = progress or (lambda _: None)
            simulation.stopped = stop or (lambda: False)
            return simulation.result(run, _workers(workers))
    finally:
        store.close()


def _workers(wanted: int | None) -> int:
    if not sys.executable:
        return 0
    return min(_MOST_WORKERS, os.cpu_count() or 1) if wanted is None else wanted


class _Simulation:
    """The places of all samples, by their place in the input, before and after."""

    def __init__(
        self,
        store: RunStore,
        reader: Reader,
        sure: Certainty,
        order: Order,
        old: RecipeSettings,
        new: RecipeSettings,
    ) -> None:
        self._store = store
        self._reader = reader
        self._sure = sure
        self._order = order
        self._old, self._new = old, new
        self._all_sure = sure.nothing_changes
        self._codes = Codes()
        self._accepted = self._codes.number(ACCEPTED)
        self._refused = self._codes.number(REFUSED_BY_PERSON)
        self._duplicate = self._codes.number("duplicate_dialogue")
        self._judged, behind = store.verdict_count()
        self._before = array("H", [_NONE]) * behind
        self._own = array("H", [_NONE]) * behind
        self._view = CorpusView(bytearray(behind), dict(store.places_decided()))
        self._doubts = array("q")
        self.tell: Callable[[WhatIfProgress], None]
        self.stopped: Callable[[], bool]

    def result(self, run: Path, workers: int) -> WhatIf:
        self._look()
        self._look_for_words()
        self._read(workers)
        after = self._compare()
        moved = array("q", (s for s, one in enumerate(self._before) if one != after[s]))
        names = self._codes.names
        old = array("H", (self._before[seq] for seq in moved))
        new = array("H", (after[seq] for seq in moved))
        judged = self._judged
        return WhatIf(
            run=run,
            before=self._places(self._before, judged),
            after=self._places(after, judged),
            moves=count_moves(names, old, new),
            judged=judged,
            reread=len(self._doubts),
            names=names,
            moved_seqs=moved,
            moved_before=old,
            moved_after=new,
        )

    def _places(self, places: array[int], judged: int) -> Places:
        accepted = places.count(self._accepted)
        return Places(accepted, judged - accepted)

    def _check(self, phase: Any, done: int, total: int, accepted: int | None = None) -> None:
        self.tell(WhatIfProgress(phase, done, total, accepted))
        if self.stopped():
            raise WhatIfCancelled("stopped before there was a result; nothing was changed")

    def _look(self) -> None:
        """Over all verdicts: what each sample is, and what is certain about it."""
        self._check("looking", 0, self._judged)
        for number, verdict in enumerate(self._store.own_verdicts(), start=1):
            seq = verdict.seq
            if seq >= len(self._own):
                continue  # judged since we began to look
            self._before[seq], own = self._judge(verdict)
            self._own[seq] = own
            self._view.stood[seq] = verdict.accepted
            if own == _DOUBTFUL:
                self._doubts.append(seq)
            if number % _LOOK_EVERY == 0:
                self._check("looking", number, self._judged)

    def _look_for_words(self) -> None:
        """Over all answers: where a label or pattern that is new or gone occurs."""
        if self._sure.all_doubtful or self._old.parser_words == self._new.parser_words:
            return
        mentions = Mentions(self._old.parser_words, self._new.parser_words)
        answers = self._store.counts()["calls"]

        def tell(done: int) -> None:
            self._check("looking", done, answers)

        for seq in mentioning(self._store, mentions, tell):
            if seq < len(self._own) and self._own[seq] != _DOUBTFUL and self._view.free(seq):
                self._own[seq] = _DOUBTFUL
                self._doubts.append(seq)

    def _judge(self, verdict: OwnVerdict) -> tuple[int, int]:
        """The place of one sample as it is, and its own place under the new settings."""
        number = self._codes.number
        reasons = [] if verdict.accepted else json.loads(verdict.reasons)
        own = number(reasons[0]["code"]) if reasons else self._accepted
        before = own
        decided = self._view.decided.get(verdict.seq)
        if decided is not None:
            return (self._accepted, own) if decided == "accept" else (self._refused, own)
        if not reasons and verdict.corpus_reasons:
            before = number(json.loads(verdict.corpus_reasons)[0]["code"])
        if self._sure.all_doubtful:
            return before, _DOUBTFUL
        if self._all_sure:
            return before, own
        place = self._sure.place(reasons, json.loads(verdict.measures))
        return before, _DOUBTFUL if place is None else number(place)

    def _read(self, workers: int) -> None:
        """Read again what is doubtful, in the order of the items' keys.

        Keys are hashes, so the first few are a fair sample of all, and rows lie side by side.
        """
        total, done, accepted = len(self._doubts), 0, 0
        certain = sum(
            own == self._accepted for seq, own in enumerate(self._own) if self._view.free(seq)
        )
        chosen = self._view.accepted_by_people
        for batch in self._batches(workers):
            for outcome in batch or ():
                number = self._codes.number(outcome.place)
                self._own[outcome.seq] = number
                accepted += number == self._accepted
                if outcome.fingerprint is not None:
                    self._view.prints[outcome.seq] = outcome.fingerprint
                if outcome.parsed is not None:
                    self._view.parsed[outcome.seq] = outcome.parsed
            done += len(batch or ())
            likely = round(accepted * total / done) if done else 0
            self._check("reading", done, total, certain + chosen + likely)

    def _batches(self, workers: int) -> Iterator[Batch | None]:
        doubts = self._doubts
        if workers and len(doubts) >= _WORTH_A_CREW:
            size = -(-len(doubts) // workers)
            shares = [doubts[at : at + size] for at in range(0, len(doubts), size)]
            yield from outcomes_of(self._order, shares)
            return
        outcomes = rejudge(self._store, self._reader, doubts)
        while batch := list(islice(outcomes, BATCH)):
            yield batch

    def _compare(self) -> array[int]:
        """The places after the corpus stage."""
        after = array("H", self._own)
        view, new = self._view, self._new
        for seq, decided in view.decided.items():
            after[seq] = self._accepted if decided == "accept" else self._refused
        stands = [own == self._accepted for own in self._own]
        changed = view.changed(stands)
        judge = self._reader.corpus_judge()
        compares = "duplicate_dialogue" not in new.filters.off
        entering = [seq for seq in changed if stands[seq]]
        repeated = [s for s, at in enumerate(self._before) if at == self._duplicate]
        few = not changed if judge is not None else len(entering) + len(repeated) <= _FEW
        if few and _corpus_settings(self._old) == _corpus_settings(new):
            for seq, before in enumerate(self._before):
                if stands[seq] and view.stood[seq] and view.free(seq):
                    after[seq] = before
            if changed and compares:
                duplicates = Duplicates(self._store, view, stands)
                for seq, again in duplicates.near(entering, repeated):
                    after[seq] = self._duplicate if again else self._accepted
            return after
        self._check("comparing", 0, len(stands), after.count(self._accepted))
        if compares:
            for seq in Duplicates(self._store, view, stands).everywhere():
                after[seq] = self._duplicate
        if judge is not None:
            standing = (seq for seq, place in enumerate(after) if place == self._accepted)
            refused = refused_by_judge(self._store, view, judge, new.filters.off, standing)
            for number, (seq, name) in enumerate(refused):
                if name is not None and view.free(seq):
                    after[seq] = self._codes.number(name)
                if number % _LOOK_EVERY == 0:
                    self._check("comparing", seq, len(stands), after.count(self._accepted))
        return after


def _corpus_settings(settings: RecipeSettings) -> tuple[Any, ...]:
    """Whatever decides the corpus stage."""
    own = getattr(settings.options, "filters", None)
    off = settings.filters.off & {"duplicate_dialogue", "repeated_in_corpus"}
    return off, getattr(own, "min_corpus_units", None), getattr(own, "max_corpus_repeats", None)
