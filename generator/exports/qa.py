"""Question-answering records: one line a question with its answer, and the turns before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.store import RunStore
from parsers.text.refusals import is_not_enough_information


def qa_records(store: RunStore) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """`{"id", "context", "history", "question", "answer", "answerable"}` of accepted records.

    Of a dialogue one for each pair: `id` is `<segment id>#<n>`, n from 0, `history` the
    utterances before the question, alternating person and bot. Of a TruthReader
    record one: `context` is the shown documents, as `[n] title`, line break, text, and the
    records of one gold document never part. `answerable` is false for an answer
    that says that the text does not hold it.
    """
    for item, verdict in store.judged():
        record = verdict.record
        if not verdict.in_corpus or record is None:
            continue
        if "parsed_dialogue" in record:
            yield from _pairs(item.id, record)
        else:
            yield (
                str(item.payload["texts"][item.payload["plan"]["gold"][0]]["origin"]),
                {
                    "id": item.id,
                    "context": "\n\n".join(
                        f"[{number}] {document['title']}\n{document['document']}"
                        for number, document in enumerate(record["documents"], start=1)
                    ),
                    "history": record["history"],
                    "question": record["question"],
                    "answer": record["answer"],
                    "answerable": bool(item.payload["plan"]["answerable"]),
                },
            )


def _pairs(name: str, record: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    turns = [str(turn["text"]) for turn in record["parsed_dialogue"]["turns"]]
    for number in range(len(turns) // 2):
        question, answer = turns[2 * number : 2 * number + 2]
        yield (
            str(record["meta_paper"]["paper_id"]),
            {
                "id": f"{name}#{number}",
                "context": record["text"],
                "history": turns[: 2 * number],
                "question": question,
                "answer": answer,
                "answerable": not is_not_enough_information(answer),
            },
        )
