"""Everything a report says of a run, gathered in one pass with flat memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.calling.prices import load_prices
from generator.report.cost import cost_of_calls
from generator.report.record_lengths import Distribution, RecordLengths
from generator.report.shape_table import ShapeTable, shape_table
from generator.report.summary import RunSummary, summarise_store
from generator.run_directory import RunDirectory
from generator.store import ItemRow, RunStore, VerdictRow, naming_store_faults
from generator.views import calls_of, raw_texts

EXAMPLES_EACH = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A refused sample: the reason it is an example of, and its raw outputs.

    `raw` are (role, text); the reason's span counts code points of text `spans_in`.
    """

    id: str
    source: str
    line: int | None
    reason: Mapping[str, Any]
    raw: tuple[tuple[str, str], ...]
    spans_in: int = 0


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run in figures. `examples` holds up to three a reason, by (stage, code), in input order.

    `lengths` and `shape_figures` are over the accepted records; `cost` (US dollars) over all
    calls, None where a price or a count is unknown.
    """

    summary: RunSummary
    shape: str
    cost: float | None
    lengths: tuple[Distribution, ...]
    shape_figures: ShapeTable | None
    examples: Mapping[tuple[str, str], tuple[Example, ...]]


def gather(run: Path) -> RunFigures:
    """Read a run directory. Raises `WrongUse` when it is none."""
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    store = RunStore(directory.store, create=False, writable=False)
    try:
        with naming_store_faults(directory.store):
            return _gather(store, manifest)
    finally:
        store.close()


def _gather(store: RunStore, manifest: Mapping[str, Any]) -> RunFigures:
    shape = str(manifest.get("shape", ""))
    lengths = RecordLengths(shape)
    chosen: dict[tuple[str, str], list[tuple[ItemRow, Mapping[str, Any]]]] = {}

    def watch(item: ItemRow, verdict: VerdictRow) -> None:
        if verdict.in_corpus:
            if verdict.record is not None:
                lengths.add(verdict.record)
            return
        for reason in verdict.all_reasons:
            examples = chosen.setdefault((reason["stage"], reason["code"]), [])
            if len(examples) < EXAMPLES_EACH and all(i.key != item.key for i, _ in examples):
                examples.append((item, reason))

    summary = summarise_store(store, manifest, watch)
    return RunFigures(
        summary=summary,
        shape=shape,
        cost=cost_of_calls(store, load_prices()),
        lengths=lengths.distributions(),
        shape_figures=shape_table(shape, _records(store), manifest["settings"].get("lang")),
        examples={name: tuple(_examples(store, found)) for name, found in chosen.items()},
    )


def _records(store: RunStore) -> Iterator[Mapping[str, Any]]:
    """The accepted records, in input order."""
    for _, verdict in store.judged(accepted_only=True):
        if verdict.in_corpus and verdict.record is not None:
            yield verdict.record


def _examples(store: RunStore, found: list[tuple[ItemRow, Mapping[str, Any]]]) -> Iterator[Example]:
    for item, reason in found:
        verdict = store.verdict_of(item.key)
        calls = [] if verdict is None else list(calls_of(store, verdict))
        texts = [] if verdict is None else raw_texts(verdict, calls)
        roles = [call.role for call in calls]
        yield Example(
            item.id,
            item.source,
            item.line,
            reason,
            tuple(zip(roles, texts, strict=True)),
            0 if verdict is None else verdict.spans_in,
        )
