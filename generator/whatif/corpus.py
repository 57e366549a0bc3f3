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

    stood: bytearray
    decided: Mapping[int, str]
    prints: dict[int, str] = field(default_factory=dict)
    parsed: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    def free(self, seq: int) -> bool:
        """Nobody decided about this sample."""
        return seq not in self.decided

    @property
    def accepted_by_people(self) -> int:
        return sum(action == "accept" for action in self.decided.values())

    def changed(self, stands: Sequence[bool]) -> list[int]:
        """The places of undecided samples that stand other than now, or in other words."""
        return [
            seq
            for seq, (was, now) in enumerate(zip(self.stood, stands, strict=True))
            if (bool(was) != now or seq in self.prints or seq in self.parsed) and self.free(seq)
        ]


class Duplicates:
    """Which standing dialogues another one before them in the input says word for word."""

    def __init__(self, store: RunStore, view: CorpusView, stands: Sequence[bool]) -> None:
        self._store = store
        self._view = view
        self._stands = stands
        self._extra: dict[str, list[int]] = {}
        for seq, known in store.accepted_by_people():
            if known is not None:
                self._extra.setdefault(known, []).append(seq)
        for seq, now in enumerate(stands):
            if now and view.free(seq) and (own := self._new_print(seq)) is not None:
                self._extra.setdefault(own, []).append(seq)

    def everywhere(self) -> Iterator[int]:
        """The places of all duplicates."""
        extra = dict(self._extra)
        rows = self._store.accepted_fingerprints()
        for shared, group in groupby(rows, key=lambda row: row[0]):
            yield from self._later([*extra.pop(shared, ()), *self._kept(seq for _, seq in group)])
        for members in extra.values():
            yield from self._later(members)

    def near(self, entering: Iterable[int], repeated: Iterable[int]) -> Iterator[tuple[int, bool]]:
        """Where the answer can be another one than now: the places, and whether they repeat.

        That is so only among dialogues with the words of one that is `entering`, or of one
        that is `repeated` now; where a sample leaves, nobody else is concerned.
        """
        prints = {self._store.fingerprint_at(seq) for seq in repeated}
        prints |= {self._view.prints.get(s) or self._store.fingerprint_at(s) for s in entering}
        for shared in sorted(one for one in prints if one is not None):
            known = self._kept(self._store.places_with_fingerprint(shared))
            members = [*self._extra.get(shared, ()), *known]
            later = set(self._later(members))
            yield from ((seq, seq in later) for seq in members if self._view.free(seq))

    def _new_print(self, seq: int) -> str | None:
        """The fingerprint of a sample that the store does not list among the accepted."""
        own = self._view.prints.get(seq)
        return self._store.fingerprint_at(seq) if own is None and not self._view.stood[seq] else own

    def _kept(self, seqs: Iterable[int]) -> Iterator[int]:
        view, stands = self._view, self._stands
        for seq in seqs:
            if seq < len(stands) and stands[seq] and view.free(seq) and seq not in view.prints:
                yield seq

    def _later(self, members: Sequence[int]) -> Iterator[int]:
        if len(members) > 1:
            first = min(members)
            yield from (seq for seq in members if seq != first and self._view.free(seq))


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
