"""The list of samples: a page of rows, each read from the store as it is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from generator.inspector.opened_run import Reading
from generator.inspector.query import Cursor, Query, Range
from generator.inspector.sample_view import place_of_item
from generator.inspector.search import Page, Search
from generator.inspector.traits import paper_of
from generator.inspector.visible import excerpt, visible
from generator.store import VerdictRow
from generator.store.scanning import StoreScanner

PAGE_SIZE = 50

FACETS_SHOWN = (
    ("place", "Verdict"),
    ("stage", "Stage"),
    ("code", "Reason"),
    ("model", "Model by role"),
    ("language", "Language"),
    ("section", "Section type"),
    ("paper", "Paper"),
    ("decision", "Decided by a person"),
)
_VALUES_SHOWN = {"paper": 12}
_MOST_VALUES = 60


@dataclass(frozen=True, slots=True)
class RowView:
    """A sample in the list; `measured` is its value of the measure that is sorted by."""

    seq: int
    id: str
    title: str
    place: str
    reasons: tuple[str, ...]
    detail: Markup
    excerpt: Markup
    measured: float | None
    link: str


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A value of a facet that can be chosen, or given up."""

    value: str
    label: str
    count: int
    chosen: bool
    link: str


@dataclass(frozen=True, slots=True)
class FacetView:
    """A facet with its values; `more` values are not listed."""

    name: str
    title: str
    choices: tuple[ChoiceView, ...]
    more: int


@dataclass(frozen=True, slots=True)
class ChipView:
    """A filter that is in force, with the link that takes it away."""

    text: str
    link: str


@dataclass(frozen=True, slots=True)
class ListView:
    """A page of the list with its neighbours and everything that can be chosen."""

    rows: tuple[RowView, ...]
    total: int
    first: int
    previous: str | None
    following: str | None
    facets: tuple[FacetView, ...]
    chips: tuple[ChipView, ...]
    measures: tuple[str, ...]


def list_view(
    reading: Reading, query: Query, *, after: Cursor | None, before: Cursor | None
) -> ListView:
    """One page of the rows a query finds."""
    search = Search(reading.index, query)
    page = search.page(PAGE_SIZE, after=after, before=before)
    return ListView(
        rows=tuple(
            row
            for cursor in page.cursors
            if (row := _row(reading.store, cursor, query)) is not None
        ),
        total=page.total,
        first=page.first,
        previous=_page_link(query, page, "before") if page.more_before else None,
        following=_page_link(query, page, "after") if page.more_after else None,
        facets=facet_views(search, "/samples"),
        chips=chips(reading, query, "/samples"),
        measures=tuple(sorted(reading.index.measures)),
    )


def _page_link(query: Query, page: Page, name: str) -> str:
    cursor = page.cursors[0] if name == "before" else page.cursors[-1]
    return query.address("/samples", (name, cursor.as_text()))


def facet_views(search: Search, path: str) -> tuple[FacetView, ...]:
    """What can be chosen, with the number of rows each choice would show."""
    views = []
    for name, title in FACETS_SHOWN:
        chosen = search.query.facets.get(name, ())
        limit = _VALUES_SHOWN.get(name, _MOST_VALUES)
        counted = search.facet_counts(name, limit)
        listed = {value.value for value, _ in counted}
        choices = [
            ChoiceView(
                value.value,
                value.label,
                count,
                value.value in chosen,
                search.query.toggled(name, value.value).address(path),
            )
            for value, count in counted
            if count or value.value in chosen
        ]
        choices += [
            ChoiceView(v, search.index.label(name, v), search.count(name, v), True,
                       search.query.toggled(name, v).address(path))
            for v in chosen if v not in listed
        ]  # fmt: skip
        if choices:
            more = search.index.count_values(name) - len(listed)
            views.append(FacetView(name, title, tuple(choices), max(0, more)))
    return tuple(views)


def chips(reading: Reading, query: Query, path: str) -> tuple[ChipView, ...]:
    """The filters in force."""
    found = []
    for facet, values in query.facets.items():
        for value in values:
            label = reading.index.label(facet, value)
            found.append(ChipView(f"{facet}: {label}", query.toggled(facet, value).address(path)))
    found += [
        ChipView(_range_text(wanted), query.without_range(wanted).address(path))
        for wanted in query.ranges
    ]
    if query.words:
        rest = Query(query.facets, "", query.ranges, query.sort, query.descending)
        found.append(ChipView(f"text: {query.words}", rest.address(path)))
    return tuple(found)


def _range_text(wanted: Range) -> str:
    low = "" if wanted.low is None else f"{wanted.low:g} ≤ "
    high = "" if wanted.high is None else f" ≤ {wanted.high:g}"
    return f"{low}{wanted.measure}{high}"


def _row(store: StoreScanner, cursor: Cursor, query: Query) -> RowView | None:
    item = store.item_at(cursor.row)
    if item is None:
        return None
    verdict = store.verdict_of(item.key)
    reasons = () if verdict is None else verdict.all_reasons
    detail = str(reasons[0]["detail"]) if reasons else (item.failure or "")
    return RowView(
        seq=item.seq,
        id=item.id,
        title=paper_of(item.payload)[1],
        place=place_of_item(item, verdict),
        reasons=tuple(dict.fromkeys(f"{r['stage']}/{r['code']}" for r in reasons)),
        detail=visible(detail[:300]),
        excerpt=_excerpt(store, verdict, reasons),
        measured=cursor.value,
        link=query.address(f"/sample/{item.seq}"),
    )


def _excerpt(
    store: StoreScanner, verdict: VerdictRow | None, reasons: Sequence[Mapping[str, Any]]
) -> Markup:
    if verdict is None or not verdict.answers:
        return Markup()
    span = next((r["span"] for r in reasons if r.get("span")), None)
    if span is None and isinstance(verdict.parsed, Mapping) and verdict.parsed.get("summary"):
        return excerpt(str(verdict.parsed["summary"]), None)
    answer = verdict.answers[min(verdict.spans_in, len(verdict.answers) - 1)]
    call = store.find_call(answer["key"], item=answer["item"])
    if call is None:
        return Markup()
    raw = answer.get("opening", "") + call.completion.text
    return excerpt(raw, None if span is None else (span[0], span[1]))
