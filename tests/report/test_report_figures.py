"""Lengths and figures beside the published ones: of runs, and of any file of records."""

from __future__ import annotations

import json
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import Made, made_run

from generator.cli import main
from generator.report.figures import gather
from generator.report.file_figures import measure_file
from generator.report.funnel import funnel
from generator.report.plots import bin_edges
from generator.report.shape_table import ShapeTable
from generator.report.spread import Spread
from generator.store import RunStore


def cited(number: int, **changes: Any) -> dict[str, Any]:
    """A record of the truthreader shape; `number` sets how long its answer is."""
    documents = [
        {"title": "Kettle", "document": "The kettle boils water in four minutes on any stove."},
        {"title": "", "document": "Cups are kept on the upper shelf beside the window."},
    ]
    answer = "The kettle boils water in four minutes[1]. " * number
    return {"question": "How long does the kettle take?", "history": [], "documents": documents,
            "answer": answer.strip(), **changes}  # fmt: skip


CHINESE = {
    "question": "水壶需要多长时间？", "history": ["这是什么？", "一个水壶。"],
    "documents": [{"title": "水壶", "document": "水壶在四分钟内把水烧开。"}],
    "answer": "水壶在四分钟内把水烧开[1]。",
}  # fmt: skip


def lines(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(v, ensure_ascii=False) + "\n" for v in values), "utf-8")
    return path


def cells(table: ShapeTable | None, label: str) -> list[tuple[str, str]]:
    assert table is not None
    (row,) = [row for row in table.rows if row.label == label]
    return [(cell.here, cell.published) for cell in row.cells]


REFUSAL = cited(1, answer="I am sorry, the documents do not say this. They are about kettles.")


def test_records_stand_beside_the_published_sample_by_language(tmp_path: Path) -> None:
    path = lines(tmp_path / "f.jsonl", cited(2), REFUSAL, CHINESE)
    table = measure_file(path, "truthreader").shape_figures
    assert table is not None
    assert table.columns == ("English (2)", "Chinese (1)", "all (3)")
    assert cells(table, "documents per record") == [("2", "2.7"), ("1", "2.4"), ("1.67", "")]
    assert cells(table, "refusals") == [("50.0%", ""), ("0.0%", ""), ("33.3%", "5.0%")]
    assert cells(table, "histories of 2 strings")[1] == ("100.0%", "10.0%")
    assert cells(table, "precision of cited spans, mean")[0] == ("1.00", "0.84")
    assert cells(table, "documents that are never cited")[2] == ("60.0%", "41.0%")


def test_a_run_of_cited_answers_is_measured_in_its_own_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    latin = {**CHINESE, "question": "CPU?"}
    run = made_run(
        tmp_path / "run",
        [Made("a", record=CHINESE), Made("b", record=latin),
         Made("no", "rejected", ("filter/echo",), record=cited(9))],
        shape="truthreader", recipe="truthreader", settings={"lang": "zh"},
    )  # fmt: skip
    table = gather(run).shape_figures
    assert table is not None
    assert table.columns == ("Chinese (2)",)
    assert cells(table, "documents per record") == [("1", "2.4")]
    assert main(["report", str(run)]) == 0
    assert "citation groups per answer" in capsys.readouterr().out
    assert "Beside the published sample" in (run / "report.html").read_text("utf-8")


def test_where_all_are_of_one_language_there_is_one_column(tmp_path: Path) -> None:
    table = measure_file(lines(tmp_path / "f.jsonl", cited(1), cited(3)), "truthreader")
    assert table.shape_figures is not None
    assert table.shape_figures.columns == ("English (2)",)
    assert cells(table.shape_figures, "refusals") == [("0.0%", "5.0%")]
    assert cells(table.shape_figures, "citation groups per answer") == [("2", "11.8")]


def test_the_real_sample_is_near_its_published_figures(shared_data: Path) -> None:
    path = shared_data / "dialogues/truthreader/TruthReader_training_data_sample.json"
    found = measure_file(path, "truthreader")
    assert (found.records, found.left_out) == (12, 0)
    for label in ("precision of cited spans, mean", "precision of cited spans, median"):
        for here, published in cells(found.shape_figures, label)[:2]:
            assert abs(float(here) - float(published)) < 0.05


def test_both_tables_count_the_tokens_of_an_answer_alike(tmp_path: Path) -> None:
    found = measure_file(lines(tmp_path / "f.jsonl", cited(2)), "truthreader")
    (answer,) = [d for d in found.lengths if d.name == "answer_tokens"]
    assert answer.spread.mean == 14
    assert cells(found.shape_figures, "tokens per answer")[0][0] == "14"


@pytest.mark.parametrize("form", ["lines", "array"])
def test_a_file_is_measured_whatever_its_form(tmp_path: Path, form: str) -> None:
    records = [cited(n + 1) for n in range(3)]
    path = tmp_path / "f.json"
    if form == "array":
        path.write_text(json.dumps(records, indent=1), "utf-8")
    else:
        lines(path, *records)
    found = measure_file(path, "truthreader")
    assert (found.records, found.left_out, found.faults) == (3, 0, ())
    assert [d.spread.count for d in found.lengths if d.name == "document_tokens"] == [6]


