"""Output shapes: builders give what the validators ask for; faults are named with their place."""

from __future__ import annotations

import copy
import io
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonlines
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.shapes import (
    SHAPES,
    averitec_record,
    dump_record,
    paperpersichat_record,
    truthreader_record,
    validate_file,
)
from parsers.dialogue.model import Dialogue, Turn
from parsers.segments import SectionRef, Segment

PAGE = Path(__file__).resolve().parents[1] / "docs" / "formats.md"

SEGMENT = Segment(
    id="p1_0",
    paper_id="p1",
    paper_title="A Cache for the Edge 边缘缓存",
    text="Edge servers keep a small copy.",
    sections=(SectionRef("p1_0", "Abstract", "abstract"), SectionRef("p1_1", "", "introduction")),
)
DIALOGUE = Dialogue(
    "A cache.", (Turn("person", "Is it small?"), Turn("bot", "Yes.", (3, 7))), (0, 8)
)
RECORDS: dict[str, dict[str, Any]] = {
    "paperpersichat": paperpersichat_record(SEGMENT, "Summary: A cache.\n…", DIALOGUE),
    "truthreader": truthreader_record(
        question="哪一个更快？",
        history=["你好", "你好！"],
        documents=[("", "第一个文件。"), ("B", "The second one is faster.")],
        answer="The second one[2][1]。",
    ),
    "averitec": averitec_record(
        claim_id=3,
        claim={"claim": "Trees doubled.", "speaker": "A mayor", "questions": []},
        search_queries=["tree register"],
        evidences=[
            (
                {"search_string": "A mayor Trees doubled.", "search_type": "claim+author"},
                "The register lists a thousand more.",
            )
        ],
    ),
}


def problems(data: bytes | str, shape: str, **options: bool) -> list[tuple[int, str, str]]:
    stream = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return [(p.line, p.where, p.message) for p in validate_file(stream, shape, **options)]


def lines(*records: Any) -> str:
    return "".join(dump_record(record) + "\n" for record in records)


@pytest.mark.parametrize("shape", sorted(SHAPES))
@pytest.mark.parametrize(
    "written",
    [
        pytest.param(lambda r: lines(r, r), id="lines"),
        pytest.param(lambda r: lines(r, r).removesuffix("\n"), id="no-last-line-end"),
        pytest.param(lambda r: "\ufeff" + lines(r, r).replace("\n", "\r\n"), id="bom-crlf"),
        pytest.param(lambda r: "\n" + lines(r) + "\n\n" + lines(r) + " \n", id="blank-lines"),
        pytest.param(lambda r: json.dumps([r, r]), id="array"),
        pytest.param(lambda r: "\ufeff\n" + json.dumps([r, r], indent=2) + "\n", id="pretty-array"),
        pytest.param(lambda r: json.dumps(r, indent=1), id="one-pretty-object"),
    ],
)
def test_what_is_built_is_valid_in_every_file_form(
    shape: str, written: Callable[[Any], str]
) -> None:
    assert problems(written(RECORDS[shape]), shape) == []


def test_the_paperpersichat_record_is_exact() -> None:
    assert dump_record(RECORDS["paperpersichat"]) == (
        '{"text": "Edge servers keep a small copy.", "dialogue": "Summary: A cache.\\n…", '
        '"meta_segments": [{"id": "p1_0", "title": "Abstract", "section_type": "abstract"}, '
        '{"id": "p1_1", "title": "", "section_type": "introduction"}], '
        '"meta_paper": {"title": "A Cache for the Edge 边缘缓存", "paper_id": "p1"}, '
        '"parsed_dialogue": {"summary": "A cache.", "turns": [{"speaker": "person", "text": '
        '"Is it small?"}, {"speaker": "bot", "text": "Yes."}]}}'
    )


def test_the_averitec_record_has_every_key_even_where_nothing_is_known() -> None:
    record = RECORDS["averitec"]
    assert list(record)[:3] == ["claim_id", "claim", "required_reannotation"]
    assert record["label"] is None
    assert record["claim_types"] == []
    assert record["evidences_metadata"][0]["url"] is None
    assert "questions" not in record


