"""Reading stored answers again by other settings, sample by sample, without writing anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.candidates import stored_candidate
from generator.judging import item_of
from generator.recipes.model import Reader
from generator.store import RunStore


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sample is by itself under other settings: `place` is "accepted" or a reject code.

    `fingerprint` and `parsed` are those of a sample that stands, where they are not those that
    the store holds for an accepted one.
    """

    seq: int
    place: str
    fingerprint: str | None = None
    parsed: Mapping[str, Any] | None = None


def rejudge(store: RunStore, reader: Reader, seqs: Iterable[int]) -> Iterator[Outcome]:
    """The outcome of each sample at these places of the input."""
    for seq in seqs:
        found = store.judged_at(seq)
        if found is None:
            continue
        item, verdict = found
        reading = reader.interpret(item_of(item), stored_candidate(store, verdict))
        if reading.verdict.accepted:
            parsed = None if reading.parsed == verdict.parsed else reading.parsed
            known = verdict.accepted and reading.fingerprint == verdict.fingerprint
            yield Outcome(seq, "accepted", None if known else reading.fingerprint, parsed)
        else:
            yield Outcome(seq, reading.verdict.reasons[0].code)
