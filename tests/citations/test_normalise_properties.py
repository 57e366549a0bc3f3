"""What holds for any text: once is enough, nothing else changes, and every change is told."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parsers.citations import (
    answer_sentences,
    citation_groups,
    cited_spans,
    is_refusal,
    normalise_citations,
    refusal_parts,
    repair_citations,
)

PIECES = [
    *("the lamp", "It is blue", "灯是蓝色的", "它很旧", "LumoLamp", "x", "C", "list_a", "1931"),
    *(
        " ",
        " ",
        "\n",
        "\n\n",
        ".",
        ". ",
        ",",
        ", ",
        ";",
        ":",
        "?",
        "!",
        "。",
        "，",
        "；",
        "：",
        "…",
    ),
    *(
        "[1]",
        "[2]",
        "[3]",
        "[9]",
        "[0]",
        "[1, 2]",
        "[1-3]",
        "[1、2]",
        "【1】",
        "【2†source】",
        "（1）",
    ),
    *(
        "(1)",
        "(2)",
        "[^1]",
        "[doc 1]",
        "(Document 2)",
        "（文档2）",
        "¹",
        "²³",
        "<sup>1</sup>",
        "［２］",
    ),
    *(
        "According to Document 2, ",
        "Document 1 states that ",
        "根据文档2，",
        "资料1指出，",
        "[2] says that ",
    ),
    *(
        '"',
        "“",
        "”",
        "「",
        "」",
        "(",
        ")",
        "[",
        "]",
        "`",
        "```",
        "$",
        "**",
        "- ",
        "1. ",
        "](http://a.b)",
    ),
    *(
        "Source: Document 1.",
        "来源：文档2。",
        "References:\n",
        "and ",
        "和",
        "in ",
        "Inc.",
        "[[1]]",
        "[1]: ",
    ),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=24).map("".join),
    st.text(max_size=60),
    st.text(alphabet="[]()（）【】1２¹ .,。，\n文档docab", max_size=40),
)
MARKER_LETTERS = "[]［］【】〔〕〖〗()（）<>/^†*_ \n\t"


@settings(deadline=None, max_examples=600)
@given(TEXTS, st.integers(0, 4))
@example("[1][1].[1]", 2)
@example("a.[1].[2].[1]", 2)
@example("[2] says that [2] says that 灯。", 2)
def test_normalising_twice_changes_nothing_more(text, documents):
    once = normalise_citations(text, documents)
    assert normalise_citations(once.text, documents).text == once.text


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(0, 4))
def test_changes_tell_exactly_what_differs(text, documents):
    found = normalise_citations(text, documents)
    rebuilt, position = [], 0
    for change in found.changes:
        assert position <= change.old[0] <= change.old[1]
        assert text[slice(*change.old)] == change.before
        assert found.text[slice(*change.new)] == change.after
        rebuilt += (text[position : change.old[0]], change.after)
        position = change.old[1]
    assert "".join([*rebuilt, text[position:]]) == found.text


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_places_lead_back_into_the_raw_text(text):
    found = normalise_citations(text, 3)
    for at, character in enumerate(found.text):
        start, end = found.old_span(at, at + 1)
        assert 0 <= start <= end <= len(text)
        if not any(change.new[0] <= at < change.new[1] for change in found.changes):
            assert text[start:end] == character


WORDS = st.lists(
    st.sampled_from(["lamp", "blue", "灯", "旧的", "Ünlü", "лампа", "a", "B"]), max_size=9
)
MARKERS = st.sampled_from(
    ["[1]", " [2]", "【1】", " (1)", "[1, 2]", "", "[^2]", "¹", "（2）", "[1]"]
)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.tuples(WORDS, MARKERS, st.sampled_from([". ", "。", ", ", "\n", "! "])), max_size=6)
)
def test_letters_are_never_lost(sentences):
    text = "".join(" ".join(words) + marker + mark for words, marker, mark in sentences)
    for wanted in (text, text.replace(". ", ".")):
        found = normalise_citations(wanted, 2)
        assert [c for c in found.text if c.isalpha()] == [c for c in wanted if c.isalpha()]


@settings(deadline=None, max_examples=200)
@given(
    st.text(
        alphabet=st.characters(
            exclude_characters="[［【〔〖(（<⁰¹²³⁴⁵⁶⁷⁸⁹0123456789０１２３４５６７８９一二三四五六七八九十"
        )
    )
)
def test_a_text_without_a_bracket_or_a_number_is_left_alone(text):
    assert normalise_citations(text, 4).text == text


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_what_is_read_stands_in_the_text(text):
    position = 0
    for group in citation_groups(text):
        assert group.start >= position
        assert text[group.start : group.end] == "".join(f"[{n}]" for n in group.numbers)
        position = group.end
    for span in cited_spans(text):
        assert text[span.start : span.end] == span.text
    position = 0
    for sentence in answer_sentences(text):
        assert sentence.start >= position
        assert text[sentence.start : sentence.end] == sentence.text
        position = sentence.end


@settings(deadline=None, max_examples=100)
@given(TEXTS, st.lists(st.tuples(st.text(max_size=10), TEXTS), max_size=3))
def test_any_text_is_repaired_and_judged_without_an_error(text, documents):
    repaired = repair_citations(text, documents)
    for repair in repaired.repairs:
        assert all(1 <= number <= len(documents) for number in repair.new)
    assert isinstance(is_refusal(text), bool)
    assert refusal_parts(text) == refusal_parts(text)


LONG = {
    "markers": "The lamp is blue. [1] 灯是蓝色的。【2】",
    "brackets": "[",
    "closing": "]",
    "round": "（",
    "blanks": "      ",
    "quotes": '"“',
    "digits": "[1, 1, 1, 1, ",
    "words": "according to document ",
    "chinese": "根据文档",
    "documents": "Document 1, Document 2 and ",
    "dollars": "$a `b ",
    "lines": "\n[1]\n",
    "superscripts": "¹²³",
    "links": "[a](",
    "stops": "。.",
    "letters": "a",
    "sorry": "Sorry, the documents do not ",
    "missing": "文档没有提到",
}


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_time_grows_with_the_length_and_no_faster(piece):
    def taken(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.process_time()
        normalise_citations(text, 3)
        citation_groups(text)
        is_refusal(text)
        refusal_parts(text)
        return time.process_time() - start

    taken(2_000)
    short, long = taken(8_000), taken(64_000)
    # eight times the length: a square would take 64 times the time
    assert long < 24 * max(short, 0.002)
