"""Two run stores side by side: the same items, found by their key, one pair at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

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


def _place(item: str, verdict: str) -> str:
    return (
        f"CASE WHEN {item}.key IS NULL THEN 'absent' WHEN {item}.state <> 'done' THEN {item}.state"
        f" WHEN {verdict}.accepted = 1 AND {verdict}.corpus_reasons IS NULL THEN 'accepted'"
        " ELSE 'rejected' END"
    )


def _reason(verdict: str) -> str:
    first = [
        f"json_extract({verdict}.{column}, '$[0].stage') || '/' ||"
        f" json_extract({verdict}.{column}, '$[0].code')"
        for column in ("reasons", "corpus_reasons")
    ]
    return f"COALESCE({first[0]}, {first[1]})"


def _columns(side: str) -> str:
    i, v = f"i{side}", f"v{side}"
    return (
        f"{i}.key IS NOT NULL AS in_{side}, {_place(i, v)} AS place_{side},"
        f" {_reason(v)} AS reason_{side}, {v}.reasons AS reasons_{side},"
        f" {v}.corpus_reasons AS corpus_{side}, {v}.measures AS measures_{side},"
        f" {v}.corpus_measures AS corpus_measures_{side}, {i}.failure AS failure_{side}"
    )


_OF_A = f"""
SELECT ia.key AS key, ia.id AS id, ia.source AS source, ia.line AS line, ia.seq AS seq,
       {_columns("a")}, {_columns("b")}
FROM main.items ia
LEFT JOIN other.items ib ON ib.key = ia.key
LEFT JOIN main.verdicts va ON va.item = ia.key
LEFT JOIN other.verdicts vb ON vb.item = ib.key
"""
_OF_B_ALONE = f"""
SELECT ib.key AS key, ib.id AS id, ib.source AS source, ib.line AS line, ib.seq AS seq,
       {_columns("a")}, {_columns("b")}
FROM other.items ib
LEFT JOIN main.items ia ON ia.key = ib.key
LEFT JOIN other.verdicts vb ON vb.item = ib.key
LEFT JOIN main.verdicts va ON va.item = ia.key
WHERE ia.key IS NULL
"""


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

    def close(self) -> None:
        self._rows.close()
        self.a.close()
        self.b.close()

    def shared(self) -> Iterator[PairedItem]:
        """Every item that both have, in the order of their keys: the quickest way through both."""
        for row in self._rows.execute(f"{_OF_A} WHERE ib.key IS NOT NULL ORDER BY ia.key"):
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
            yield from self._page(_OF_A, wanted, seq)
            seq = -1
        yield from self._page(_OF_B_ALONE, wanted, seq)

    def one(self, key: str) -> PairedItem | None:
        """One item by its key; None when neither run has it."""
        for source in (_OF_A, _OF_B_ALONE):
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
    _, place, _, reasons, corpus, measures, corpus_measures, failure = columns
    if reasons is None:
        return Standing(place, failure=failure)
    return Standing(
        place,
        tuple(json.loads(reasons)) + (tuple(json.loads(corpus)) if corpus else ()),
        {**json.loads(measures), **(json.loads(corpus_measures) if corpus_measures else _NOTHING)},
        failure,
    )
