"""Corpus text as markup: escaped, faults marked, long texts cut around them."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.inspector.visible import (
    MOST_SHOWN,
    Mark,
    escaped_json,
    excerpt,
    plain,
    shown,
    visible,
    without_unseen,
)


def read(markup: str) -> str:
    """What a reader sees of markup without boxes."""
    return unescape(re.sub(r"<[^>]*>", "", markup))


VISIBLE = st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n<>&\"'"))
MARKS = st.lists(
    st.builds(Mark, st.integers(0, 60), st.integers(0, 60), st.integers(1, 3).map(lambda n: (n,))),
    max_size=4,
)


@settings(deadline=None, max_examples=150)
@given(text=VISIBLE, marks=MARKS)
def test_marks_change_nothing_of_the_text(text: str, marks: list[Mark]) -> None:
    assert read(shown(text, marks).markup).replace("⌶", "") == text.replace("⌶", "")


@settings(deadline=None, max_examples=150)
@given(text=VISIBLE.filter(lambda t: "⌶" not in t), marks=MARKS)
def test_what_is_marked_is_the_union_of_the_marks(text: str, marks: list[Mark]) -> None:
    inside = {i for m in marks for i in range(m.start, min(m.end, len(text)))}
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", shown(text, marks).markup, re.S)
    wanted = "".join(text[i] for i in sorted(inside))
    assert "".join(map(read, marked)).replace("⌶", "") == wanted


@settings(deadline=None, max_examples=150)
@given(text=st.text())
def test_no_text_becomes_markup_or_steers_the_reader(text: str) -> None:
    markup = str(visible(text))
    tags = re.findall(r"<[^>]*>", markup)
    assert all(re.fullmatch(r'<span class="unseen" title="[^"<>]*">|</span>', t) for t in tags)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", markup)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", plain(text))


@pytest.mark.parametrize("start", [0, 5_000, MOST_SHOWN, 500_000, 999_990])
def test_a_long_text_is_cut_but_its_fault_is_shown(start: int) -> None:
    text = "x" * start + "FAULT" + "y" * (1_000_000 - start)
    cut = shown(text, [Mark(start, start + 5, (1,))])
    assert ">FAULT</mark>" in cut.markup
    assert len(cut.markup) < 3 * MOST_SHOWN
    gaps = [int(g.replace(",", "")) for g in re.findall(r"… ([\d,]+) characters", cut.markup)]
    assert sum(gaps) == cut.hidden > 900_000
    whole = shown(text, [Mark(start, start + 5, (1,))], whole=True)
    assert whole.hidden == 0
    assert read(whole.markup) == text


def test_a_fault_of_a_megabyte_is_cut_too() -> None:
    cut = shown("z" * 1_000_000, [Mark(10, 1_000_000, (1,))])
    assert len(cut.markup) < 3 * MOST_SHOWN


def test_a_fault_without_length_is_a_sign() -> None:
    assert read(shown("ab", [Mark(1, 1, (1,))]).markup) == "a⌶b"
    assert read(shown("ab", [Mark(2, 2, (1,))]).markup) == "ab⌶"


def test_an_excerpt_is_one_line_about_the_fault() -> None:
    text = "first line\nsecond " + "w" * 300 + " here it is " + "v" * 300
    start = text.index("here")
    line = excerpt(text, (start, start + 4))
    assert "<mark>here</mark>" in line
    assert "\n" not in line
    assert len(line) < 300
    assert read(excerpt("a\nb", None)) == "a ⏎ b"
    assert "⌶" in excerpt("short", (99, 120))


@settings(deadline=None, max_examples=150)
@given(text=st.text())
def test_a_record_to_edit_is_visible_and_means_the_same(text: str) -> None:
    shown_text = escaped_json({"text": text})
    assert json.loads(shown_text) == {"text": text}
    assert visible(shown_text).count("unseen") == shown_text.count("unseen")
    assert without_unseen(without_unseen(text)) == without_unseen(text)
    assert "unseen" not in visible(without_unseen(text)).replace("unseen", "", text.count("unseen"))
