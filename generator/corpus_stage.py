"""What can only be said of a sample beside the others: decided in input order, at the end.

Deciding it while calls come back would make the corpus depend on timing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.filters.model import FilterResult, Reason
from generator.recipes.model import Reader
from generator.store import Backlog, RunStore, VerdictRow


class CorpusStage:
    """Shown every judged item in input order, it says which accepted ones the corpus refuses."""

    def __init__(self, store: RunStore, reader: Reader, off: frozenset[str]) -> None:
        self._store = store
        self._judge = reader.corpus_judge()
        self._off = off

    def judge(self, item_id: str, verdict: VerdictRow) -> FilterResult:
        """The corpus' word on a sample that is acceptable by itself."""
        if not verdict.accepted:
            return FilterResult()
        if "duplicate_dialogue" not in self._off and verdict.fingerprint is not None:
            first = self._store.first_with_fingerprint(verdict.fingerprint, verdict.seq)
            if first is not None:
                detail = f"the same dialogue as {first}, which comes first in the input"
                return FilterResult((Reason("corpus", "duplicate_dialogue", detail),))
        if self._judge is None or verdict.parsed is None:
            return FilterResult()
        found = self._judge(item_id, verdict.parsed)
        reasons = tuple(reason for reason in found.reasons if reason.code not in self._off)
        return FilterResult(reasons, found.measures)


def judge_corpus(store: RunStore, reader: Reader, *, off: frozenset[str] = frozenset()) -> None:
    """Judge every accepted dialogue beside those before it. Rerunnable; input order decides."""
    store.clear_corpus_verdicts()
    stage = CorpusStage(store, reader, off)
    writes = Backlog()
    for item, verdict in store.judged(accepted_only=True):
        found = stage.judge(item.id, verdict)
        if found.reasons or found.measures:
            reasons: list[Mapping[str, Any]] = [reason.to_json() for reason in found.reasons]
            writes.add(store.put_corpus_verdict(item.key, reasons, found.measures))
    writes.wait()
