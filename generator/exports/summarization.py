"""Text → summary pairs, to train a summariser.

Of every raw output with a non-empty summary, accepted or not, as PaperPersiChat
trained its own (3,560 of 3,588 raw dialogues; notebook "Bart Finetuning").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.store import RunStore


def summarization_records(store: RunStore) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """`{"id", "text", "summary"}` for every judged item whose output had a summary."""
    for item, verdict in store.judged():
        summary = str((verdict.parsed or {}).get("summary", "")).strip()
        if not summary:
            continue
        text = str(item.payload["text"])
        cut = int(verdict.candidate["notes"].get("trimmed_chars", 0))
        yield (
            str(item.payload["paper_id"]),
            {"id": item.id, "text": text[: len(text) - cut], "summary": summary},
        )
