"""Opens two run directories, counts them side by side, and pages through their items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

from generator.calling.prices import PriceTable, load_prices
from generator.comparing.model import (
    ComparedRun,
    Comparison,
    PairedSample,
    SampleSide,
    SettingDifference,
)
from generator.comparing.tally import PairTally
from generator.errors import WrongUse
from generator.report.cost import cost_of_calls
from generator.report.summary import unfinished_reason
from generator.run_directory import RunDirectory, flatten
from generator.store import (
    CHANGES,
    PairedItem,
    RunStore,
    Standing,
    StorePair,
    naming_store_faults,
)
from generator.views import calls_of, raw_texts

_TELL_EVERY = 10_000


def compare_runs(
    a: Path, b: Path, *, on_progress: Callable[[int], None] | None = None
) -> Comparison:
    """Two run directories in figures; reads each shared item once, with flat memory.

    `on_progress` is told now and then how many items were read. Raises `WrongUse` where
    either is no run directory or both are the same one.
    """
    with RunPair(a, b) as pair:
        return pair.compare(on_progress=on_progress)


class RunPair:
    """Two runs, open for reading. Use it in a `with` block.

    Raises `WrongUse` where either is no run directory or both are the same one.
    """

    def __init__(self, a: Path, b: Path) -> None:
        directories = RunDirectory(a), RunDirectory(b)
        self.manifests = directories[0].read_manifest(), directories[1].read_manifest()
        if a.resolve() == b.resolve():
            raise WrongUse(
                f"{a} and {b} are the same run. Give two run directories, for example of two "
                "models over the same inputs."
            )
        self.a, self.b = a, b
        self._where = f"{directories[0].store} or {directories[1].store}"
        with naming_store_faults(self._where):
            self._stores = StorePair(directories[0].store, directories[1].store)

    def __enter__(self) -> RunPair:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._stores.close()

    def compare(self, *, on_progress: Callable[[int], None] | None = None) -> Comparison:
        """Both runs in figures, as they are now."""
        tally = PairTally()
        with naming_store_faults(self._where):
            for number, pair in enumerate(self._stores.shared(), start=1):
                tally.add(pair)
                if on_progress is not None and number % _TELL_EVERY == 0:
                    on_progress(number)
            shared, only_a, only_b = self._stores.overlap()
            prices = load_prices()
            places = tally.places()
            runs = (
                _run(self.a, self._stores.a, self.manifests[0], places[0], prices),
                _run(self.b, self._stores.b, self.manifests[1], places[1], prices),
            )
        return Comparison(
            a=runs[0],
            b=runs[1],
            shared=shared,
            only_a=only_a,
            only_b=only_b,
            moved=tally.moved(),
            other_reason=tally.other_reason,
            reasons=tally.reasons(),
            measures=tally.measures(),
            settings=_differences(*self.manifests),
            warnings=_warnings(*runs, shared, only_a, only_b),
        )

    def items(
        self,
        change: str = "all",
        *,
        after: tuple[int, int] | None = None,
        limit: int | None = None,
    ) -> Iterator[PairedItem]:
        """Pairs in the first run's input order, then the second run's own items in its order.

        `change` is one of `CHANGES`, `after` the `cursor` of the last pair of the page before.
        Raises `WrongUse` for another word.
        """
        if change not in CHANGES:
            raise WrongUse(f"there is no change {change!r}; there are: {', '.join(CHANGES)}")
        with naming_store_faults(self._where):
            yield from islice(self._stores.items(change, after), limit)

    def sample(self, key: str) -> PairedSample | None:
        """One item in full by its key; None when neither run has it."""
        with naming_store_faults(self._where):
            item = self._stores.one(key)
            if item is None:
                return None
            return PairedSample(
                item, _side(self._stores.a, key, item.a), _side(self._stores.b, key, item.b)
            )


def _side(store: RunStore, key: str, standing: Standing) -> SampleSide:
    verdict = store.verdict_of(key)
    if verdict is None:
        return SampleSide(standing)
    raw = raw_texts(verdict, list(calls_of(store, verdict)))
    return SampleSide(standing, tuple(raw), verdict.parsed, verdict.record, verdict.spans_in)


def _run(
    path: Path,
    store: RunStore,
    manifest: Mapping[str, Any],
    shared: Mapping[str, int],
    prices: PriceTable,
) -> ComparedRun:
    tokens = store.tokens()
    return ComparedRun(
        path=path,
        recipe=manifest["recipe"],
        shape=str(manifest.get("shape", "")),
        models={role: str(about["spec"]) for role, about in manifest["roles"].items()},
        counts=store.counts(),
        shared=shared,
        prompt_tokens=tokens["prompt"],
        completion_tokens=tokens["completion"],
        cost=cost_of_calls(store, prices),
        unfinished=unfinished_reason(store),
    )


def _differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[SettingDifference, ...]:
    before, after = _all_settings(a), _all_settings(b)
    return tuple(
        SettingDifference(name, before.get(name), after.get(name))
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    )


def _all_settings(manifest: Mapping[str, Any]) -> dict[str, Any]:
    about = {"recipe": manifest["recipe"], "seed": manifest.get("seed")}
    return about | flatten(manifest["settings"]) | flatten({"versions": manifest["versions"]})


def _warnings(
    a: ComparedRun, b: ComparedRun, shared: int, only_a: int, only_b: int
) -> tuple[str, ...]:
    found = []
    if a.recipe != b.recipe:
        found.append(
            f"the runs were made by different recipes ({a.recipe}, {b.recipe}): reasons and "
            "measures of one name may not mean the same"
        )
    if not shared:
        found.append(
            "the runs have no item in common: they were made over other inputs, or with other "
            "segment settings. Only the runs' own totals can be compared"
        )
    elif only_a or only_b:
        found.append(
            f"the inputs differ: {shared:,} items are in both runs, {only_a:,} in A alone, "
            f"{only_b:,} in B alone. The figures are over the shared ones"
        )
    for name, run in (("A", a), ("B", b)):
        if run.unfinished is not None:
            found.append(f"{name} is not finished: {run.unfinished}")
    return tuple(found)
