"""The record of TruthReader's training data, as its public sample of 20 records has it.

`{question, history[], documents[{title, document}], answer}`: history is a flat list of
utterances, user and assistant in turn, without citations, at most 8; 1 to 4
documents; the answer cites them as `[n]`, counted from 1, several as `[1][2]`
in any order. An answer without any marker is a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from generator.shapes.schema import Finding, Items, Record, Text

MAX_HISTORY = 8
MAX_DOCUMENTS = 4
_MARKER = re.compile(r"\[(\d{1,4})\]")

SHAPE = Record(
    (
        ("question", Text(filled=True)),
        ("history", Items(Text(filled=True), at_most=MAX_HISTORY)),
        (
            "documents",
            Items(
                Record((("title", Text()), ("document", Text(filled=True)))),
                at_least=1,
                at_most=MAX_DOCUMENTS,
            ),
        ),
        ("answer", Text(filled=True)),
    )
)


def truthreader_record(
    *,
    question: str,
    history: Sequence[str],
    documents: Iterable[tuple[str, str]],
    answer: str,
) -> dict[str, Any]:
    """Build one record; `documents` are (title, text)."""
    return {
        "question": question,
        "history": list(history),
        "documents": [{"title": title, "document": text} for title, text in documents],
        "answer": answer,
    }


def check_truthreader(value: Any) -> Iterator[Finding]:
    """Every departure of one record: keys, order, types, then history and citations."""
    findings = list(SHAPE.check(value, ""))
    yield from findings
    if not all(finding.only_order for finding in findings):
        return
    history, documents = value["history"], value["documents"]
    if len(history) % 2:
        yield Finding("history", f"{len(history)} utterances; user and assistant come in pairs")
    for i, utterance in enumerate(history):
        marker = _MARKER.search(utterance)
        if i % 2 and marker is not None:
            yield Finding(f"history[{i}]", f"holds the citation {marker.group()}")
    for marker in _MARKER.finditer(value["answer"]):
        if not 1 <= int(marker.group(1)) <= len(documents):
            message = f"cites {marker.group()}, but there are {len(documents)} documents"
            yield Finding("answer", message)
