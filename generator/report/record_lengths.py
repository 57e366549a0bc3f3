"""Lengths of the records of a shape, each with what was published of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.report.published import PAPERPERSICHAT, Published
from generator.report.spread import Spread
from parsers.text.tokens import tokens

_MARKER = re.compile(r"\[\d{1,4}\]")
"""A citation, which is no word of an answer."""

Lengths = Iterator[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Distribution:
    """How one length spreads over the records: its name, unit, values, and what was published."""

    name: str
    label: str
    unit: str
    spread: Spread
    published: Published | None = None


LABELS: Mapping[str, tuple[str, str]] = {
    "segment_tokens": ("segment", "tokens"),
    "summary_tokens": ("summary", "tokens"),
    "question_tokens": ("question", "tokens"),
    "answer_tokens": ("answer", "tokens"),
    "document_tokens": ("document", "tokens"),
    "claim_tokens": ("claim", "tokens"),
    "evidence_tokens": ("piece of evidence", "tokens"),
    "pairs": ("pairs of a dialogue", "pairs"),
    "documents": ("documents of a record", "documents"),
    "history": ("earlier utterances of a record", "utterances"),
    "evidences": ("evidence of a claim", "pieces"),
}


class RecordLengths:
    """Is shown the records of one shape, one by one; memory stays flat."""

    def __init__(self, shape: str) -> None:
        self._measure = _MEASURES.get(shape, _nothing)
        self._published = PAPERPERSICHAT if shape == "paperpersichat" else {}
        self._spreads: dict[str, Spread] = {}
        self.records = 0

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one record, which must have the shape."""
        self.records += 1
        for name, length in self._measure(record):
            self._spreads.setdefault(name, Spread()).add(length)

    def distributions(self) -> tuple[Distribution, ...]:
        """In the order in which a record is read."""
        return tuple(
            Distribution(name, *LABELS[name], self._spreads[name], self._published.get(name))
            for name in LABELS
            if name in self._spreads
        )


def _paperpersichat(record: Mapping[str, Any]) -> Lengths:
    parsed = record["parsed_dialogue"]
    yield "segment_tokens", len(tokens(record["text"]))
    yield "summary_tokens", len(tokens(parsed["summary"]))
    pairs = 0
    for turn in parsed["turns"]:
        answer = turn["speaker"] == "bot"
        pairs += answer
        yield "answer_tokens" if answer else "question_tokens", len(tokens(turn["text"]))
    yield "pairs", pairs


def _truthreader(record: Mapping[str, Any]) -> Lengths:
    yield "question_tokens", len(tokens(record["question"]))
    yield "answer_tokens", len(tokens(_MARKER.sub("", record["answer"])))
    for document in record["documents"]:
        yield "document_tokens", len(tokens(document["document"]))
    yield "documents", len(record["documents"])
    yield "history", len(record["history"])


def _averitec(record: Mapping[str, Any]) -> Lengths:
    yield "claim_tokens", len(tokens(record["claim"]))
    for text in record["evidences_content"]:
        yield "evidence_tokens", len(tokens(text))
    yield "evidences", len(record["evidences_content"])


def _nothing(_: Mapping[str, Any]) -> Lengths:
    return iter(())


_MEASURES: Mapping[str, Callable[[Mapping[str, Any]], Lengths]] = {
    "paperpersichat": _paperpersichat,
    "truthreader": _truthreader,
    "averitec": _averitec,
}
