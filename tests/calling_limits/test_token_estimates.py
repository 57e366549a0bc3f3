"""Token estimates bracket the truth in every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.calling.token_estimates import TokenEstimate, estimate_prompt, estimate_tokens
from generator.values import Message, Request


@pytest.mark.parametrize(
    ("text", "estimate"),
    [
        ("", TokenEstimate(0, 0, 0)),
        ("a" * 120, TokenEstimate(20, 30, 60)),
        ("7" * 120, TokenEstimate(20, 30, 120)),
        ("字" * 100, TokenEstimate(50, 100, 200)),
        ("한" * 100, TokenEstimate(50, 100, 200)),
        ("ж" * 60, TokenEstimate(20, 40, 120)),
        ("🙂" * 30, TokenEstimate(20, 40, 120)),
    ],
    ids=["nothing", "letters", "digits", "han", "hangul", "cyrillic", "emoji"],
)
def test_estimates_by_script(text: str, estimate: TokenEstimate) -> None:
    assert estimate_tokens(text) == estimate


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_has_estimates_in_order(text: str) -> None:
    estimate = estimate_tokens(text)
    assert 0 <= estimate.least <= estimate.likely <= estimate.most
    assert estimate.most <= len(text.encode("utf-8", "surrogatepass")) + 1


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_estimated_as_the_table_says(text: str) -> None:
    letters = sum(char.isalpha() or char in " \t\n\r\v\f" for char in text)
    most = -(-letters // 2) + len(text) - letters
    assert estimate_tokens(text) == TokenEstimate(len(text) // 6, -(-len(text) // 4), most)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=5))
def test_a_request_is_its_messages_and_their_frames(texts: list[str]) -> None:
    request = Request(messages=tuple(Message("user", text) for text in texts))
    parts = [estimate_tokens(text) for text in texts]
    frame = 8 * (len(texts) + 1)
    assert estimate_prompt(request) == TokenEstimate(
        sum(part.least for part in parts),
        sum(part.likely for part in parts) + frame // 2,
        sum(part.most for part in parts) + frame,
    )


def test_every_message_adds_its_frame() -> None:
    one = estimate_prompt(Request(messages=(Message("user", "a" * 100),)))
    two = estimate_prompt(Request(messages=(Message("system", ""), Message("user", "a" * 100))))
    assert one.most > estimate_tokens("a" * 100).most
    assert two.most == one.most + 8
    assert estimate_prompt(Request(prompt="a" * 100)) == estimate_tokens("a" * 100)
