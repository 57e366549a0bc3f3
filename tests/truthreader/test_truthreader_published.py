"""The published records pass the validator, and each broken copy of one is named for its fault."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.collection import Collection, PassageRule, collect
from generator.shapes import validate_file
from parsers.segments import SegmentRule

Record = dict[str, Any]


@pytest.fixture(scope="module")
def published(shared_data: Path) -> list[Record]:
    path = next((shared_data / "dialogues" / "truthreader").glob("*.json"))
    records: list[Record] = json.loads(path.read_text(encoding="utf-8"))
    return records


def problems(records: list[Record]) -> list[tuple[int, str, str]]:
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    found = validate_file(io.BytesIO(text.encode()), "truthreader")
    return [(problem.line, problem.where, problem.message) for problem in found]


def test_the_published_records_are_valid(published: list[Record]) -> None:
    assert len(published) == 12
    assert problems(published) == []


def without(name: str) -> Callable[[Record], Record]:
    return lambda record: {key: value for key, value in record.items() if key != name}


def with_(**changes: Any) -> Callable[[Record], Record]:
    return lambda record: {**record, **changes}


def cites_too_far(record: Record) -> Record:
    return {**record, "answer": record["answer"] + "[9]."}


def odd_history(record: Record) -> Record:
    return {**record, "history": [*record["history"], "And then?"]}


def cited_history(record: Record) -> Record:
    return {**record, "history": [*record["history"], "And then?", "It ended[1]."]}


def document_without_text(record: Record) -> Record:
    first, *rest = record["documents"]
    return {**record, "documents": [{"title": first["title"]}, *rest]}


def document_swapped(record: Record) -> Record:
    first, *rest = record["documents"]
    turned = {"document": first["document"], "title": first["title"]}
    return {**record, "documents": [turned, *rest]}


def five_documents(record: Record) -> Record:
    return {**record, "documents": (record["documents"] * 5)[:5]}


def other_order(record: Record) -> Record:
    return dict(reversed(record.items()))


@pytest.mark.parametrize(
    ("broken", "where", "said"),
    [
        pytest.param(without("question"), "question", "the key is missing", id="no question"),
        pytest.param(without("history"), "history", "the key is missing", id="no history"),
        pytest.param(without("documents"), "documents", "the key is missing", id="no documents"),
        pytest.param(without("answer"), "answer", "the key is missing", id="no answer"),
        pytest.param(with_(lang="zh"), "lang", "no such key", id="another key"),
        pytest.param(other_order, "record", "in the order", id="order of keys"),
        pytest.param(with_(question=" "), "question", "", id="blank question"),
        pytest.param(with_(answer=None), "answer", "null", id="null answer"),
        pytest.param(with_(history="none"), "history", "expected a list", id="history is a text"),
        pytest.param(with_(history=[1, 2]), "history[0]", "the number 1", id="history of numbers"),
        pytest.param(with_(documents=[]), "documents", "", id="empty documents"),
        pytest.param(five_documents, "documents", "", id="five documents"),
        pytest.param(
            document_without_text, "documents[0].document", "missing", id="document without text"
        ),
        pytest.param(document_swapped, "documents[0]", "in the order", id="order in a document"),
        pytest.param(odd_history, "history", "come in pairs", id="odd history"),
        pytest.param(cited_history, "history[", "holds the citation [1]", id="cited history"),
        pytest.param(cites_too_far, "answer", "cites [9]", id="marker out of range"),
    ],
)
def test_a_broken_copy_of_any_published_record_is_named(
    published: list[Record], broken: Callable[[Record], Record], where: str, said: str
) -> None:
    for number, record in enumerate(published):
        if len(record["history"]) > 6 and broken in (odd_history, cited_history):
            continue
        found = problems([*published[:number], broken(record), *published[number + 1 :]])
        assert found, record["question"]
        assert {line for line, _, _ in found} == {number + 1}
        assert any(place.startswith(where) and said in message for _, place, message in found)


def test_the_documents_of_published_records_are_inputs(shared_data: Path) -> None:
    collection = Collection()
    rule = PassageRule(600, 20, SegmentRule())
    list(collect([str(shared_data / "dialogues" / "truthreader")], rule, collection))
    assert len(collection) >= 30
    for number in range(len(collection)):
        assert collection.like(collection.document(number), 4)
    collection.close()
