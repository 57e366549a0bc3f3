"""The JSONL files of a run: views of its store, rebuilt whole, without a model call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from generator.calling.prices import PriceTable, load_prices
from generator.run_directory import RunDirectory, disk_fault, replacing
from generator.shapes import dump_line
from generator.store import CallRow, Decision, ItemRow, RunStore, VerdictRow, unpack_request
from generator.store.reading import StoreReader

VIEWS = "views"
"""The name under which the store keeps what the views looked like when they were true."""

SAME_CAPS = "same_caps"
"""The name under which the store keeps that all was asked with the caps of the manifest."""


def write_views(
    directory: RunDirectory,
    store: RunStore,
    manifest: Mapping[str, Any],
    prices: PriceTable | None = None,
) -> None:
    """Write `dialogues`, `rejected`, `provenance`, `timings` and `skipped`, each at once or not.

    Records stand in input order. Whatever depends on the clock is in `timings.jsonl`
    alone, so that the other files are the same for the same answers.
    """
    known_prices = prices or load_prices()
    same_caps = store.meta(SAME_CAPS) is True
    store.put_meta(VIEWS, None)
    with ExitStack() as stack:

        def lines(path: Path) -> LineFile:
            return LineFile(path, stack.enter_context(replacing(path)).buffer)

        dialogues, rejected = lines(directory.dialogues), lines(directory.rejected)
        provenance, timings = lines(directory.provenance), lines(directory.timings)
        own = store.own_calls()
        for item, verdict in store.passed_on():
            calls = list(calls_of(store, verdict, own.of(verdict.seq)))
            origin = provenance_of(
                item, verdict, calls, manifest, known_prices, same_caps=same_caps
            )
            if verdict.in_corpus:
                dialogues.write(verdict.record)
                provenance.write(origin)
            else:
                rejected.write(rejected_line(item, verdict, calls, origin))
            timings.write(timings_of(item, calls))
        skipped = lines(directory.skipped)
        for skip in store.skips():
            skipped.write(
                {"source": skip.source, "line": skip.line, "id": skip.id, "code": skip.code,
                 "detail": skip.detail}
            )  # fmt: skip
    store.put_meta(VIEWS, views_stamp(directory))


def views_stamp(directory: RunDirectory) -> dict[str, list[int]] | None:
    """Size and time of the views as they lie there, by which a change is noticed."""
    try:
        states = {path.name: path.stat() for path in directory.views}
    except OSError:
        return None
    return {name: [state.st_size, state.st_mtime_ns] for name, state in states.items()}


class LineFile:
    """A line file that names itself when it cannot be written."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    def write(self, record: Any) -> None:
        line = dump_line(record)
        try:
            self._file.write(line)
        except OSError as error:
            raise disk_fault(self._path, error) from None


def calls_of(
    store: StoreReader, verdict: VerdictRow, known: Mapping[str, CallRow] | None = None
) -> Iterator[CallRow]:
    """The stored calls a verdict rests on, in the order they were made.

    `known` are all calls of its item by key, where they were read already.
    """
    for answer in verdict.answers:
        key, item = answer["key"], answer["item"]
        if known is not None and item == verdict.item:
            call = known.get(key)
        else:
            call = store.find_call(key, item=item)
        if call is not None:
            yield call


def raw_texts(verdict: VerdictRow, calls: list[CallRow]) -> list[str]:
    """The raw outputs as the parser saw them: opening and completion."""
    return [
        answer.get("opening", "") + call.completion.text
        for answer, call in zip(verdict.answers, calls, strict=True)
    ]


def rejected_line(
    item: ItemRow, verdict: VerdictRow, calls: list[CallRow], origin: Mapping[str, Any]
) -> dict[str, Any]:
    """One line of `rejected.jsonl`; spans count code points of `raw[spans_in]`."""
    return {
        "id": item.id,
        "reasons": [dict(reason) for reason in verdict.all_reasons],
        "raw": raw_texts(verdict, calls),
        "spans_in": verdict.spans_in,
        "parsed": verdict.parsed,
        "record": verdict.record,
        "provenance": origin,
    }


def provenance_of(
    item: ItemRow,
    verdict: VerdictRow,
    calls: list[CallRow],
    manifest: Mapping[str, Any],
    prices: PriceTable,
    *,
    same_caps: bool = False,
) -> dict[str, Any]:
    """One line of `provenance.jsonl`: where a record comes from, without the clock.

    `cost` is in US dollars, None when a price or a count is unknown. With `same_caps` the
    requests need not be unpacked: no call was asked with another cap than the manifest says.
    """
    roles = manifest["roles"]
    plan = item.payload.get("plan")
    return {
        "id": item.id,
        "item": item.key,
        "source": {"path": item.source, "line": item.line},
        **({} if plan is None else {"plan": plan}),
        "roles": {
            call.role: {
                "spec": roles.get(call.role, {}).get("spec", call.spec),
                "model": call.completion.model,
            }
            for call in calls
        },
        "templates": manifest["settings"]["templates"],
        "other_max_tokens": {} if same_caps else _other_caps(calls, manifest),
        "calls": [call.key for call in calls],
        "finish_reasons": [call.completion.finish_reason for call in calls],
        "tokens": {
            "prompt": _total([c.completion.usage.prompt_tokens for c in calls]),
            "completion": _total([c.completion.usage.completion_tokens for c in calls]),
        },
        "cost": _cost(calls, prices),
        "notes": sorted({note for call in calls for note in call.completion.notes}),
        "measures": verdict.measures,
        "decision": _decision(verdict.decision),
    }


def _decision(decision: Decision | None) -> dict[str, Any] | None:
    """What a person decided; when, only the store tells, since nothing here holds the clock."""
    if decision is None:
        return None
    return {"action": decision.action, "note": decision.note, "edited": decision.edited}


def _other_caps(calls: list[CallRow], manifest: Mapping[str, Any]) -> dict[str, int | None]:
    """`max_tokens` of the roles that were asked with another cap than the manifest says."""
    roles = manifest["settings"]["roles"]
    asked = {call.role: unpack_request(call.request)["sampling"]["max_tokens"] for call in calls}
    return {
        role: cap
        for role, cap in asked.items()
        if role in roles and cap != roles[role]["sampling"]["max_tokens"]
    }


def _cost(calls: list[CallRow], prices: PriceTable) -> float | None:
    total = 0.0
    for call in calls:
        price = prices.price_of(call.spec)
        cost = None if price is None else price.cost_of(call.completion.usage)
        if cost is None:
            return None
        total += cost
    return round(total, 8)


def timings_of(item: ItemRow, calls: list[CallRow]) -> dict[str, Any]:
    """One line of `timings.jsonl`: when each answer arrived and what it took, in seconds."""
    return {
        "id": item.id,
        "item": item.key,
        "calls": [
            {
                "role": call.role,
                "at": call.at,
                "latency_s": call.completion.latency_s,
                "attempts": call.attempts,
            }
            for call in calls
        ],
    }


def _total(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
