"""Parser and filters again over a finished run: no model call, the raw answers stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from generator.corpus_stage import judge_corpus
from generator.recipes import get_recipe
from generator.recipes.model import Item, RecipeSettings
from generator.run import stored_candidate, verdict_row
from generator.run_directory import RunDirectory
from generator.settings import apply_overrides, to_plain
from generator.store import ItemRow, RunLock, RunStore
from generator.views import write_views


@dataclass(frozen=True, slots=True)
class RefilterResult:
    """What a refilter changed: item counts by (before, after), where a place is
    "accepted" or the first reject code."""

    moved: Mapping[tuple[str, str], int] = field(default_factory=dict)
    unchanged: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


def recipe_settings_from(plain: Mapping[str, Any]) -> RecipeSettings:
    """The recipe settings a manifest holds."""
    settings = RecipeSettings()
    simple = {n: plain[n] for n in ("lang", "variant", "parser", "on_overflow") if n in plain}
    return replace(
        apply_overrides(settings, simple),
        segments=apply_overrides(settings.segments, plain.get("segments", {}), "segments."),
        filters=apply_overrides(settings.filters, plain.get("filters", {}), "filters."),
    )


def item_of(row: ItemRow) -> Item:
    """A stored item as recipes take it."""
    return Item(row.key, row.id, row.source, row.line, row.payload)


def refilter(
    run: Path,
    *,
    parser: str | None = None,
    filters: Mapping[str, Any] | None = None,
) -> RefilterResult:
    """Judge every stored candidate anew and rewrite the views.

    `parser` and `filters` replace those settings of the run; the manifest says
    so afterwards. Raises `WrongUse` for an unknown setting or no run directory.
    """
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    settings = recipe_settings_from(manifest["settings"])
    if parser is not None:
        settings = replace(settings, parser=parser)
    settings = replace(
        settings, filters=apply_overrides(settings.filters, filters or {}, "filters.")
    )
    if manifest.get("prompts"):
        settings = replace(settings, prompts=Path(manifest["prompts"]))
    recipe = get_recipe(manifest["recipe"])
    reader = recipe.reader(settings, manifest["settings"]["variants"])
    lock = RunLock(directory.path)
    lock.acquire()
    store = RunStore(directory.store, create=False)
    try:
        before = _places(store)
        last = None
        for row, verdict in store.judged():
            candidate = stored_candidate(store, verdict)
            reading = reader.interpret(item_of(row), candidate)
            last = store.submit_verdict(verdict_row(row.key, row.seq, candidate, reading))
        if last is not None:
            last.result()
        judge_corpus(store, off=settings.filters.off)
        after = _places(store)
        manifest["settings"]["parser"] = settings.parser
        manifest["settings"]["filters"] = to_plain(settings.filters)
        directory.write_manifest(manifest)
        write_views(directory, store, manifest)
        moved = Counter((place, after[key]) for key, place in before.items() if after[key] != place)
        return RefilterResult(
            moved=dict(moved),
            unchanged=len(before) - sum(moved.values()),
            counts=store.counts(),
        )
    finally:
        store.close()
        lock.release()


def _places(store: RunStore) -> dict[str, str]:
    return {
        row.key: "accepted" if verdict.in_corpus else verdict.all_reasons[0]["code"]
        for row, verdict in store.judged()
    }
