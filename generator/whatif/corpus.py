"""The corpus stage of a what-if: duplicates and repeated questions among what would stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from generator.recipes.model import CorpusJudge
from generator.store import RunStore


@dataclass(slots=True)
class CorpusView:
    """What is known of the samples by their place in the input.

    `stood` tells which the filters accept now, `decided` what people decided. `prints` and
    `parsed` are the new fingerprints and dialogues of samples read again, where they are not
    those the store holds for an accepted sample.
    """

    stood: bytearray = field(default_factory=bytearray)
    decided: dict[int, str] = field(default_factory=dict)
    prints: dict[int, str] = field(default_factory=dict)
    parsed: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    def add(self, stood: bool, decided: str | None) -> None:
        if decided is not None:
            self.decided[len(self.stood)] = decided
        self.stood.append(stood)

    def free(self, seq: int) -> bool:
        """Nobody decided about this sample."""
        return seq not in self.decided

    @property
    def accepted_by_people(self) -> int:
        return sum(action == "accept" for action in self.decided.values())

    def same_corpus(self, stands: Sequence[bool]) -> bool:
        """Whether just the same dialogues would stand as now."""
        return (
            not self.prints
            and not self.parsed
            and all(
                bool(was) == now or not self.free(seq)
                for seq, (was, now) in enumerate(zip(self.stood, stands, strict=True))
            )
        )


def later_duplicates(store: RunStore, view: CorpusView, stands: Sequence[bool]) -> Iterator[int]:
    """The places of standing dialogues that another one before them says word for word."""
    extra: dict[str, list[int]] = {}
    for seq, known in store.accepted_by_people():
        if known is not None:
            extra.setdefault(known, []).append(seq)
    for seq, now in enumerate(stands):
        if not now or not view.free(seq):
            continue
        own = view.prints.get(seq)
        if own is None and not view.stood[seq]:
            own = store.fingerprint_at(seq)
        if own is not None:
            extra.setdefault(own, []).append(seq)
    rows = store.standing_fingerprints()
    for shared, group in groupby(rows, key=lambda row: row[0]):
        members = extra.pop(shared, [])
        members += [
            seq
            for _, seq, action in group
            if action is None and stands[seq] and seq not in view.prints
        ]
        yield from _later(view, members)
    for members in extra.values():
        yield from _later(view, members)


def _later(view: CorpusView, members: list[int]) -> Iterator[int]:
    if len(members) > 1:
        first = min(members)
        yield from (seq for seq in members if seq != first and view.free(seq))


def refused_by_judge(
    store: RunStore,
    view: CorpusView,
    judge: CorpusJudge,
    off: frozenset[str],
    standing: Iterable[int],
) -> Iterator[tuple[int, str | None]]:
    """For each place in order: the first code that the recipe's corpus judge has, or None."""
    for seq in standing:
        known = store.dialogue_at(seq)
        if known is None:
            continue
        name, parsed = known[0], view.parsed.get(seq, known[1])
        if parsed is None:
            yield seq, None
            continue
        codes = [reason.code for reason in judge(name, parsed).reasons if reason.code not in off]
        yield seq, codes[0] if codes else None
