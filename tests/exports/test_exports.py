"""Exports for training: what is in them, and splits that never part a paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import generator
from generator.errors import WrongUse
from generator.exports.splits import Split, parse_split
from generator.exports.write import export_run

SENTENCES = " ".join(
    [
        "The pump measures the flow of water twice a second.",
        "A valve closes when the flow falls below four litres.",
        "Tests ran for nine days on a farm beside the river.",
        "The valve closed eleven times and never by mistake.",
    ]
    * 8
)
GOOD = (
    "Summary: The text describes a pump whose valve closes when the flow of water falls.\n"
    "Person: How often is the flow measured?\nYou: The flow of water is measured twice a second.\n"
    "Person: When does the valve close?\nYou: It closes when the flow falls below four litres.\n"
    "Person: Who paid for the tests?\nYou: There is not enough information in the text.\n"
)
CUT = "Summary: A pump with a valve is described here.\n\nPerson: How often"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Six papers of two segments each; every third output is cut off after its summary."""
    with (tmp_path / "p.jsonl").open("w", encoding="utf-8") as file:
        for number in range(6):
            sections = [
                {"heading": "Introduction", "text": f"Pump {number}. {SENTENCES}"},
                {"heading": "Results", "text": f"Outcome {number}. {SENTENCES}"},
            ]
            sections += [{"heading": "Acknowledgements", "text": "Thanks."}] * 3
            paper = {"title": f"P{number}", "abstract": "A pump.", "sections": sections}
            file.write(json.dumps(paper) + "\n")
    with (tmp_path / "s.jsonl").open("w", encoding="utf-8") as file:
        for number in range(6):
            for name in ("Pump", "Outcome"):
                cut = number % 3 == 2
                text = CUT if cut else GOOD.replace("a pump", f"pump {number} of kind {name}")
                line = {"match": {"contains": f"{name} {number}."}, "text": text}
                file.write(json.dumps(line) + "\n")
    out = tmp_path / "run"
    generator.generate("paperpersichat-davinci", tmp_path / "p.jsonl", out=out,
                       model=f"scripted:{tmp_path / 's.jsonl'}")  # fmt: skip
    return out


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_summaries_of_rejected_outputs_are_exported_too(run: Path, tmp_path: Path) -> None:
    assert export_run(run, "summarization", tmp_path / "sum.jsonl") == {"all": 12}
    records = lines(tmp_path / "sum.jsonl")
    assert list(records[0]) == ["id", "text", "summary"]
    assert sum(r["summary"] == "A pump with a valve is described here." for r in records) == 4


def test_one_line_a_pair_with_the_turns_before_it(run: Path, tmp_path: Path) -> None:
    assert export_run(run, "qa", tmp_path / "qa.jsonl") == {"all": 24}
    first, second, third = lines(tmp_path / "qa.jsonl")[:3]
    assert first["history"] == []
    assert second["history"] == [first["question"], first["answer"]]
    assert (third["id"][-2:], third["answerable"]) == ("#2", False)
    assert first["answerable"]
    assert "Pump 0." in first["context"]


@pytest.mark.parametrize("to", ["qa", "summarization"])
def test_a_paper_is_never_parted(run: Path, tmp_path: Path, to: str) -> None:
    counts = export_run(run, to, tmp_path / "out", parse_split("train=0.5,valid=0.5", 3))
    papers = {
        part: {
            r["id"].split("#")[0].rsplit("_", 1)[0]
            for r in lines(tmp_path / "out" / f"{part}.jsonl")
        }
        for part in counts
    }
    assert papers["train"]
    assert papers["valid"]
    assert not papers["train"] & papers["valid"]


@given(st.lists(st.text(max_size=30), unique=True, max_size=40), st.integers(0, 99))
def test_the_part_of_a_paper_depends_on_nothing_but_seed_and_id(
    papers: list[str], seed: int
) -> None:
    split = Split((("train", 0.7), ("valid", 0.2), ("test", 0.1)), seed)
    one = {paper: split.part_of(paper) for paper in papers}
    assert {paper: split.part_of(paper) for paper in reversed(papers)} == one


def test_shares_are_met_on_many_papers() -> None:
    split = parse_split("train=0.9,valid=0.1")
    drawn = [split.part_of(f"paper{n}") for n in range(5000)]
    assert 0.88 < drawn.count("train") / 5000 < 0.92


@pytest.mark.parametrize(
    "text",
    ["train", "train=1.5", "train=0.5", "a=0.5,a=0.5", "../x=0.5,b=0.5", "a=x,b=1", "a=0,b=1"],
)
def test_a_wrong_split_is_refused(text: str) -> None:
    with pytest.raises(WrongUse, match="--split"):
        parse_split(text)


def test_an_unknown_format_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="summarization"):
        export_run(run, "parquet", tmp_path / "x")
