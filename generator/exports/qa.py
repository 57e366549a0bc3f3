"""Question-answering records: one line a pair of question and answer, with the turns before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.store import RunStore
from parsers.text.refusals import is_not_enough_information


def qa_records(store: RunStore) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """`{"id", "context", "history", "question", "answer", "answerable"}` of accepted dialogues.

    `id` is `<segment id>#<n>`, n from 0; `history` the utterances before the
    question, alternating person and bot; `answerable` is false for an answer
    that says the text does not hold it.
    """
    for item, verdict in store.judged():
        record = verdict.record
        if not verdict.in_corpus or record is None:
            continue
        turns = [str(turn["text"]) for turn in record["parsed_dialogue"]["turns"]]
        for number in range(len(turns) // 2):
            question, answer = turns[2 * number : 2 * number + 2]
            yield (
                str(record["meta_paper"]["paper_id"]),
                {
                    "id": f"{item.id}#{number}",
                    "context": record["text"],
                    "history": turns[: 2 * number],
                    "question": question,
                    "answer": answer,
                    "answerable": not is_not_enough_information(answer),
                },
            )
