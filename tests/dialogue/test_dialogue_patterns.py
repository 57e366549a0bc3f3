"""Patterns for labels: what is allowed is quick on every label, the rest is refused in words."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.dialogue import DEFAULT_VOCABULARY, Dialogue, parse_dialogue
from parsers.dialogue.patterns import check_pattern, required_text


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"reviewer \d+", "reviewer "),
        (r"(?:the )?reader no\.? \d{1,2}", "reader no"),
        (r".*gast.*", "gast"),
        ("读者[一二三]", "读者"),
        ("(person|reader) x", " x"),
        ("a|b", ""),
        (r"\bq\d?\b", "q"),
        ("[]x]+y", "y"),
        (r"a{,3}b\.c", "b.c"),
    ],
)
def test_what_is_allowed(pattern: str, needs: str) -> None:
    check_pattern(pattern)
    assert required_text(pattern) == needs


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("(", "no regular expression"),
        ("a**", "no regular expression"),
        (" ", "empty"),
        ("x" * 201, "201 characters"),
        ("(a+)+", "too many ways"),
        ("(a|b)*", "too many ways"),
        ("(?:a?){20}", "too many ways"),
        ("a?" * 12, "too many ways"),
        (r"\w+\w+\w+", "too many ways"),
        ("(?:)*", "too many ways"),
        ("(?=a)b", "look-around"),
        ("(?i)a", "look-around"),
        ("(?P<x>a)", "look-around"),
        (r"(a)\1", "is not allowed"),
        (r"\pL", "no regular expression"),
        ("Reader", "lower case"),
        ("[A-Z]", "lower case"),
        ("[[a]", "not allowed in it"),
        ("[a--b]", "not allowed in it"),
    ],
)
def test_what_is_refused_says_why(pattern: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        check_pattern(pattern)
    with pytest.raises(ValueError, match="person pattern"):
        DEFAULT_VOCABULARY.with_patterns(person=(pattern,))


ATOMS = st.sampled_from(
    ["a", "b", ".", r"\w", "[ab]", "[^a]", r"\d", " ", "(a|b)", "(?:ab)", "^", "$"]
)
TAILS = st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{1,3}", "{,2}", "{2,}", "*?"])
PATTERNS = st.lists(st.tuples(ATOMS, TAILS).map("".join) | st.just("|"), max_size=12).map("".join)


@settings(deadline=None, max_examples=300)
@given(PATTERNS | st.text("ab()[]|?*+{1,2}\\dw^$.", max_size=12), st.text("ab c1", max_size=48))
def test_a_pattern_is_refused_or_needs_what_it_says(pattern: str, label: str) -> None:
    try:
        check_pattern(pattern)
    except ValueError:
        return
    if re.fullmatch(pattern, label):
        assert required_text(pattern) in label


@settings(deadline=None, max_examples=60)
@given(PATTERNS)
def test_an_allowed_pattern_is_quick_on_the_longest_label(pattern: str) -> None:
    try:
        check_pattern(pattern)
    except ValueError:
        return
    compiled, began = re.compile(pattern), time.process_time()
    for label in ("a" * 48, "ab" * 24, "a" * 47 + "!"):
        compiled.fullmatch(label)
    assert time.process_time() - began < 1


def test_a_pattern_gives_a_role_to_labels_no_list_holds() -> None:
    words = DEFAULT_VOCABULARY.with_patterns(
        person=(r"gast \d+",), bot=("auskunft.*",), summary=("kern(?: der sache)?",)
    )
    raw = (
        "Kern der Sache: Das Gerät misst die Feuchte der Luft.\n"
        "Gast 1: Wie oft misst es die Feuchte?\nAuskunft am Ort: Alle Viertelstunde.\n"
        "Gast 2: Wer prüft die Werte?\nAuskunft: Ein zweites Gerät prüft sie.\n"
    )
    read = parse_dialogue(raw, vocabulary=words)
    assert isinstance(read, Dialogue)
    assert read.summary == "Das Gerät misst die Feuchte der Luft."
    assert [turn.speaker for turn in read.turns] == ["person", "bot"] * 2
