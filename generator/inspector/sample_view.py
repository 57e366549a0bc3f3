"""Everything there is to see of one sample, ready for the page."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from generator.calling.prices import PriceTable
from generator.inspector.call_view import CallView, call_views
from generator.inspector.sources import (
    SourcePart,
    cites,
    rests_on,
    source_parts,
    with_citations,
)
from generator.inspector.thresholds import Bound, bounds_of
from generator.inspector.traits import paper_of
from generator.inspector.understood import utterances
from generator.inspector.visible import Mark, Shown, shown, visible
from generator.store import CallRow, ItemRow, VerdictRow
from generator.store.scanning import StoreScanner
from generator.views import calls_of, provenance_of, raw_texts

PARTS = ("raw", "talk", "calls", "record", "edit")
"""Parts of a page that can be shown in full, each by itself: a megabyte is laid out once."""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """A reason against a sample; `placed` when the raw output has its mark."""

    number: int
    stage: str
    code: str
    detail: Markup
    placed: bool


@dataclass(frozen=True, slots=True)
class RawView:
    """A raw output; `number` is its place among the sample's outputs, from 0."""

    number: int
    role: str
    text: Shown


@dataclass(frozen=True, slots=True)
class TurnView:
    """One utterance. `sentences` of the source it rests on, `reasons` that point into it."""

    number: int
    speaker: str
    markup: Markup
    hidden: int
    sentences: tuple[int, ...]
    reasons: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MeasureView:
    """A measure with the thresholds that bound it; `value` as it was recorded."""

    name: str
    value: Any
    bounds: tuple[tuple[Bound, bool], ...]


@dataclass(frozen=True, slots=True)
class SampleView:
    """One item with all that was asked, answered, understood and decided about it."""

    seq: int
    id: str
    key: str
    place: str
    title: str
    source_path: str
    source_line: int | None
    failure: Markup | None
    reasons: tuple[ReasonView, ...]
    raws: tuple[RawView, ...]
    summary: Markup | None
    turns: tuple[TurnView, ...]
    parts: tuple[SourcePart, ...]
    calls: tuple[CallView, ...]
    measures: tuple[MeasureView, ...]
    provenance: Shown
    record: Shown | None
    parsed: Shown | None


def sample_view(
    store: StoreScanner,
    seq: int,
    manifest: Mapping[str, Any],
    prices: PriceTable,
    *,
    whole: Collection[str] = (),
) -> SampleView | None:
    """The sample at a place in the input; None where there is no item.

    `whole` names the parts (of `PARTS`) whose long texts are not cut.
    """
    item = store.item_at(seq)
    if item is None:
        return None
    verdict = store.verdict_of(item.key)
    used = [] if verdict is None else list(calls_of(store, verdict))
    answered = verdict is not None and len(used) == len(verdict.answers)
    raws = raw_texts(verdict, used) if verdict is not None and answered else []
    if not raws:
        raws = [call.completion.text for call in used]
    reasons = () if verdict is None else verdict.all_reasons
    marks = _marks(reasons)
    marked = 0 if verdict is None else verdict.spans_in
    faulty = raws[marked] if marked < len(raws) else ""
    parts = source_parts(item.payload)
    parsed = None if verdict is None else verdict.parsed
    summary = parsed.get("summary") if isinstance(parsed, Mapping) else None
    return SampleView(
        seq=seq,
        id=item.id,
        key=item.key,
        place=place_of_item(item, verdict),
        title=paper_of(item.payload)[1],
        source_path=item.source,
        source_line=item.line,
        failure=visible(item.failure) if item.failure else None,
        reasons=_reasons(reasons, len(faulty)),
        raws=tuple(
            RawView(n, call.role, shown(raw, marks if n == marked else (), whole="raw" in whole))
            for n, (raw, call) in enumerate(zip(raws, used, strict=True))
        ),
        summary=shown(summary, whole="talk" in whole).markup if isinstance(summary, str) else None,
        turns=_turns(parsed, faulty, marks, parts, whole="talk" in whole),
        parts=parts,
        calls=call_views(store, item, used, whole="calls" in whole),
        measures=_measures(verdict, manifest),
        provenance=shown(_origin(item, verdict, used, manifest, prices), whole="record" in whole),
        record=None
        if verdict is None or verdict.record is None
        else shown(_json(verdict.record), whole="record" in whole),
        parsed=None if parsed is None else shown(_json(parsed), whole="record" in whole),
    )


def place_of_item(item: ItemRow, verdict: VerdictRow | None) -> str:
    """accepted, rejected, failed or pending."""
    if item.state != "done" or verdict is None:
        return item.state if item.state != "done" else "pending"
    return "accepted" if verdict.in_corpus else "rejected"


def _reasons(reasons: Sequence[Mapping[str, Any]], length: int) -> tuple[ReasonView, ...]:
    return tuple(
        ReasonView(
            number,
            str(reason["stage"]),
            str(reason["code"]),
            visible(str(reason["detail"])),
            bool(reason.get("span")) and reason["span"][0] <= length,
        )
        for number, reason in enumerate(reasons, start=1)
    )


def _marks(reasons: Sequence[Mapping[str, Any]]) -> list[Mark]:
    return [
        Mark(reason["span"][0], reason["span"][1], (number,))
        for number, reason in enumerate(reasons, start=1)
        if reason.get("span")
    ]


def _turns(
    parsed: Any, raw: str, marks: Sequence[Mark], parts: Sequence[SourcePart], *, whole: bool
) -> tuple[TurnView, ...]:
    views: list[TurnView] = []
    end = 0
    for number, (speaker, text) in enumerate(utterances(parsed), start=1):
        start = raw.find(text, end) if text else -1
        inside: tuple[int, ...] = ()
        if start >= 0:
            end = start + len(text)
            inside = tuple(
                n for m in marks if m.start < end and (m.end > start or m.start == m.end >= start)
                for n in m.numbers
            )  # fmt: skip
        cut = shown(text, whole=whole)
        cited = bool(parts) and cites(text) and not cut.hidden
        views.append(
            TurnView(
                number=number,
                speaker=speaker,
                markup=with_citations(text, parts) if cited else cut.markup,
                hidden=cut.hidden,
                # Where there are citations, each cited span lights its own sentences.
                sentences=() if cited else rests_on(text, parts),
                reasons=inside,
            )
        )
    return tuple(views)


def _measures(verdict: VerdictRow | None, manifest: Mapping[str, Any]) -> tuple[MeasureView, ...]:
    if verdict is None:
        return ()
    views = []
    for name, value in verdict.measures.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        bounds = bounds_of(name, manifest["settings"]) if number else ()
        views.append(MeasureView(name, value, tuple((b, b.passes(value)) for b in bounds)))
    # Those that something depends on come first.
    return tuple(sorted(views, key=lambda view: not view.bounds))


def _origin(
    item: ItemRow,
    verdict: VerdictRow | None,
    used: list[CallRow],
    manifest: Mapping[str, Any],
    prices: PriceTable,
) -> str:
    if verdict is None:
        place = {"path": item.source, "line": item.line}
        return _json({"id": item.id, "item": item.key, "source": place})
    origin = provenance_of(item, verdict, used, manifest, prices)
    origin.pop("measures")
    return _json(origin)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
