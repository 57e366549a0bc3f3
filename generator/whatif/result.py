"""What other settings would make of a run."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from generator.errors import DialogsmithError
from generator.run_directory import RunDirectory
from generator.store import RunStore

ACCEPTED = "accepted"


class WhatIfCancelled(DialogsmithError):
    """The caller asked to stop before there was a result. Nothing was changed."""

    exit_code = 130


@dataclass(frozen=True, slots=True)
class WhatIfProgress:
    """How far it is: `done` of `total` samples of a phase.

    Phases: `looking` over all verdicts, `reading` again those that may change, `comparing`
    with the rest of the corpus. `accepted` is an estimate of the result, from `reading` on.
    """

    phase: Literal["looking", "reading", "comparing"]
    done: int
    total: int
    accepted: int | None = None


@dataclass(frozen=True, slots=True)
class Places:
    """How many judged samples are in the corpus, and are not."""

    accepted: int
    rejected: int

    @property
    def yield_share(self) -> float | None:
        """Accepted share of the judged samples; None when there are none."""
        judged = self.accepted + self.rejected
        return self.accepted / judged if judged else None


@dataclass(frozen=True, slots=True)
class Moved:
    """A sample that changes its place: "accepted", or the first reject code."""

    id: str
    key: str
    seq: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What refilter would make of a run, exactly. `reread` samples had to be read again.

    `moves` counts by (before, after), where a place is "accepted" or the first reject code.
    """

    run: Path
    before: Places
    after: Places
    moves: Mapping[tuple[str, str], int]
    judged: int
    reread: int
    names: Sequence[str]
    moved_seqs: array[int]
    moved_before: array[int]
    moved_after: array[int]

    @property
    def moved(self) -> int:
        """How many samples change their place."""
        return len(self.moved_seqs)

    def page(
        self,
        offset: int = 0,
        limit: int = 50,
        *,
        before: str | None = None,
        after: str | None = None,
    ) -> list[Moved]:
        """Samples that move, in input order: `limit` from number `offset` on.

        `before` and `after` leave those of one place.
        """
        chosen = [
            number
            for number, (old, new) in enumerate(
                zip(self.moved_before, self.moved_after, strict=True)
            )
            if before in (None, self.names[old]) and after in (None, self.names[new])
        ][offset : offset + limit]
        store = RunStore(RunDirectory(self.run).store, create=False, writable=False)
        try:
            return list(self._moved(store, chosen))
        finally:
            store.close()

    def _moved(self, store: RunStore, numbers: Sequence[int]) -> Iterator[Moved]:
        for number in numbers:
            seq = self.moved_seqs[number]
            named = store.name_at(seq)
            if named is not None:
                old, new = self.moved_before[number], self.moved_after[number]
                yield Moved(named[1], named[0], seq, self.names[old], self.names[new])


def count_moves(
    names: Sequence[str], before: array[int], after: array[int]
) -> Mapping[tuple[str, str], int]:
    """Counts by (before, after), the most frequent first."""
    counted = Counter(zip(before, after, strict=True))
    moves = {(names[old], names[new]): count for (old, new), count in counted.items()}
    return dict(sorted(moves.items(), key=lambda move: (-move[1], move[0])))
