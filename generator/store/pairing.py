"""Two run stores side by side: the same items, found by their key, one pair at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from generator.store.decisions import IN_CORPUS, NO_DECISIONS
from generator.store.rows import PERSON_STAGE, REFUSED_BY_PERSON, person_refusal
from generator.store.run_store import RunStore

Place = Literal["accepted", "rejected", "failed", "pending", "absent"]
"""Where an item stands in a run; "absent" when the run does not have it."""

CHANGES = {
    "all": "1",
    "changed": "in_a AND in_b AND place_a <> place_b",
    "gained": "in_a AND in_b AND place_a <> 'accepted' AND place_b = 'accepted'",
    "lost": "in_a AND in_b AND place_a = 'accepted' AND place_b <> 'accepted'",
    "other_reason": "place_a = 'rejected' AND place_b = 'rejected' AND reason_a <> reason_b",
    "both_accepted": "place_a = 'accepted' AND place_b = 'accepted'",
    "both_rejected": "place_a = 'rejected' AND place_b = 'rejected'",
    "only_a": "NOT in_b",
    "only_b": "NOT in_a",
}
"""What a list of pairs can be narrowed to. Items in one run alone have changed nothing."""

_SCHEMAS = {"a": "main", "b": "other"}
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Standing:
    """One item in one run: its place, every reason against it, and its measures."""

    place: Place
    reasons: tuple[Mapping[str, Any], ...] = ()
    measures: Mapping[str, Any] = field(default_factory=dict)
    failure: str | None = None

    @property
    def reason(self) -> str | None:
        """`stage/code` of the first reason, or the code it failed with."""
        if self.reasons:
            return f"{self.reasons[0]['stage']}/{self.reasons[0]['code']}"
        return None if self.failure is None else self.failure.partition(": ")[0]


@dataclass(frozen=True, slots=True)
class PairedItem:
    """One item as two runs have it. `seq` is its place in the input of the run that has it,
    the first one where both do; `cursor` is where a further page goes on."""

    key: str
    id: str
    source: str
    line: int | None
    seq: int
    a: Standing
    b: Standing

    @property
    def cursor(self) -> tuple[int, int]:
        return (int(self.a.place == "absent"), self.seq)


def _place(item: str, side: str) -> str:
    in_corpus = IN_CORPUS.replace("d.", f"d{side}.").replace("v.", f"v{side}.")
    return (
        f"CASE WHEN {item}.key IS NULL THEN 'absent' WHEN {item}.state <> 'done' THEN {item}.state"
        f" WHEN {in_corpus} THEN 'accepted' ELSE 'rejected' END"
    )


def _reason(side: str) -> str:
    """The first reason as `stage/code`; a person's refusal comes before all others."""
    person = f"{PERSON_STAGE}/{REFUSED_BY_PERSON}"
    first = [
        f"json_extract(v{side}.{column}, '$[0].stage') || '/' ||"
        f" json_extract(v{side}.{column}, '$[0].code')"
        for column in ("reasons", "corpus_reasons")
    ]
    refused = f"CASE d{side}.action WHEN 'refuse' THEN '{person}' END"
    return f"COALESCE({refused}, {first[0]}, {first[1]})"


def _columns(side: str) -> str:
    i, v, d = f"i{side}", f"v{side}", f"d{side}"
    return (
        f"{i}.key IS NOT NULL AS in_{side}, {_place(i, side)} AS place_{side},"
        f" {_reason(side)} AS reason_{side}, {v}.reasons AS reasons_{side},"
        f" {v}.corpus_reasons AS corpus_{side}, {v}.measures AS measures_{side},"
        f" {v}.corpus_measures AS corpus_measures_{side}, {i}.failure AS failure_{side},"
        f" {d}.action AS action_{side}, {d}.note AS note_{side}"
    )


def _sources(decisions: Mapping[str, str]) -> tuple[str, str]:
    """The pairs of the first store's items, and those of the second one's own items.

    What tells whether an item is shared is joined first, so that a narrowed list reads no more.
    """
    columns = f"{_columns('a')}, {_columns('b')}"
    verdicts = {
        side: f"LEFT JOIN {schema}.verdicts v{side} ON v{side}.item = i{side}.key"
        f" LEFT JOIN {decisions[side]} d{side} ON d{side}.item = i{side}.key"
        f" AND d{side}.in_force = 1"
        for side, schema in _SCHEMAS.items()
    }
    named = "{0}.key AS key, {0}.id AS id, {0}.source AS source, {0}.line AS line, {0}.seq AS seq"
    of_a = (
        f"SELECT {named.format('ia')}, {columns} FROM main.items ia"
        f" LEFT JOIN other.items ib ON ib.key = ia.key {verdicts['a']} {verdicts['b']}"
    )
    of_b_alone = (
        f"SELECT {named.format('ib')}, {columns} FROM other.items ib"
        f" LEFT JOIN main.items ia ON ia.key = ib.key {verdicts['b']} {verdicts['a']}"
        " WHERE ia.key IS NULL"
    )
    return of_a, of_b_alone


