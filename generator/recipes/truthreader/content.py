"""What the store keeps of an item of this recipe, and the item that is read back from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """A document of an item: what is written of it, and where it came from."""

    id: str
    title: str
    text: str
    origin: str
    path: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier question and answer: the document it is about, and the kind of question."""

    source: Source
    question_type: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """All that was drawn for one item before any call.

    `shown` are the documents in the order in which the answerer sees them,
    `gold` those the question is written from; where `answerable` is false, none
    of `gold` is shown.
    """

    id: str
    seed: int
    number: int
    question_type: str
    answerable: bool
    shown: tuple[Source, ...]
    gold: tuple[Source, ...]
    history: tuple[Exchange, ...]

    @property
    def gold_numbers(self) -> tuple[int, ...]:
        """The numbers (from 1) under which the gold documents are shown."""
        ids = {source.id for source in self.gold}
        return tuple(n for n, source in enumerate(self.shown, start=1) if source.id in ids)


def to_content(assignment: Assignment) -> dict[str, Any]:
    """As JSON: every text once, and a `plan` that names them by id."""
    sources = (*assignment.shown, *assignment.gold, *(e.source for e in assignment.history))
    return {
        "id": assignment.id,
        "texts": {
            source.id: {
                "title": source.title,
                "document": source.text,
                "origin": source.origin,
                "path": source.path,
                "line": source.line,
            }
            for source in sources
        },
        "plan": {
            "seed": assignment.seed,
            "number": assignment.number,
            "question_type": assignment.question_type,
            "answerable": assignment.answerable,
            "documents": [source.id for source in assignment.shown],
            "gold": [source.id for source in assignment.gold],
            "gold_numbers": list(assignment.gold_numbers),
            "history": [
                {"document": e.source.id, "question_type": e.question_type}
                for e in assignment.history
            ],
        },
    }


def from_content(content: Mapping[str, Any]) -> Assignment:
    """The assignment that `to_content` wrote."""
    texts = content["texts"]
    sources = {
        id_: Source(id_, t["title"], t["document"], t["origin"], t["path"], t["line"])
        for id_, t in texts.items()
    }
    plan = content["plan"]
    return Assignment(
        id=content["id"],
        seed=plan["seed"],
        number=plan["number"],
        question_type=plan["question_type"],
        answerable=plan["answerable"],
        shown=tuple(sources[id_] for id_ in plan["documents"]),
        gold=tuple(sources[id_] for id_ in plan["gold"]),
        history=tuple(
            Exchange(sources[e["document"]], e["question_type"]) for e in plan["history"]
        ),
    )
