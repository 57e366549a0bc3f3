"""Parser and filters again over a finished run: no model call, the raw answers stay."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.candidates import stored_candidate, verdict_row
from generator.corpus_stage import judge_corpus
from generator.judge_version import note_judge
from generator.judging import (
    JudgingChanges,
    changed_settings,
    item_of,
    reader_of_run,
    settings_of_run,
    with_settings,
)
from generator.run_directory import RunDirectory
from generator.store import Backlog, RunLock, RunStore, VerdictRow
from generator.views import write_views


@dataclass(frozen=True, slots=True)
class RefilterResult:
    """What a refilter changed: item counts by (before, after), where a place is
    "accepted" or the first reject code."""

    moved: Mapping[tuple[str, str], int] = field(default_factory=dict)
    unchanged: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


def refilter(
    run: Path,
    *,
    parser: str | None = None,
    filters: Mapping[str, Any] | None = None,
    words: Mapping[str, Any] | None = None,
) -> RefilterResult:
    """Judge every stored candidate anew and rewrite the views.

    `parser`, `filters` and `words` (settings of `ParserWords`) replace those settings of the
    run; the manifest says so afterwards. What people decided stands. Raises `WrongUse` for an
    unknown setting or no run directory.
    """
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    recipe, settings = settings_of_run(manifest)
    settings = changed_settings(settings, JudgingChanges(parser, words or {}, filters or {}))
    reader = reader_of_run(manifest, recipe, settings)
    manifest = with_settings(manifest, settings)
    lock = RunLock(directory.path)
    lock.acquire()
    store = RunStore(directory.store, create=False)
    try:
        # The manifest first: after a kill it names the settings that refilter was to apply, and
        # the mark tells that it must be done again before anything else.
        store.put_meta("refilter_pending", True)
        store.forget_derived()
        directory.write_manifest(manifest)
        codes = Codes()
        before = array("L", (codes.number(place_of(v)) for _, v in store.judged()))
        writes = Backlog()
        for row, verdict in store.judged():
            candidate = stored_candidate(store, verdict)
            reading = reader.interpret(item_of(row), candidate)
            writes.add(store.submit_verdict(verdict_row(row.key, row.seq, candidate, reading)))
        writes.wait()
        judge_corpus(store, reader, off=settings.filters.off)
        moved: Counter[tuple[str, str]] = Counter()
        for old, (_, verdict) in zip(before, store.judged(), strict=True):
            if codes.name(old) != place_of(verdict):
                moved[codes.name(old), place_of(verdict)] += 1
        write_views(directory, store, manifest)
        note_judge(store, all_anew=True)
        store.put_meta("refilter_pending", False)
        return RefilterResult(
            moved=dict(moved),
            unchanged=len(before) - sum(moved.values()),
            counts=store.counts(),
        )
    finally:
        store.close()
        lock.release()


def place_of(verdict: VerdictRow) -> str:
    """ "accepted", or the code of the first reason."""
    return "accepted" if verdict.in_corpus else str(verdict.all_reasons[0]["code"])


class Codes:
    """Numbers for codes, so that a million places fit into a few megabytes."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._names)
            self._names.append(name)
        return self._numbers[name]

    def name(self, number: int) -> str:
        return self._names[number]

    @property
    def names(self) -> tuple[str, ...]:
        """The codes in the order of their numbers."""
        return tuple(self._names)