def changed(shape: str, change: Callable[[dict[str, Any]], Any]) -> str:
    record = copy.deepcopy(RECORDS[shape])
    change(record)
    return lines(RECORDS[shape], record)


def reordered(record: dict[str, Any]) -> None:
    record["question"] = record.pop("question")


FAULTS: list[tuple[str, Callable[[dict[str, Any]], Any], str, str]] = [
    ("paperpersichat", lambda r: r.pop("text"), "text", "the key is missing"),
    ("paperpersichat", lambda r: r.update(id=1), "id", "the shape has no such key"),
    ("paperpersichat", lambda r: r.update(text=None), "text", "expected a string, found null"),
    (
        "paperpersichat",
        lambda r: r["meta_segments"][1].update(section_type="method"),
        "meta_segments[1].section_type",
        'expected "abstract" or "introduction"',
    ),
    (
        "paperpersichat",
        lambda r: r["meta_paper"].update(title=7),
        "meta_paper.title",
        "expected a string, found the number 7",
    ),
    (
        "paperpersichat",
        lambda r: r["parsed_dialogue"]["turns"][1].update(speaker="assistant"),
        "parsed_dialogue.turns[1].speaker",
        'expected "person" or "bot", found "assistant"',
    ),
    (
        "paperpersichat",
        lambda r: r["parsed_dialogue"]["turns"].reverse(),
        "parsed_dialogue.turns[0].speaker",
        'expected "person", found "bot"',
    ),
    (
        "paperpersichat",
        lambda r: r["parsed_dialogue"]["turns"].append({"speaker": "person", "text": "So?"}),
        "parsed_dialogue.turns",
        "3 turns",
    ),
    (
        "paperpersichat",
        lambda r: r["parsed_dialogue"]["turns"][0].update(text=" "),
        "parsed_dialogue.turns[0].text",
        "expected a text, found an empty string",
    ),
    ("paperpersichat", lambda r: r.update(meta_segments={}), "meta_segments", "expected a list"),
    ("truthreader", reordered, "record", "the keys stand in the order history, documents"),
    ("truthreader", lambda r: r["history"].pop(), "history", "come in pairs"),
    ("truthreader", lambda r: r.update(history=["a"] * 10), "history", "at most 8 entries"),
    ("truthreader", lambda r: r.update(documents=[]), "documents", "at least 1 entries"),
    (
        "truthreader",
        lambda r: r["history"].__setitem__(1, "It is[1]."),
        "history[1]",
        "holds the citation [1]",
    ),
    ("truthreader", lambda r: r.update(answer="So[3]."), "answer", "cites [3], but there are 2"),
    ("truthreader", lambda r: r.update(answer="So[0]."), "answer", "cites [0]"),
    (
        "truthreader",
        lambda r: r["documents"][0].update(title=None),
        "documents[0].title",
        "expected a string, found null",
    ),
    ("averitec", lambda r: r.update(claim_id="3"), "claim_id", "expected a whole number"),
    ("averitec", lambda r: r.update(claim_id=True), "claim_id", "expected a whole number"),
    ("averitec", lambda r: r.update(claim_id=2**63), "claim_id", "at most 64 bits"),
    ("averitec", lambda r: r.update(label="True"), "label", 'expected "Supported" or "Refuted"'),
    (
        "averitec",
        lambda r: r.update(required_reannotation="no"),
        "required_reannotation",
        "expected true or false",
    ),
    (
        "averitec",
        lambda r: r["evidences_content"].append("More."),
        "evidences_content",
        "2 texts for 1 entries",
    ),
    (
        "averitec",
        lambda r: r["evidences_metadata"][0].update(search_string="other"),
        "evidences_metadata[0].search_string",
        "neither the claim",
    ),
    (
        "averitec",
        lambda r: r["evidences_metadata"][0].pop("date"),
        "evidences_metadata[0].date",
        "the key is missing",
    ),
]


