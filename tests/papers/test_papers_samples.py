"""Every real sample file: read as the format it is, or refused with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from parsers.papers import Paper, Unread, read_papers

# File → format and number of sections of each paper, or the code of each record refused.
EXPECTED: dict[str, list[tuple[str, int] | str]] = {
    "derived/2020.acl-main.207.pymupdf.txt": [("plain-text", 19)],
    "derived/2020.acl-main.207.scipdf.json": [("scipdf", 19)],
    "derived/N18-3011.pymupdf.txt": [("plain-text", 13)],
    "derived/N18-3011.scipdf.json": [("scipdf", 12)],
    "derived/N18-3011.scipdf_as_list.json": [("scipdf", 12)],
    "derived/N18-3011.sentences.tei.xml": [("grobid-tei", 13)],
    "derived/PMC5828200.jats_parse.json": [("s2orc-doc2json", 28)],
    "derived/PMC6398430.jats_parse.json": [("s2orc-doc2json", 14)],
    "derived/cord19/document_parses/pdf_json/6f7f9fa37624ae6db481d14339525987c57002bf.json": [
        ("s2orc-release", 14)
    ],
    "derived/cord19/document_parses/pmc_json/PMC6398430.xml.json": [("s2orc-release", 13)],
    "derived/cord19/metadata.csv": ["unsupported_format"],
    "derived/latex_parse_stub.json": [("s2orc-doc2json", 3)],
    "derived/long_summarization.jsonl": [("long-summarization", 14)],
    "derived/paperpersichat_segmented.json": [("paperpersichat", 22)],
    "derived/pes2o.jsonl": [("pes2o", 13), ("pes2o", 19), "no_body_text"],
    "derived/qasper_shape.json": [("qasper", 14)],
    "derived/s2orc_bulk_v1.jsonl": [("s2orc-bulk", 13), ("s2orc-bulk", 21)],
    "derived/s2orc_bulk_v2.jsonl": [("s2orc-bulk", 12), ("s2orc-bulk", 20)],
    "grobid/dehypenisation1.pdf": ["unsupported_format"],
    "jats/PMC5828200.nxml": [("jats", 28)],
    "jats/PMC6398430.nxml": [("jats", 15)],
    "latex/1911.02782_text_only.tar.gz": ["unsupported_format"],
    "latex/2004.14974_text_only.tar.gz": ["unsupported_format"],
    "markdown/joss_style_paper.md": [("markdown", 23)],
    "s2orc-bulk/oapapers_fixture.jsonl": [("s2orc-bulk", 2), ("s2orc-bulk", 2)],
    "s2orc-doc2json/2020.acl-main.207.json": [("s2orc-doc2json", 22)],
    "s2orc-doc2json/2020.acl-main.207.pdf": ["unsupported_format"],
    "s2orc-doc2json/2020.acl-main.207.tei.xml": [("grobid-tei", 20)],
    "s2orc-doc2json/N18-3011.json": [("s2orc-doc2json", 14)],
    "s2orc-doc2json/N18-3011.pdf": ["unsupported_format"],
    "s2orc-doc2json/N18-3011.tei.xml": [("grobid-tei", 13)],
    "s2orc-releases/20190928_10002293.json": [("s2orc-release", 14)],
    "s2orc-releases/20200705_18980463.json": [("s2orc-release", 18)],
    "unarxive/cs_ccby_subset.jsonl": [("unarxive", 16), ("unarxive", 4), ("unarxive", 17)],
}


@pytest.fixture(scope="module")
def samples(shared_data: Path) -> Path:
    return shared_data / "papers"


def results_of(path: Path) -> list[Paper | Unread]:
    with open(path, "rb") as stream:
        return list(read_papers(stream, name=path.name))


def papers_of(path: Path) -> list[Paper]:
    return [result for result in results_of(path) if isinstance(result, Paper)]


@pytest.mark.parametrize("name", EXPECTED)
def test_sample(name: str, samples: Path) -> None:
    results = results_of(samples / name)
    found = [
        (result.format, len(result.sections)) if isinstance(result, Paper) else result.code
        for result in results
    ]
    assert found == EXPECTED[name]


def test_every_sample_is_tried(samples: Path) -> None:
    files = {p.relative_to(samples).as_posix() for p in samples.rglob("*") if p.is_file()}
    assert files - {"SOURCES.txt"} == set(EXPECTED)


@pytest.mark.parametrize(
    "name", [n for n, e in EXPECTED.items() if e[0] == "unsupported_format" and "csv" not in n]
)
def test_unsupported_samples_say_what_to_do(name: str, samples: Path) -> None:
    [unread] = results_of(samples / name)
    assert isinstance(unread, Unread)
    assert Path(name).name in unread.detail
    assert "GROBID" in unread.detail or "unpack" in unread.detail


def test_one_paper_in_many_formats_has_the_same_sections(samples: Path) -> None:
    names = [
        "derived/N18-3011.scipdf.json",
        "s2orc-doc2json/N18-3011.json",
        "s2orc-doc2json/N18-3011.tei.xml",
        "derived/N18-3011.sentences.tei.xml",
        "derived/qasper_shape.json",
        "derived/s2orc_bulk_v1.jsonl",
        "derived/pes2o.jsonl",
        "derived/cord19/document_parses/pdf_json/6f7f9fa37624ae6db481d14339525987c57002bf.json",
        "derived/N18-3011.pymupdf.txt",
    ]
    expected = [
        ("Introduction", "introduction"),
        ("Structure of The Literature Graph", "introduction"),
        ("Node Types", "introduction"),
        ("Edge Types", "introduction"),
        ("Extracting Metadata", "introduction"),
        ("Entity Extraction and Linking", "introduction"),
        ("Approaches", "methodology"),
        ("Entity Extraction Models", "methodology"),
        ("Knowledge Bases", "methodology"),
        ("Entity Linking Models", "methodology"),
        ("Other Research Problems", "methodology"),
        ("Conclusion and Future Work", "results"),
    ]
    for name in names:
        paper = papers_of(samples / name)[0]
        outline = [(s.title, s.section_type) for s in paper.sections if s.title]
        assert [entry for entry in outline if entry[0] != "Abstract"] == expected, name


def test_jats_and_its_json_agree_on_the_body(samples: Path) -> None:
    [from_xml] = papers_of(samples / "jats/PMC5828200.nxml")
    [from_json] = papers_of(samples / "derived/PMC5828200.jats_parse.json")
    assert from_xml.paper_id == from_json.paper_id
    assert [(s.title, s.section_type) for s in from_xml.sections[1:-1]] == [
        (s.title, s.section_type) for s in from_json.sections[1:-1]
    ]


def test_sentence_elements_change_nothing(samples: Path) -> None:
    [plain] = papers_of(samples / "s2orc-doc2json/N18-3011.tei.xml")
    [sentences] = papers_of(samples / "derived/N18-3011.sentences.tei.xml")
    assert plain.paper_id == sentences.paper_id


def test_segmented_sample_keeps_its_ids_and_has_no_nan(samples: Path) -> None:
    [paper] = papers_of(samples / "derived/paperpersichat_segmented.json")
    assert [s.id for s in paper.sections] == [f"{paper.paper_id}_{n}" for n in range(22)]
    assert [s.title for s in paper.sections].count("") == 2


def test_equation_and_tokens_are_resolved(samples: Path) -> None:
    [pdf] = papers_of(samples / "s2orc-doc2json/2020.acl-main.207.json")
    assert all("EQUATION" not in section.text for section in pdf.sections)
    [latex] = papers_of(samples / "derived/latex_parse_stub.json")
    text = " ".join(section.text for section in latex.sections)
    assert not any(token in text for token in ("BIBREF", "FIGREF", "INLINEFORM", "DISPLAYFORM"))
    for paper in papers_of(samples / "unarxive/cs_ccby_subset.jsonl"):
        text = " ".join(section.text for section in paper.sections)
        assert not any(marker in text for marker in ("{{cite:", "{{formula:", "{{table:"))
