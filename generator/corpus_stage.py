"""What can only be said of a sample beside the others: decided in input order, at the end.

Deciding it while calls come back would make the corpus depend on timing.
"""

from __future__ import annotations

from generator.store import RunStore


def judge_corpus(store: RunStore, *, off: frozenset[str] = frozenset()) -> None:
    """Mark every accepted dialogue that repeats an earlier one. Rerunnable; input order decides."""
    store.clear_corpus_reasons()
    if "duplicate_dialogue" in off:
        return
    last = None
    for item, first in list(store.duplicates()):
        reason = {
            "stage": "corpus",
            "code": "duplicate_dialogue",
            "detail": f"the same dialogue as {first}, which comes first in the input",
            "span": None,
        }
        last = store.put_corpus_reasons(item, [reason])
    if last is not None:
        last.result()