@pytest.mark.parametrize(
    ("shape", "change", "where", "message"),
    [pytest.param(*fault, id=f"{fault[0]}-{fault[2]}-{i}") for i, fault in enumerate(FAULTS)],
)
def test_a_fault_is_named_with_line_path_and_expectation(
    shape: str, change: Callable[[dict[str, Any]], Any], where: str, message: str
) -> None:
    found = problems(changed(shape, change), shape)
    assert [(line, path) for line, path, _ in found] == [(2, where)]
    assert message in found[0][2]


def test_another_order_of_keys_passes_without_strict() -> None:
    assert problems(changed("truthreader", reordered), "truthreader", strict=False) == []


def test_what_published_files_have_beside_the_shape_is_passed_over() -> None:
    record = copy.deepcopy(RECORDS["paperpersichat"])
    record["meta_paper"]["title"] = float("nan")
    record["meta_segments"][0]["title"] = None
    record["parsed_dialogue"]["correct_order"] = True
    record["used_summary"] = "A cache."
    assert problems(json.dumps([record]), "paperpersichat") == []


GOOD = dump_record(RECORDS["truthreader"])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"", (1, "file", "holds no record"), id="empty"),
        pytest.param(b"\xef\xbb\xbf \r\n\n", (1, "file", "holds no record"), id="blank"),
        pytest.param(b"[ ]", (1, "file", "holds no record"), id="empty-array"),
        pytest.param(f"{GOOD}\n[1]\n", (2, "record", "found a list of 1"), id="a-list-line"),
        pytest.param(f"{GOOD}\n\n7\n", (3, "record", "found the number 7"), id="a-number-line"),
        pytest.param(f'"x"\n{GOOD}', (1, "record", 'found "x"'), id="a-text-line"),
        pytest.param(f"{GOOD}\n{GOOD[:-5]}", (2, "record", "not JSON"), id="torn-last-line"),
        pytest.param(f"{GOOD[:-5]}\n{GOOD}", (1, "record", "not JSON"), id="torn-first-line"),
        pytest.param(f"{GOOD}{GOOD}\n", (1, "record", "not JSON"), id="two-in-a-line"),
        pytest.param(b"\xff\n" + GOOD.encode(), (1, "record", "not UTF-8: byte 1"), id="bytes"),
        pytest.param(f"[{GOOD},\n{GOOD}\n{GOOD}]", (3, "record", "a comma"), id="array-no-comma"),
        pytest.param(f"[{GOOD},\n{GOOD[:-9]}", (2, "record", "not JSON"), id="array-torn"),
        pytest.param(f"[{GOOD}]\n{GOOD}", (2, "record", "after the end"), id="array-and-more"),
        pytest.param(f"[\n\n5,{GOOD}]", (3, "record", "found the number 5"), id="array-number"),
        pytest.param(b"[" + GOOD.encode() + b",\n\xff]", (2, "record", "UTF-8"), id="array-bytes"),
        pytest.param("[" * 90_000, (1, "record", "too deeply"), id="deep-array"),
        pytest.param('{"a":' * 90_000, (1, "record", "too deeply"), id="deep-object"),
        pytest.param(
            GOOD.replace('"title": "B"', '"title": "B", "title": "C"'),
            (1, "record", 'the key "title" stands twice'),
            id="key-twice",
        ),
        pytest.param(
            GOOD.replace('"B"', '"\\ud83d!"'),
            (1, "documents[1].title", "lone surrogate"),
            id="lone-surrogate",
        ),
        pytest.param(
            GOOD.replace('"B"', "NaN"), (1, "documents[1].title", "NaN, which is not"), id="nan"
        ),
    ],
)
def test_a_broken_file_is_a_problem_with_its_line(
    data: bytes | str, expected: tuple[int, str, str]
) -> None:
    found = problems(data, "truthreader")
    assert len(found) == 1
    assert found[0][:2] == expected[:2]
    assert expected[2] in found[0][2]


