"""What the JSONL files of a run say, read without the store and the index."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Told:
    """One item as the files tell it; `seq` is its place in the input, from 0."""

    seq: int
    id: str
    place: str
    reasons: tuple[str, ...]
    raw: str
    measures: Mapping[str, Any]
    decision: Any


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def told(run: Path) -> list[Told]:
    """Every item of a run whose papers hold one segment each, in input order."""
    found = [_told(origin, "accepted", (), "") for origin in lines(run / "provenance.jsonl")]
    for refused in lines(run / "rejected.jsonl"):
        reasons = tuple(f"{r['stage']}/{r['code']}" for r in refused["reasons"])
        raw = refused["raw"][0] if refused["raw"] else ""
        found.append(_told(refused["provenance"], "rejected", reasons, raw))
    return sorted(found, key=lambda item: item.seq)


def _told(origin: dict[str, Any], place: str, reasons: tuple[str, ...], raw: str) -> Told:
    return Told(
        seq=origin["source"]["line"] - 1,
        id=origin["id"],
        place=place,
        reasons=reasons,
        raw=raw,
        measures=origin["measures"],
        decision=origin["decision"],
    )


def seqs(items: list[Told], wanted: Callable[[Told], bool]) -> list[int]:
    """The places of the items that are wanted."""
    return [item.seq for item in items if wanted(item)]
