"""What a completion says by itself, and when two dialogues are the same."""

from __future__ import annotations

import pytest
from filter_samples import PAIRS, sample

from generator.errors import (
    BadResponse,
    CallFailed,
    ContentFiltered,
    ContextOverflow,
    RateLimited,
    RequestRefused,
)
from generator.filters import (
    DIALOGUE_FILTERS,
    FilterSettings,
    call_reasons,
    failed_call_reason,
    fingerprint,
    finished,
    run_filters,
)
from generator.values import Completion
from parsers.dialogue.model import Dialogue, Turn


@pytest.mark.parametrize(
    ("completion", "expected"),
    [
        pytest.param(Completion("Summary: …", "stop"), [], id="stop"),
        pytest.param(Completion("Summary: …", None), [], id="no-reason-given"),
        pytest.param(Completion("Summary: …", "eos_token"), [], id="unknown-word"),
        pytest.param(Completion("Summary: …", "length"), ["truncated"], id="length"),
        pytest.param(Completion("", "length"), ["truncated"], id="all-thinking"),
        pytest.param(Completion("Sum", "content_filter"), ["content_filter"], id="filter"),
        pytest.param(Completion("", "stop", refusal="No."), ["refusal"], id="refusal"),
        pytest.param(Completion(" \n", "stop"), ["empty_answer"], id="white-space"),
    ],
)
def test_call_reasons(completion: Completion, expected: list[str]) -> None:
    reasons = call_reasons(completion)
    assert [reason.code for reason in reasons] == expected
    assert {reason.stage for reason in reasons} <= {"call"}
    off = FilterSettings(off=frozenset(expected))
    assert call_reasons(completion, off) == ()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(ContextOverflow("9000 tokens for 8192"), "context_overflow", id="context"),
        pytest.param(ContentFiltered("stopped"), "content_filter", id="content-filter"),
        pytest.param(RateLimited("slow down"), None, id="rate"),
        pytest.param(BadResponse("HTML"), None, id="bad-response"),
        pytest.param(RequestRefused("400"), None, id="refused-request"),
    ],
)
def test_only_a_fault_of_the_item_is_a_rejection(error: CallFailed, code: str | None) -> None:
    reason = failed_call_reason(error)
    assert (None if reason is None else reason.code) == code


@pytest.mark.parametrize(
    ("finish_reason", "accepted"),
    [
        pytest.param("stop", True, id="stop"),
        pytest.param(None, True, id="unknown"),
        pytest.param("length", False, id="length"),
    ],
)
def test_a_kept_finish_reason_can_be_judged(finish_reason: str | None, accepted: bool) -> None:
    tried = sample("en", finish_reason=finish_reason)
    filters = (finished, *DIALOGUE_FILTERS)
    assert run_filters(tried, FilterSettings(), filters).accepted is accepted


def dialogue(summary: str, *turns: str) -> Dialogue:
    return Dialogue(
        summary, tuple(Turn("bot" if i % 2 else "person", turn) for i, turn in enumerate(turns))
    )


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(dialogue("A CACHE, with 2 queues", "what is it?", "small!"), id="case"),
        pytest.param(dialogue("A cache\nwith  2 queues.", "What is it", "Small."), id="space"),
        pytest.param(dialogue("Ａ cache with ２ queues.", "What is it？", "Small。"), id="width"),
    ],
)
def test_the_same_words_have_the_same_fingerprint(other: Dialogue) -> None:
    assert fingerprint(other) == fingerprint(
        dialogue("A cache with 2 queues.", "What is it?", "Small.")
    )


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(dialogue("A cache with 2 queues.", "What is it?", "Large."), id="word"),
        pytest.param(dialogue("A cache with 2 queues.", "What is it? Small.", ""), id="borders"),
        pytest.param(dialogue("A cache with 2 queues.", "Small.", "What is it?"), id="order"),
        pytest.param(dialogue("A cache with 3 queues.", "What is it?", "Small."), id="number"),
        pytest.param(dialogue("", "What is it?", "Small."), id="summary"),
    ],
)
def test_other_words_have_another_fingerprint(other: Dialogue) -> None:
    assert fingerprint(other) != fingerprint(
        dialogue("A cache with 2 queues.", "What is it?", "Small.")
    )


def test_fingerprints_tell_vowel_signs_apart_and_take_any_text() -> None:
    assert fingerprint(dialogue("कि")) != fingerprint(dialogue("की"))
    assert fingerprint(dialogue(PAIRS["zh"][0][0])) != fingerprint(dialogue(PAIRS["zh"][1][0]))
    assert len(fingerprint(dialogue("\ud800 half", "👍"))) == 64
