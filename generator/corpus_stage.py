"""What can only be said of a sample beside the others: decided in input order, at the end.

Deciding it while calls come back would make the corpus depend on timing.
"""

from __future__ import annotations

from generator.recipes.model import Reader
from generator.store import Backlog, RunStore


def judge_corpus(store: RunStore, reader: Reader, *, off: frozenset[str] = frozenset()) -> None:
    """Judge every accepted dialogue beside those before it. Rerunnable; input order decides."""
    store.clear_corpus_verdicts()
    if "duplicate_dialogue" not in off:
        _judge_duplicates(store)
    judge = reader.corpus_judge()
    if judge is None:
        return
    writes = Backlog()
    for item, verdict in store.judged():
        if not verdict.in_corpus or verdict.parsed is None:
            continue
        found = judge(item.id, verdict.parsed)
        reasons = [reason.to_json() for reason in found.reasons if reason.code not in off]
        writes.add(store.put_corpus_verdict(item.key, reasons, found.measures))
    writes.wait()


def _judge_duplicates(store: RunStore) -> None:
    writes = Backlog()
    for item, first in store.duplicates():
        reason = {
            "stage": "corpus",
            "code": "duplicate_dialogue",
            "detail": f"the same dialogue as {first}, which comes first in the input",
            "span": None,
        }
        writes.add(store.put_corpus_verdict(item, [reason], {}))
    writes.wait()
