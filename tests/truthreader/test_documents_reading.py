"""Titled documents out of JSON, Markdown, text, papers and earlier corpora; passages; the index."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from cited_corpus import made, write_documents
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.collection import Collection, PassageRule, collect
from generator.errors import WrongUse
from generator.recipes.model import Skipped
from parsers.documents import (
    DOCUMENT_CODES,
    DocumentSkip,
    TitledDocument,
    passages,
    read_documents,
)
from parsers.segments import SegmentRule
from parsers.text.terms import search_terms
from parsers.text.tokens import tokens

RULE = PassageRule(600, 5, SegmentRule(min_chars=10, min_sections=1))
BODY = "The lock has two gates. The keeper opens the upper one first."


def read(content: str | bytes, name: str = "notes.txt") -> list[TitledDocument | DocumentSkip]:
    data = content.encode() if isinstance(content, str) else content
    return list(read_documents(io.BytesIO(data), name=name, rule=RULE.segments))


def pairs(content: str | bytes, name: str = "notes.txt") -> list[tuple[str, str]]:
    return [(d.title, d.text) for d in read(content, name) if isinstance(d, TitledDocument)]


def lines(*records: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (lines({"title": "Lock", "document": BODY}), [("Lock", BODY)]),
        (lines({"title": "Lock", "text": BODY, "id": 7, "tags": ["x"]}), [("Lock", BODY)]),
        (lines({"text": BODY}, {"title": None, "text": BODY}), [("", BODY), ("", BODY)]),
        (json.dumps([{"title": "A", "text": BODY}, {"text": BODY}]), [("A", BODY), ("", BODY)]),
        (json.dumps({"title": "水闸", "document": "水闸有两道门。"}), [("水闸", "水闸有两道门。")]),
        (gzip.compress(lines({"title": "Lock", "text": BODY}).encode()), [("Lock", BODY)]),
        (
            lines({"question": "?", "history": [], "answer": "a", "documents": [
                {"title": "A", "document": BODY}, {"title": "", "document": "B b"}]}),
            [("A", BODY), ("", "B b")],
        ),
        (
            lines({"text": BODY, "dialogue": "d", "meta_segments": [{"id": "0", "title": "Gates"}],
                   "meta_paper": {"title": "Locks", "paper_id": "p"}, "parsed_dialogue": {}}),
            [("Locks: Gates", BODY)],
        ),
    ],
    ids=["document", "text and more keys", "no title", "array", "one object", "gzip",
         "truthreader record", "paperpersichat record"],
)  # fmt: skip
def test_json_is_read_by_its_keys(content: str | bytes, found: list[tuple[str, str]]) -> None:
    assert pairs(content) == found


@pytest.mark.parametrize(
    ("content", "name", "found"),
    [
        (f"# Canal lock\n\n{BODY}\n", "a.md", ("Canal lock", BODY)),
        (f"---\ntitle: The lock\n---\n\n{BODY}\n", "a.md", ("The lock", BODY)),
        (f"Intro.\n\n## Gates\n\n{BODY}\n", "a.md", ("Gates", f"Intro.\n{BODY}")),
        ("# 水闸\n\n水闸有\n两道门。\n\n## 用法\n\n先开上门。\n", "a.md",
         ("水闸", "水闸有两道门。\n用法\n先开上门。")),
        ("# L\n\nHard\nwrapped [link](https://x.y).\n\n- one\n- two\n", "a.md",
         ("L", "Hard wrapped link.\n- one\n- two")),
        (f"Canal lock\n\n{BODY}\n", "a.txt", ("Canal lock", f"{BODY}")),
        (BODY, "canal lock.txt", ("canal lock", BODY)),
        (f"{BODY}\n{BODY}", "two.txt", ("two", f"{BODY}\n{BODY}")),
    ],
    ids=["heading", "yaml head", "first heading below text", "chinese", "reflowed", "first line",
         "file name", "sentence first"],
)  # fmt: skip
def test_a_text_file_is_one_document(content: str, name: str, found: tuple[str, str]) -> None:
    assert pairs(content, name) == [found]


def test_the_segments_of_a_paper_are_documents_titled_by_paper_and_section() -> None:
    record = {
        "title": "On locks", "authors": "", "abstract": "We study locks.", "references": [],
        "sections": [{"heading": "Introduction", "text": BODY}, {"heading": "Method", "text": BODY},
                     {"heading": "Results", "text": "It works well."}],
    }  # fmt: skip
    found = [d for d in read(json.dumps(record)) if isinstance(d, TitledDocument)]
    assert found[0].title == "On locks: Abstract"
    assert BODY in found[0].text
    assert len({d.origin for d in found}) == 1
    assert all(d.origin for d in found)


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (lines({"title": "A", "text": BODY}) + "{oops}\n" + lines({"text": BODY}), "bad_json", 2),
        (lines({"title": "A", "text": BODY}, {"title": "B", "text": 5}), "bad_record", 2),
        (lines({"title": "A", "text": BODY}, {"title": "B", "document": None}), "bad_record", 2),
        (lines({"title": "A", "text": BODY}, {"title": "B", "text": " \n"}), "empty_document", 2),
        (lines({"title": "A", "text": BODY}, {"title": "B"}), "unknown_format", 2),
        (lines({"title": "A", "text": BODY}, 5), "unknown_format", 2),
        (b"%PDF-1.7 ...", "unsupported_format", None),
        ("", "empty_input", None),
        (b"\xff\xfe\x00text \x80 that is not", "bad_encoding", None),
        (gzip.compress(lines({"text": BODY}).encode())[:-9], "torn_gzip", None),
    ],
    ids=["bad json", "text is a number", "null document", "blank", "title only", "number", "pdf",
         "empty", "encoding", "torn gzip"],
)  # fmt: skip
def test_what_is_no_document_is_told_with_its_place(
    content: str | bytes, code: str, line: int | None
) -> None:
    skips = [d for d in read(content) if isinstance(d, DocumentSkip)]
    assert [(s.code, s.line) for s in skips] == [(code, line)]
    assert skips[0].detail


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.text("abc 水闸门。.!?\n[1]x", min_size=1, max_size=80), min_size=1, max_size=20
    ).map(" ".join),
    st.integers(5, 60),
)
def test_passages_are_bounded_and_lose_nothing(text: str, most: int) -> None:
    parts = passages(text, most)
    assert all(len(tokens(part)) <= most for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_a_long_document_is_cut_into_even_passages_at_sentence_ends() -> None:
    text = " ".join(f"Sentence number {n} of this text is not long at all." for n in range(100))
    parts = passages(text, 300)
    assert len(parts) == 4
    sizes = [len(tokens(part)) for part in parts]
    assert max(sizes) - min(sizes) <= 20
    assert all(part.endswith(".") and part.startswith("Sentence") for part in parts)


def test_a_word_without_end_is_no_single_token() -> None:
    assert max(map(len, passages("x" * 100_000, 100))) <= 1200


def collected(tmp_path: Path, *paths: Path) -> tuple[Collection, list[Skipped]]:
    collection = Collection()
    met = [m for m in collect([str(p) for p in paths], RULE, collection) if isinstance(m, Skipped)]
    return collection, met


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_neighbours_are_documents_that_share_rare_words(tmp_path: Path, lang: str) -> None:
    look_alikes = write_documents(tmp_path / "towers.jsonl", 12, lang)
    other = tmp_path / "other.jsonl"
    strange = (
        [{"title": "Bread", "text": f"Dough number {n} rests in a warm bowl until it has doubled."}
         for n in range(6)]
        if lang == "en"
        else [{"title": "面包", "text": f"第{n}块面团放在温暖的盆里，直到发酵成两倍大小。"}
              for n in range(6)]
    )  # fmt: skip
    other.write_text(lines(*strange), encoding="utf-8")
    collection, skipped = collected(tmp_path, look_alikes, other)
    assert skipped == []
    near = collection.like(collection.document(3), 8)
    assert len(near) == 8
    assert all(document.source.endswith("towers.jsonl") for document in near)
    titles = {document.title for document in collection.like(collection.document(14), 5)}
    assert titles in ({"Bread"}, {"面包"})
    again, _ = collected(tmp_path, look_alikes, other)
    assert again.like(again.document(3), 8) == near
    collection.close()
    again.close()


def test_of_equals_the_first_read_is_nearest(tmp_path: Path) -> None:
    path = tmp_path / "same.jsonl"
    path.write_text(
        lines(*[{"title": f"{n}", "text": f"Twin lock gate {n} {n}"} for n in range(6)])
    )
    collection, _ = collected(tmp_path, path)
    assert [d.number for d in collection.like(collection.document(5), 3)] == [0, 1, 2]
    collection.close()


@pytest.mark.parametrize(
    "text",
    ['"quoted" AND (NEAR OR NOT) * ^ : - + body', "x" * 5000, "''; DROP TABLE documents; --",
     "กขค ภาษาไทย العربية हिन्दी भाषा", "\u0000\u202e 🙂 ＡＢＣ １２３"],
    ids=["query words", "long word", "sql", "other scripts", "odd characters"],
)  # fmt: skip
def test_any_text_can_be_searched_for(tmp_path: Path, text: str) -> None:
    collection = Collection()
    for number in range(3):
        collection.add("t", f"{text} {number} of three", origin="", source="s", line=number)
    assert [d.number for d in collection.like(collection.document(0), 5)] == [1, 2]
    collection.close()


def test_chinese_is_found_by_pairs_of_characters_and_nothing_is_lost() -> None:
    assert search_terms("缓存的窗口 and the queue") == ["缓存", "窗口", "queue"]
    assert search_terms("The cache of the 门") == ["cache", "门"]


def test_sources_are_mixed_freely_and_folders_walked(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text(f"# First\n\n{made(1, 'en').text}")
    (folder / "deep" / "b.txt").write_text(f"Second\n\n{made(2, 'en').text}")
    records = write_documents(tmp_path / "c.jsonl", 1, "en", key="text")
    collection, skipped = collected(tmp_path, folder, records)
    assert skipped == []
    titles = [collection.document(n).title for n in range(len(collection))]
    assert titles == ["First", "Second", made(0, "en").title]
    collection.close()


def test_an_input_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="does not exist"):
        collected(tmp_path, tmp_path / "nothing.jsonl")


def test_every_code_of_documents_is_described() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats-in.md").read_text("utf-8")
    for code in DOCUMENT_CODES:
        assert f"| `{code}` |" in page