def test_records_without_the_shape_are_left_out_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {**cited(1), "answer": 7}
    path = lines(tmp_path / "f.jsonl", cited(1), bad, *[{}] * 8)
    with path.open("a", encoding="utf-8") as file:
        file.write("{half\n")
    found = measure_file(path, "truthreader")
    assert (found.records, found.left_out, len(found.faults)) == (1, 10, 5)
    assert (found.faults[0].line, found.faults[0].where) == (2, "answer")
    assert main(["report", str(path), "--shape", "truthreader"]) == 1
    shown = capsys.readouterr().out
    assert "10 left out" in shown
    assert "line 2: answer: expected a string, found" in shown
    assert "dialogsmith validate --shape truthreader" in shown


@pytest.mark.parametrize("shape", ["paperpersichat", "truthreader", "averitec"])
def test_an_empty_file_has_no_figures_and_says_so(
    tmp_path: Path, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lines(tmp_path / "empty.jsonl")
    page = tmp_path / "page.html"
    assert main(["report", str(path), "--shape", shape, "--html", str(page)]) == 1
    assert "0 records" in capsys.readouterr().out
    assert "holds no record" in page.read_text("utf-8")


def test_the_page_of_a_file_escapes_what_it_shows(tmp_path: Path) -> None:
    name = tmp_path / "<script>x<&.jsonl"
    lines(name, {**cited(1), "<img src=x onerror=1>": 1}, cited(1))
    page = tmp_path / "page.html"
    assert main(["report", str(name), "--shape", "truthreader", "--html", str(page)]) == 1
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert "<img" not in text
    assert "&lt;script&gt;x&lt;&amp;.jsonl" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["FILE"], "--shape paperpersichat"),
        (["FILE", "--shape", "truthreader", "--show", "2"], "--show is for runs"),
        (["DIR", "--shape", "truthreader"], "--shape is for files"),
        (["nothing"], "no run directory"),
    ],
    ids=["no shape", "show", "shape of a run", "nothing there"],
)
def test_wrong_use_is_told_in_a_sentence(
    tmp_path: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {
        "FILE": str(lines(tmp_path / "f.jsonl", cited(1))),
        "DIR": str(made_run(tmp_path / "run", [])),
        "nothing": str(tmp_path / "nothing"),
    }
    assert main(["report", *(places.get(a, a) for a in arguments)]) == 2
    assert words in capsys.readouterr().err


def test_lengths_stand_beside_the_published_ones_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = [{"speaker": "person", "text": "Why so?"}, {"speaker": "bot", "text": "Because 水壶."}]
    dialogue = {"text": "One two three.", "parsed_dialogue": {"summary": "Four words are here.",
                                                              "turns": turns * 3}}  # fmt: skip
    run = made_run(tmp_path / "run", [Made("a", record=dialogue)])
    page = tmp_path / "elsewhere.html"
    assert main(["report", str(run), "--html", str(page)]) == 0
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "segment, tokens 1 3 3 3 626 / 588 / 1,242" in shown
    assert "answer, tokens 3 3 3 3 53.6 / 43 / 123" in shown
    assert "pairs of a dialogue 1 3 3 3 3.89 / – / –" in shown
    assert any("78.5%" in line for line in shown)
    assert page.is_file()
    assert not (run / "report.html").exists()


reasons = st.dictionaries(
    st.tuples(
        st.sampled_from(["prepare", "call", "turn", "parse", "filter", "corpus", "person", "own"]),
        st.sampled_from(["a", "b", "c"]),
    ),
    st.integers(0, 50),
    max_size=12,
)


@settings(deadline=None, max_examples=100)
@given(reasons, *[st.integers(0, 40)] * 3)
def test_a_funnel_takes_every_item_away_once(
    first: dict[tuple[str, str], int], accepted: int, failed: int, pending: int
) -> None:
    refused = sum(first.values())
    counts = {"items": accepted + failed + pending + refused, "accepted": accepted,
              "rejected": refused, "failed": failed, "pending": pending}  # fmt: skip
    steps = funnel(counts, [(*name, count) for name, count in first.items()])
    assert steps[0].left == counts["items"]
    assert steps[-1].left == steps[-2].left == accepted
    for before, after in pairwise(steps):
        assert after.left == before.left - after.dropped
    stages = [s.name.split("/")[0] for s in steps if s.kind == "reason"]
    order = {"filter": 0, "own": 0, "corpus": 1, "person": 2}
    assert [order[stage] for stage in stages] == sorted(order[stage] for stage in stages)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.integers(0, 100_000) | st.floats(0, 1) | st.floats(0, 1e9), min_size=1, max_size=60)
)
def test_bins_hold_all_values_and_are_few(values: list[float]) -> None:
    spread = Spread(values)
    edges = bin_edges(spread)
    assert 2 <= len(edges) <= 30
    assert edges == sorted(set(edges))
    assert edges[0] <= min(values)
    assert sum(spread.histogram(edges)) == len(values)


def test_what_is_asked_in_one_moment_is_of_one_commit(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", [Made(str(n)) for n in range(3)])
    store = RunStore(run / "store.sqlite", create=False, writable=False)
    with store.one_moment():
        before = store.counts()
        other = sqlite3.connect(run / "store.sqlite")
        other.execute("UPDATE items SET state = 'pending'")
        other.commit()
        other.close()
        assert store.counts() == before
    assert store.counts() != before
    store.close()
