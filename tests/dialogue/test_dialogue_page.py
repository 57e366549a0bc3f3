"""The page about the parser names every reject code, and nothing that is no code."""

from __future__ import annotations

from pathlib import Path

import pytest

import parsers.dialogue as api
from parsers.dialogue import PARSER_CODES, Rejection, parse_dialogue

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "parser.md"


def _page() -> str:
    return _PAGE.read_text(encoding="utf-8")


def test_every_code_has_a_heading_with_advice() -> None:
    codes = _page().partition("## Reject codes")[2]
    sections = {
        section.partition("\n")[0].strip(): section.partition("\n")[2].strip()
        for section in codes.split("\n### ")[1:]
    }
    assert set(sections) == set(PARSER_CODES)
    assert all(len(text) > 40 for text in sections.values())


def test_every_function_is_named() -> None:
    page = _page()
    for name in api.__all__:
        if name.islower():
            assert name in page


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("<think>plan</think>", "empty"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("Generate a dialogue between you and another person.", "prompt_echo"),
        (
            "Summary: S it is.\nPerson: The input is a list.\n"
            "You: What else would you like to know?",
            "role_swap",
        ),
        (
            "Summary: S it is.\nPerson: 1. What is the input? 2. Is it fast?\n"
            "You: 1. A list. 2. Yes.",
            "merged_questions",
        ),
        ("Summary: S it is.\nPerson: Hi, I'm [User 2's name]\nYou: Hello.", "placeholder_text"),
    ],
)
def test_the_examples_of_the_page_give_their_codes(raw: str, code: str) -> None:
    result = parse_dialogue(raw)
    assert isinstance(result, Rejection)
    assert result.code == code
