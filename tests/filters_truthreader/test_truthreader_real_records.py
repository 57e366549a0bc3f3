"""The published records: no structural alarm, and the figures they were published with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.filters.truthreader import (
    PUBLISHED,
    TruthReaderSample,
    judge_truthreader,
    summarise_truthreader,
)
from generator.shapes.truthreader import check_truthreader
from parsers.citations import normalise_citations, repair_citations
from parsers.text.scripts import has_han

# What is said of their content is true: markers of a wrong document (4, 9, 11), remarks about
# citing that no document supports (7).
CONTENT = {
    4: {"wrong_document"},
    7: {"uncited_sentence"},
    9: {"wrong_document"},
    11: {"ungrounded_span", "weak_grounding", "wrong_document", "thin_margin"},
}


@pytest.fixture(scope="module")
def records(shared_data: Path) -> list[dict[str, Any]]:
    folder = shared_data / "dialogues" / "truthreader"
    return json.loads((folder / "TruthReader_training_data_sample.json").read_text("utf-8"))


def sample(record: dict[str, Any], answer: str) -> TruthReaderSample:
    return TruthReaderSample(
        record["question"],
        tuple(record["history"]),
        tuple((entry["title"], entry["document"]) for entry in record["documents"]),
        answer,
        answerable="[" in answer,
        lang="zh" if has_han(record["question"]) else "en",
    )


def test_only_the_content_of_a_few_is_refused(records):
    for number, record in enumerate(records):
        normalised = normalise_citations(record["answer"], len(record["documents"]))
        for answer in (record["answer"], normalised.text):
            verdict = judge_truthreader(sample(record, answer))
            found = {reason.code for reason in verdict.reasons}
            assert found == CONTENT.get(number, set()), (number, verdict.reasons)


def test_published_answers_are_in_the_published_form_already(records):
    changed = [
        number
        for number, record in enumerate(records)
        if normalise_citations(record["answer"], len(record["documents"])).changes
    ]
    assert changed == [9]  # one marker behind a closing quotation mark


def test_markers_that_were_taken_away_come_back_where_one_document_says_it(records):
    restored = missing = wrong = 0
    for record in records:
        documents = [(entry["title"], entry["document"]) for entry in record["documents"]]
        wanted = sample(record, record["answer"])
        bare = sample(record, repair_citations(wanted.plain_answer, documents).text)
        assert len(bare.sentences) == len(wanted.sentences)
        for was, now in zip(wanted.sentences, bare.sentences, strict=True):
            if was.numbers and now.numbers:
                restored += set(now.numbers) <= set(was.numbers)
                wrong += not set(now.numbers) <= set(was.numbers)
            elif was.numbers:
                missing += 1
    # The wrong ones are those whose published marker is of a wrong document (4, 9, 11).
    assert restored >= 75
    assert wrong <= 9
    assert missing <= 25


def test_the_figures_are_near_those_of_the_whole_sample(records):
    summary = summarise_truthreader(records)
    assert dict(summary.records) == {"en": 7, "zh": 5, "all": 12}
    rows = {row.name: row for row in summary.rows}
    for name, room in (
        ("support_mean", 0.05),
        ("support_median", 0.04),
        ("high_share", 0.04),
        ("low_share", 0.03),
        ("uncited_mean", 0.06),
    ):
        for lang in ("en", "zh"):
            assert rows[name].values[lang] == pytest.approx(PUBLISHED[name][lang], abs=room)
    assert rows["cited_to_the_end_share"].values["all"] == 1
    assert rows["refusal_share"].values["all"] == pytest.approx(1 / 12, abs=0.001)


BROKEN = {
    "odd_history": lambda record: record["history"].append("x y z"),
    "marker_in_history": lambda record: record["history"].extend(["a b c", "x y z[1]"]),
    "marker_out_of_range": lambda record: record.update(answer=record["answer"] + " x y[8]."),
    "document_count": lambda record: record["documents"].extend(record["documents"] * 4),
    "empty_question": lambda record: record.update(question=" "),
    "empty_answer": lambda record: record.update(answer="[1]"),
    "unfinished_answer": lambda record: record.update(answer=record["answer"] + "\n\nand the"),
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_fault_put_into_any_of_them_is_named(records, code):
    for record in records:
        broken = json.loads(json.dumps(record))
        BROKEN[code](broken)
        found = judge_truthreader(sample(broken, broken["answer"])).reasons
        assert code in {reason.code for reason in found}


def test_what_the_filters_accept_is_valid_in_its_shape(records):
    for record in records:
        if judge_truthreader(sample(record, record["answer"])).accepted:
            assert not list(check_truthreader(record))
