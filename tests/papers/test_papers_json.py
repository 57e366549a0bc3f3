"""Each JSON format: what the reader makes of the shapes it comes in."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from parsers.papers import FORMATS, Paper, Unread

from .conftest import RECORDS, Read, Record


def paper_of(results: list[Paper | Unread]) -> Paper:
    [result] = results
    assert isinstance(result, Paper), result
    return result


def texts(paper: Paper) -> list[str]:
    return [section.text for section in paper.sections]


def titles(paper: Paper) -> list[str]:
    return [section.title for section in paper.sections]


def types(paper: Paper) -> list[str]:
    return [section.section_type for section in paper.sections]


def doc2json(parse: str, body: list[Record], **more: Any) -> str:
    return json.dumps({"paper_id": "p", "title": "T", parse: {"body_text": body, **more}})


@pytest.mark.parametrize("name", RECORDS)
def test_each_format_gives_abstract_and_methods(name: str, read: Read) -> None:
    paper = paper_of(read(json.dumps(RECORDS[name])))
    assert paper.format == name
    assert types(paper) == ["abstract", "methodology"]
    assert texts(paper)[0] == "We sort socks."
    assert texts(paper)[1].startswith("Pairs first")
    assert titles(paper)[1].casefold() == "methods"
    assert [section.id for section in paper.sections] == [
        f"{paper.paper_id}_0",
        f"{paper.paper_id}_1",
    ]


def test_every_json_format_has_a_record_here() -> None:
    assert set(FORMATS) - set(RECORDS) == {"grobid-tei", "jats", "markdown", "plain-text"}


@pytest.mark.parametrize(
    ("name", "paper_id"),
    [("s2orc-doc2json", "sock-1"), ("s2orc-bulk", "17"), ("unarxive", "2101.00001")],
)
def test_paper_id_is_the_files_own(name: str, paper_id: str, read: Read) -> None:
    assert paper_of(read(json.dumps(RECORDS[name]))).paper_id == paper_id


def test_id_from_content_is_the_same_for_text_as_string_and_as_list(read: Read) -> None:
    as_string = {"title": "T", "sections": [{"heading": "H", "text": "One.\nTwo."}]}
    as_list = {"title": "T", "sections": [{"heading": "H", "text": ["One.", "Two."]}]}
    first, second = paper_of(read(json.dumps(as_string))), paper_of(read(json.dumps(as_list)))
    assert first == second
    assert len(first.paper_id) == 40
    assert int(first.paper_id, 16) >= 0


def test_id_from_content_differs_with_the_content(read: Read) -> None:
    ids = {
        paper_of(read(json.dumps({"title": t, "sections": [{"heading": "", "text": b}]}))).paper_id
        for t, b in [("T", "a"), ("T", "b"), ("U", "a")]
    }
    assert len(ids) == 3


def test_paragraphs_of_a_section_are_joined_and_empty_sections_dropped(read: Read) -> None:
    body = [
        {"text": "One.", "section": "Introduction", "sec_num": "1"},
        {"text": "Two.", "section": "Introduction", "sec_num": "1"},
        {"text": "", "section": "Results", "sec_num": "2"},
        {"text": "Three.", "section": "Counting", "sec_num": "2.1"},
    ]
    paper = paper_of(read(doc2json("pdf_parse", body)))
    assert texts(paper) == ["One.\nTwo.", "Three."]
    assert types(paper) == ["introduction", "results"]
    assert [section.id for section in paper.sections] == ["p_0", "p_1"]


def test_paragraphs_stand_alone_where_no_paper_heading_exists(read: Read) -> None:
    body = [{"text": "One.", "section": None}, {"text": "Two.", "section": None}]
    record = {"paper_id": "p", "metadata": {"title": "T"}, "grobid_parse": {"body_text": body}}
    assert texts(paper_of(read(json.dumps(record)))) == ["One.", "Two."]


@pytest.mark.parametrize(
    ("parse", "heading", "title"),
    [
        ("jats_parse", "Cell <italic>culture</italic> :: METHODS", "Cell culture"),
        ("latex_parse", "Methods::Cell culture", "Cell culture"),
        ("pdf_parse", "Methods", "Methods"),
    ],
    ids=["jats", "latex", "pdf"],
)
def test_hierarchy_of_doc2json_routes(parse: str, heading: str, title: str, read: Read) -> None:
    body = [{"text": "We wait.", "section": heading, "sec_num": None}]
    paper = paper_of(read(doc2json(parse, body)))
    assert (titles(paper), types(paper)) == ([title], ["methodology"])


def test_qasper_hierarchy_is_parent_first(read: Read) -> None:
    full_text = [{"section_name": "Experiments ::: Ablating ::: Socks", "paragraphs": ["Off."]}]
    paper = paper_of(read(json.dumps({"title": "T", "full_text": full_text})))
    assert (titles(paper), types(paper)) == (["Socks"], ["experiments"])


def test_qasper_file_of_papers_keyed_by_id(read: Read) -> None:
    papers = {"1901.1": RECORDS["qasper"], "1901.2": RECORDS["qasper"], "1901.3": 4}
    results = read(json.dumps(papers))
    assert [r.paper_id for r in results if isinstance(r, Paper)] == ["1901.1", "1901.2"]
    assert [r.code for r in results if isinstance(r, Unread)] == ["bad_record"]


@pytest.mark.parametrize(
    ("name", "path"),
    [("qasper", ("full_text",)), ("s2orc-release", ("body_text",))],
)
def test_column_layout_is_read_like_rows(name: str, path: tuple[str], read: Read) -> None:
    record = copy.deepcopy(RECORDS[name])
    rows = record[path[0]]
    record[path[0]] = {key: [row.get(key) for row in rows] for key in rows[0]}
    assert read(json.dumps(record)) == read(json.dumps(RECORDS[name]))


def test_latex_tokens_become_what_they_stand_for(read: Read) -> None:
    body: list[Record] = [
        {
            "text": "See BIBREF0, FIGREF1, INLINEFORM2 and TABREF9.",
            "section": "Data",
            "cite_spans": [{"ref_id": "BIBREF0", "text": "3"}],
            "ref_spans": [{"ref_id": "FIGREF1", "text": "1"}],
            "eq_spans": [{"ref_id": "INLINEFORM2", "text": "n log n", "latex": "n\\log n"}],
        }
    ]
    paper = paper_of(read(doc2json("latex_parse", body)))
    assert texts(paper) == ["See [3], 1, n\\log n and TABREF9."]


def test_bare_equation_paragraph_becomes_its_formula(read: Read) -> None:
    body: list[Record] = [
        {"text": "Where", "section": "Model"},
        {
            "text": "EQUATION",
            "section": "Model",
            "eq_spans": [{"ref_id": "EQREF", "raw_str": "a = b", "eq_num": "(1)"}],
        },
        {"text": "EQUATION", "section": "Model", "eq_spans": []},
    ]
    assert texts(paper_of(read(doc2json("pdf_parse", body)))) == ["Where\na = b (1)"]


def test_back_matter_is_acknowledgement_and_an_annex_is_not(read: Read) -> None:
    back = [{"text": "We thank.", "section": ""}, {"text": "More data.", "section": "Annex"}]
    body = [{"text": "Good.", "section": "Results"}]
    paper = paper_of(read(doc2json("pdf_parse", body, back_matter=back)))
    assert types(paper) == ["results", "acknowledgement", "results"]


def test_segmented_paper_keeps_ids_with_gaps_and_types(read: Read) -> None:
    line = (
        '{"title": NaN, "paper_id": "ab", "segments": ['
        '["ab_0", "One.", NaN, "abstract"], ["ab_3", "Two.", "Odd heading", "background"],'
        '["ab_4", "", "Gone", "results"], ["ab_7", "Three.", "Results", "no such type"]]}'
    )
    paper = paper_of(read(line))
    assert paper.title == ""
    assert [s.id for s in paper.sections] == ["ab_0", "ab_3", "ab_7"]
    assert types(paper) == ["abstract", "background", "results"]
    assert titles(paper) == ["", "Odd heading", "Results"]


def test_segmented_paper_with_an_id_twice_is_reported(read: Read) -> None:
    rows = [["a_1", "One.", "", "results"], ["a_1", "Two.", "", "results"]]
    [unread] = read(json.dumps({"paper_id": "a", "title": "", "segments": rows}))
    assert isinstance(unread, Unread)
    assert unread.code == "bad_record"


def test_unarxive_markers_are_resolved_or_left(read: Read) -> None:
    record = copy.deepcopy(RECORDS["unarxive"])
    record["ref_entries"] = {"f-1": {"type": "formula", "latex": "x^2"}, "t-1": {"caption": "C"}}
    record["body_text"][0]["text"] = "{{formula:f-1}} in {{table:t-1}}, {{cite:0000}}"
    assert texts(paper_of(read(json.dumps(record))))[1] == "x^2 in (table), {{cite:0000}}"


def test_bulk_paragraph_takes_the_last_header_that_ends_before_it(read: Read) -> None:
    text = "Introduction\none\ntwo\nResults\nthree"
    headers, paragraphs = [(0, 12), (21, 28)], [(29, 34), (13, 16), (17, 20), (90, 95), (5, 2)]
    spans = {
        "section_header": [{"start": s, "end": e} for s, e in headers],
        "paragraph": [{"start": s, "end": e} for s, e in paragraphs],
    }
    body = {"text": text, "annotations": spans}
    paper = paper_of(read(json.dumps({"corpusid": 5, "title": "T", "body": body})))
    assert list(zip(titles(paper), texts(paper), strict=True)) == [
        ("Introduction", "one\ntwo"),
        ("Results", "three"),
    ]


def test_pes2o_headings_between_single_newlines(read: Read) -> None:
    sentence = "This sentence is longer than its heading. "
    text = f"T\n\nAbs.\n\n\nIntroduction\n{sentence}\nResults\n{sentence}"
    record = {**RECORDS["pes2o"], "text": text}
    paper = paper_of(read(json.dumps(record)))
    assert titles(paper) == ["Abstract", "Introduction", "Results"]


def test_pes2o_title_and_abstract_alone_have_no_body(read: Read) -> None:
    record = {**RECORDS["pes2o"], "text": "T\n\nAbstract only.", "source": "s2ag/train"}
    [unread] = read(json.dumps(record))
    assert isinstance(unread, Unread)
    assert unread.code == "no_body_text"


def test_metadata_line_of_the_2020_release_says_what_is_missing(read: Read) -> None:
    [unread] = read(json.dumps({"paper_id": "1", "title": "T", "has_pdf_parse": True}))
    assert isinstance(unread, Unread)
    assert (unread.code, "pdf_parses" in unread.detail) == ("no_body_text", True)


def test_chinese_record_keeps_text_and_finds_types(read: Read) -> None:
    sections = [
        {"heading": "一、引言", "text": "袜子总是成对丢失。"},
        {"heading": "2 相关工作", "text": "前人研究了手套。"},
        {"heading": "2.1 手套", "text": "手套有左右之分。"},
        {"heading": "第3章 方法", "text": "先配对，再排序。"},
        {"heading": "实验结果与分析", "text": "九成袜子找到了伴。"},
        {"heading": "致谢", "text": "感谢洗衣机。"},
    ]
    record = {"title": "袜子排序研究", "abstract": "本文给袜子排序。", "sections": sections}
    paper = paper_of(read(json.dumps(record, ensure_ascii=False)))
    assert paper.title == "袜子排序研究"
    assert types(paper) == [
        "abstract",
        "introduction",
        "background",
        "background",
        "methodology",
        "results",
        "acknowledgement",
    ]
    assert texts(paper)[4] == "先配对，再排序。"


def test_reference_list_is_no_section(read: Read) -> None:
    sections = [{"heading": h, "text": "x"} for h in ("Results", "References", "参考文献")]
    assert titles(paper_of(read(json.dumps({"title": "", "sections": sections})))) == ["Results"]


@pytest.mark.parametrize(
    "record",
    [
        {"title": "T", "sections": 5},
        {"paper_id": "x", "pdf_parse": [1]},
        {"paper_id": "x", "segments": "all of them"},
        {"paper_id": "x", "segments": [1, 2]},
        {"paper_id": "x", "grobid_parse": "text"},
    ],
    ids=["scipdf", "doc2json", "segmented", "segments-of-numbers", "release"],
)
def test_container_of_the_wrong_type_is_a_bad_record(record: Record, read: Read) -> None:
    [unread] = read(json.dumps(record))
    assert isinstance(unread, Unread)
    assert (unread.code, unread.line) == ("bad_record", 1)
