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


def test_every_message_adds_its_frame() -> None:
    one = estimate_prompt(Request(messages=(Message("user", "a" * 100),)))
    two = estimate_prompt(Request(messages=(Message("system", ""), Message("user", "a" * 100))))
    assert one.most > estimate_tokens("a" * 100).most
    assert two.most == one.most + 8
    assert estimate_prompt(Request(prompt="a" * 100)) == estimate_tokens("a" * 100)
