"""What can only be said of a sample beside the others: decided in input order, at the end.

Deciding it while calls come back would make the corpus depend on timing.
"""

from __future__ import annotations

from generator.store import Backlog, RunStore


def judge_corpus(store: RunStore, *, off: frozenset[str] = frozenset()) -> None:
    """Mark every accepted dialogue that repeats an earlier one. Rerunnable; input order decides."""
    store.clear_corpus_reasons()
    if "duplicate_dialogue" in off:
        return
    writes = Backlog()
    for item, first in store.duplicates():
        reason = {
            "stage": "corpus",
            "code": "duplicate_dialogue",
            "detail": f"the same dialogue as {first}, which comes first in the input",
            "span": None,
        }
        writes.add(store.put_corpus_reasons(item, [reason]))
    writes.wait()