def test_a_bad_line_does_not_hide_the_next() -> None:
    found = problems(f"{GOOD}\n{{bad\n{GOOD}\n{{worse\n", "truthreader")
    assert [line for line, _, _ in found] == [2, 4]


def test_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    record = {**RECORDS["truthreader"], "question": "a\u2028b\u2029c\x85d"}
    path = tmp_path / "lines.jsonl"
    path.write_bytes(lines(record, record).encode())
    assert list(validate_file(path, "truthreader")) == []
    with jsonlines.open(path) as reader:
        assert list(reader) == [record, record]


def test_an_array_in_one_line_is_read_bit_by_bit() -> None:
    class Counting(io.BytesIO):
        most = 0

        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            self.most = max(self.most, len(data))
            return data

    count = 30_000
    stream = Counting(b"[" + b", ".join([GOOD.encode()] * count) + b"]")
    start = time.process_time()
    assert list(validate_file(stream, "truthreader")) == []
    assert 0 < stream.most <= 1 << 20
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param({"a": "é水👍"}, '{"a": "é水👍"}', id="as-it-is"),
        pytest.param({"a": "\ud800"}, '{"a": "\ufffd"}', id="lone"),
        pytest.param({"a": "\ud83d\ude00\udc00"}, '{"a": "😀\ufffd"}', id="pair-and-lone"),
        pytest.param({"a": "x\ny\u2028"}, '{"a": "x\\ny\u2028"}', id="line-ends"),
    ],
)
def test_dump_record(value: Any, written: str) -> None:
    assert dump_record(value) == written


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_json_is_never_written(value: float) -> None:
    with pytest.raises(ValueError):
        dump_record({"a": value})


@settings(deadline=None, max_examples=100)
@given(
    st.text(st.characters(), min_size=1), st.binary(max_size=60), st.sampled_from(sorted(SHAPES))
)
def test_any_text_is_dumped_in_one_line_and_any_bytes_are_judged(
    text: str, data: bytes, shape: str
) -> None:
    line = dump_record({"text": text})
    assert "\n" not in line
    json.loads(line.encode())
    for prefix in (b"", b"[", b"{"):
        assert problems(prefix + data, shape)


def test_the_published_samples_are_valid(shared_data: Path) -> None:
    folder = shared_data / "dialogues"
    published = {
        folder / "paperpersichat" / "davinci_notebook_record.json": "paperpersichat",
        folder / "truthreader" / "TruthReader_training_data_sample.json": "truthreader",
    }
    for path, shape in published.items():
        assert list(validate_file(path, shape)) == []


def test_records_built_from_real_claims_are_valid(shared_data: Path) -> None:
    path = shared_data / "evidence" / "averitec" / "averitec_dev.json"
    claims = json.loads(path.read_text("utf-8"))
    assert len(claims) >= 100
    records = [
        averitec_record(claim_id=i, claim=claim, search_queries=[], evidences=[])
        for i, claim in enumerate(claims)
    ]
    assert problems(lines(*records), "averitec") == []


def test_examples_on_the_page_are_valid() -> None:
    page = PAGE.read_text("utf-8").split("## Shapes")[1]
    examples = re.findall(r"^### (\w+)\n.*?```json\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert {shape for shape, _ in examples} == set(SHAPES)
    for shape, example in examples:
        assert problems(example, shape) == []


def test_the_page_names_every_measure_of_the_filters() -> None:
    from generator.filters import DialogueSample, ReferenceText, run_filters

    sample = DialogueSample(
        SEGMENT.text,
        Dialogue("A small copy.", (Turn("person", "Why?"), Turn("bot", "Edge servers keep it."))),
        example=ReferenceText.of("Another text."),
    )
    table = PAGE.read_text("utf-8").split("### Measures")[1].split("Self-play adds:")[0]
    named = set(re.findall(r"`(\w+)`", table))
    assert named - {"measures"} == set(run_filters(sample).measures)
