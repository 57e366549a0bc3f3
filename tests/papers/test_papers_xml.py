"""TEI and JATS, and XML that means harm."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parsers.papers import Paper, Unread

from .conftest import Read

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title level="a" type="main">Sorting <hi>socks</hi></title></titleStmt>
<sourceDesc><biblStruct>{idno}</biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract>{abstract}</abstract></profileDesc></teiHeader>
<text><body>
<div><head n="1">Introduction</head><p>Socks are lost <ref type="bibr">(Foot, 1999)</ref>.</p></div>
<div><head n="2">Washing</head><p><s>They spin.</s> <s>They dry.</s></p>
<formula xml:id="f0">a = b<label>(1)</label></formula></div>
<div><head n="3">Results</head><p>Nine of ten.</p></div>
<div><head n="3.1">Left socks</head><p>Half.</p></div>
<div><p>No head here.</p></div>
<figure xml:id="fig_0"><head>Figure 1</head><figDesc>A sock.</figDesc></figure>
<note place="foot">A footnote.</note>
</body><back>
<div type="acknowledgement"><div><p>We thank the machine.</p></div></div>
<div type="annex"><div><head>A Appendix</head><p>All socks.</p></div></div>
<div type="references"><listBibl><biblStruct xml:id="b0"/></listBibl></div>
</back></text></TEI>"""

JATS = """<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "http://127.0.0.1:9/never-fetched.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="pmc">777</article-id>
<title-group><article-title>Sorting <italic>socks</italic></article-title></title-group>
<abstract><sec><title>Aim</title><p>To sort.</p></sec></abstract>
<abstract abstract-type="teaser"><p>Lost socks!</p></abstract>
</article-meta></front><body>
<sec><title>INTRODUCTION</title><p>Socks&nbsp;<xref ref-type="bibr">1</xref> vanish.</p></sec>
<sec><title>Materials and methods</title><p>Before the parts.</p>
<sec><title>Socks <sub>2</sub></title><p>Wool.</p>
<fig><caption><p>A sock.</p></caption></fig></sec></sec>
</body><back><ack><p>We thank the drum.</p></ack>
<ref-list><title>REFERENCES</title><ref><mixed-citation>Foot</mixed-citation></ref></ref-list>
</back></article>"""


def paper_of(results: list[Paper | Unread]) -> Paper:
    [result] = results
    assert isinstance(result, Paper), result
    return result


def tei(abstract: str = "<p>We sort.</p>", idno: str = "") -> str:
    return TEI.format(abstract=abstract, idno=idno)


def test_tei_sections(read: Read) -> None:
    paper = paper_of(read(tei()))
    assert (paper.format, paper.title) == ("grobid-tei", "Sorting socks")
    assert [(s.title, s.text, s.section_type) for s in paper.sections] == [
        ("Abstract", "We sort.", "abstract"),
        ("Introduction", "Socks are lost (Foot, 1999).", "introduction"),
        ("Washing", "They spin. They dry.\na = b(1)", "introduction"),
        ("Results", "Nine of ten.", "results"),
        ("Left socks", "Half.", "results"),
        ("", "No head here.", "results"),
        ("acknowledgement", "We thank the machine.", "acknowledgement"),
        ("A Appendix", "All socks.", "acknowledgement"),
    ]


@pytest.mark.parametrize(
    "abstract",
    ["<p>We sort.</p>", "<div><p>We sort.</p></div>", "We sort.", "<p><s>We</s> <s>sort.</s></p>"],
    ids=["bare-p", "div-p", "text", "sentences"],
)
def test_tei_abstract_shapes(abstract: str, read: Read) -> None:
    first = paper_of(read(tei(abstract))).sections[0]
    assert (first.text, first.section_type) == ("We sort.", "abstract")


def test_tei_id_is_the_md5_where_grobid_gives_it(read: Read) -> None:
    idno = '<idno type="DOI">10.1/x</idno><idno type="MD5">ABC123</idno>'
    assert paper_of(read(tei(idno=idno))).paper_id == "ABC123"


def test_tei_corpus_gives_every_paper(read: Read) -> None:
    one = tei().partition("?>")[2]
    corpus = f'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>{one}{one}</teiCorpus>'
    assert [type(result) for result in read(corpus)] == [Paper, Paper]


def test_jats_sections(read: Read) -> None:
    paper = paper_of(read(JATS))
    assert (paper.format, paper.paper_id, paper.title) == ("jats", "PMC777", "Sorting socks")
    assert [(s.title, s.text, s.section_type) for s in paper.sections] == [
        ("Abstract", "Aim: To sort.", "abstract"),
        ("INTRODUCTION", "Socks 1 vanish.", "introduction"),
        ("Materials and methods", "Before the parts.", "methodology"),
        ("Socks 2", "Wool.", "methodology"),
        ("Acknowledgements", "We thank the drum.", "acknowledgement"),
    ]


def test_entities_are_not_expanded(read: Read, tmp_path: object) -> None:
    document = """<!DOCTYPE TEI [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">
    <!ENTITY f SYSTEM "file:///etc/hostname">]>
    <TEI><text><body><div><p>x &b; &f; y</p></div></body></text></TEI>"""
    [section] = paper_of(read(document)).sections
    assert section.text == "x &b; &f; y"


def test_billion_laughs_ends_quickly(read: Read) -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    document = f"""<!DOCTYPE TEI [<!ENTITY e0 "ha">{levels}]>
    <TEI><text><body><div><p>&e11;</p></div></body></text></TEI>"""
    for result in read(document):
        text = result.sections[0].text if isinstance(result, Paper) else result.detail
        assert len(text) < 1000


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("<TEI><text><body></TEI>", "bad_xml"),
        ("<?xml version='1.0'?><TEI>", "bad_xml"),
        ("<?xml version='1.0'?><recipe/>", "unknown_format"),
        ("<TEI><text>" + "<a>" * 5000 + "</a>" * 5000 + "</text></TEI>", "bad_xml"),
        ("<TEI/>", "no_body_text"),
        ("<article/>", "no_body_text"),
    ],
    ids=["unclosed", "torn", "other-root", "deep", "empty-tei", "empty-article"],
)
def test_faulty_xml_is_reported(document: str, code: str, read: Read) -> None:
    assert [r.code for r in read(document) if isinstance(r, Unread)] == [code]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1"])
def test_xml_in_other_encodings(encoding: str, read: Read) -> None:
    declared = "UTF-16" if encoding == "utf-16" else encoding.upper().removesuffix("-SIG")
    document = f"""<?xml version="1.0" encoding="{declared}"?>
    <TEI><text><body><div><head>Results</head><p>Café.</p></div></body></text></TEI>"""
    assert paper_of(read(document.encode(encoding))).sections[0].text == "Café."


def test_xml_library_is_loaded_for_xml_alone() -> None:
    code = (
        "import io, sys\n"
        "from parsers.papers import read_papers\n"
        "list(read_papers(io.BytesIO(b'# T\\n\\ntext')))\n"
        "assert 'lxml' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
