"""What can only be said of a sample beside the others: decided in input order, at the end.

Deciding it while calls come back would make the corpus depend on timing.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator

from generator.filters.model import FilterResult, Reason
from generator.recipes.model import Reader
from generator.store import Backlog, RunStore, VerdictRow

CORPUS_JUDGED = "corpus_judged"
"""The name under which the store notes that what it holds of the corpus stage is true."""


class CorpusStage:
    """Shown every judged item in input order, it says which accepted ones the corpus refuses."""

    def __init__(self, store: RunStore, reader: Reader, off: frozenset[str]) -> None:
        self._store = store
        self._judge = reader.corpus_judge()
        self._off = off

    @property
    def compares_only(self) -> bool:
        """Whether it has nothing to say of a dialogue but that it is a copy."""
        return self._judge is None

    def judge(self, item_id: str, verdict: VerdictRow, *, may_repeat: bool = True) -> FilterResult:
        """The corpus' word on a sample that stands by itself; none on what a person accepted.

        A dialogue that a person accepted counts for those behind it like any other, and one
        that a person refused does not count at all. `may_repeat` is False where no dialogue
        like it is known to stand before it.
        """
        if not verdict.stands:
            return FilterResult()
        chosen = verdict.decision is not None
        compared = "duplicate_dialogue" not in self._off and not chosen
        if compared and may_repeat and verdict.fingerprint is not None:
            first = self._store.first_with_fingerprint(verdict.fingerprint, verdict.seq)
            if first is not None:
                detail = f"the same dialogue as {first}, which comes first in the input"
                return FilterResult((Reason("corpus", "duplicate_dialogue", detail),))
        if self._judge is None or verdict.parsed is None:
            return FilterResult()
        found = self._judge(item_id, verdict.parsed)
        if chosen:
            return FilterResult((), found.measures)
        reasons = tuple(reason for reason in found.reasons if reason.code not in self._off)
        return FilterResult(reasons, found.measures)


def judge_corpus(
    store: RunStore,
    reader: Reader,
    *,
    off: frozenset[str] = frozenset(),
    changed: Callable[[str], None] | None = None,
) -> None:
    """Judge every standing dialogue beside those before it. Rerunnable; input order decides.

    `changed` is told the key of each item before the corpus says something else of it.
    """
    stage = CorpusStage(store, reader, off)
    writes = Backlog()
    tell = changed or (lambda key: None)
    for key in store.fallen():
        tell(key)
        writes.add(store.put_corpus_verdict(key, (), {}))
    repeated = Places(store.repeated_places())
    # Without a judge of the recipe's own, nothing is said of most, and they need not be read.
    of_these = repeated if stage.compares_only else None
    for item, verdict in store.standing(of_these):
        found = stage.judge(item.id, verdict, may_repeat=repeated.hold(verdict.seq))
        if not same_word(found, verdict):
            tell(item.key)
            reasons = [reason.to_json() for reason in found.reasons]
            writes.add(store.put_corpus_verdict(item.key, reasons, found.measures))
    writes.wait()
    store.put_meta(CORPUS_JUDGED, True)


class Places:
    """Places in the input, a few bytes each, asked for in ascending order."""

    def __init__(self, places: Iterable[int]) -> None:
        self._places = array("L", sorted(array("L", places)))
        self._at = 0

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def hold(self, place: int) -> bool:
        """Whether a place is among them."""
        while self._at < len(self._places) and self._places[self._at] < place:
            self._at += 1
        return self._at < len(self._places) and self._places[self._at] == place


def same_word(found: FilterResult, verdict: VerdictRow) -> bool:
    """Whether the store already holds what the corpus says of a sample."""
    reasons = tuple(reason.to_json() for reason in found.reasons)
    return reasons == verdict.corpus_reasons and found.measures == verdict.corpus_measures