class StorePair:
    """Reads two stores, each at its last commit; a run may be writing to either meanwhile."""

    def __init__(self, a: Path, b: Path) -> None:
        """Raises `StoreFault` where either is no store of this version."""
        self.a = RunStore(a, create=False, writable=False)
        try:
            self.b = RunStore(b, create=False, writable=False)
        except BaseException:
            self.a.close()
            raise
        self._rows = sqlite3.connect(
            f"{a.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=30,
            check_same_thread=False,
        )  # fmt: skip
        self._rows.execute("ATTACH DATABASE ? AS other", (f"{b.resolve().as_uri()}?mode=rw",))
        known = {side: self._decisions(schema) for side, schema in _SCHEMAS.items()}
        self._of_a, self._of_b_alone = _sources(known)

    def close(self) -> None:
        self._rows.close()
        self.a.close()
        self.b.close()

    def _decisions(self, schema: str) -> str:
        """What to join for decisions; an older store gets their table only when it is written."""
        found = self._rows.execute(
            f"SELECT 1 FROM {schema}.sqlite_master WHERE name = 'decisions'"
        ).fetchone()
        return NO_DECISIONS if found is None else f"{schema}.decisions"

    def shared(self) -> Iterator[PairedItem]:
        """Every item that both have, in the order of their keys: the quickest way through both."""
        for row in self._rows.execute(f"{self._of_a} WHERE ib.key IS NOT NULL ORDER BY ia.key"):
            yield _paired(row)

    def overlap(self) -> tuple[int, int, int]:
        """How many items are in both, in the first alone, in the second alone."""
        count = self._rows.execute
        both = count(
            "SELECT COUNT(*) FROM main.items a JOIN other.items b ON b.key = a.key"
        ).fetchone()[0]
        of_a = count("SELECT COUNT(*) FROM main.items").fetchone()[0]
        of_b = count("SELECT COUNT(*) FROM other.items").fetchone()[0]
        return both, of_a - both, of_b - both

    def items(
        self, change: str = "all", after: tuple[int, int] | None = None
    ) -> Iterator[PairedItem]:
        """Pairs in the input order of the first run, then what the second alone has.

        `change` is one of `CHANGES`; `after` the cursor of the last pair that was seen.
        """
        wanted = CHANGES[change]
        side, seq = after or (0, -1)
        if side == 0:
            yield from self._page(self._of_a, wanted, seq)
            seq = -1
        yield from self._page(self._of_b_alone, wanted, seq)

    def one(self, key: str) -> PairedItem | None:
        """One item by its key; None when neither run has it."""
        for source in (self._of_a, self._of_b_alone):
            row = self._rows.execute(f"SELECT * FROM ({source}) WHERE key = ?", (key,)).fetchone()
            if row is not None:
                return _paired(row)
        return None

    def _page(self, source: str, wanted: str, after: int) -> Iterator[PairedItem]:
        for row in self._rows.execute(
            f"SELECT * FROM ({source}) WHERE seq > ? AND {wanted} ORDER BY seq", (after,)
        ):
            yield _paired(row)


def _paired(row: tuple[Any, ...]) -> PairedItem:
    key, id_, source, line, seq, *sides = row
    half = len(sides) // 2
    return PairedItem(key, id_, source, line, seq, _standing(sides[:half]), _standing(sides[half:]))


def _standing(columns: list[Any]) -> Standing:
    _, place, _, reasons, corpus, measures, corpus_measures, failure, action, note = columns
    if reasons is None:
        return Standing(place, failure=failure)
    found = json.loads(reasons) + (json.loads(corpus) if corpus else [])
    return Standing(
        place,
        (person_refusal(note), *found) if action == "refuse" else tuple(found),
        {**json.loads(measures), **(json.loads(corpus_measures) if corpus_measures else _NOTHING)},
        failure,
    )
