"""Filters on any text: no exception, the same verdict again, in any order, in linear time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import permutations

import pytest
from filter_samples import PAIRS, SEGMENT, SUMMARY, codes, judge, sample
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.filters import (
    DIALOGUE_FILTERS,
    REJECT_CODES,
    DialogueSample,
    FilterSettings,
    ReferenceText,
    fingerprint,
    run_filters,
)
from parsers.dialogue.model import Dialogue, Turn

PIECES = st.sampled_from(
    "Person:|Bot：|**|\n|?|？|wells|水井|the |</s>|[1]|👍|ไทย|क्या|العربية|Привет |"
    "\ud800|\ufffd|\u2028|Ａ|ﬁ|İ|ß|é|∈| |51.".split("|")
)
TEXTS = st.one_of(
    st.text(st.characters(), max_size=60),
    st.lists(PIECES, max_size=30).map("".join),
    st.sampled_from([*SEGMENT.values(), *SUMMARY.values(), *(t for p in PAIRS["en"] for t in p)]),
)
REFERENCES = st.one_of(st.none(), TEXTS.map(ReferenceText.of))


@st.composite
def samples(draw: st.DrawFn) -> DialogueSample:
    turns = draw(
        st.lists(st.tuples(st.sampled_from(["person", "bot"]), TEXTS), max_size=7).map(tuple)
    )
    raw = draw(TEXTS)
    span = st.one_of(st.none(), st.tuples(st.integers(0, 40), st.integers(0, 40)))
    dialogue = Dialogue(
        draw(TEXTS),
        tuple(Turn("bot" if who == "bot" else "person", said, draw(span)) for who, said in turns),
        draw(span),
    )
    lang = draw(st.sampled_from(["en", "zh", "de", ""]))
    return DialogueSample(
        draw(TEXTS), dialogue, lang, raw, None, draw(REFERENCES), draw(REFERENCES)
    )


def again(tried: DialogueSample) -> DialogueSample:
    """The same sample with nothing remembered."""
    return DialogueSample(
        tried.text, tried.dialogue, tried.lang, tried.raw, None, tried.example, tried.instruction
    )


@settings(deadline=None, max_examples=300)
@given(samples())
def test_any_text_gets_a_verdict_of_documented_codes(tried: DialogueSample) -> None:
    verdict = run_filters(tried)
    assert verdict.accepted == (not verdict.reasons)
    assert codes(verdict) <= {
        code for code, info in REJECT_CODES.items() if "filter" in info.stages
    }
    assert all(reason.stage == "filter" and reason.detail for reason in verdict.reasons)
    json.dumps(dict(verdict.measures), allow_nan=False)
    assert verdict == run_filters(again(tried))
    assert fingerprint(tried.dialogue) == fingerprint(again(tried).dialogue)


@settings(deadline=None, max_examples=60)
@given(samples(), st.permutations(DIALOGUE_FILTERS))
def test_the_order_of_filters_changes_only_the_order_of_reasons(
    tried: DialogueSample, filters: list[object]
) -> None:
    usual = run_filters(tried)
    other = run_filters(again(tried), FilterSettings(), tuple(filters))  # type: ignore[arg-type]
    assert sorted(other.reasons, key=repr) == sorted(usual.reasons, key=repr)
    assert dict(other.measures) == dict(usual.measures)


def test_filters_do_not_disturb_each_other() -> None:
    tried = sample("en")
    alone = [check(again(tried), FilterSettings()) for check in DIALOGUE_FILTERS]
    for first, second in permutations(range(len(DIALOGUE_FILTERS)), 2):
        shared = again(tried)
        DIALOGUE_FILTERS[first](shared, FilterSettings())
        assert DIALOGUE_FILTERS[second](shared, FilterSettings()) == alone[second]


def least_seconds(work: Callable[[], object]) -> float:
    """Processor seconds of the quickest of three rounds: a busy machine slows some, not all."""
    rounds = []
    for _ in range(3):
        start = time.process_time()
        work()
        rounds.append(time.process_time() - start)
    return min(rounds)


def huge(unit: str, size: int) -> str:
    return unit * (size // len(unit))


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param("the sensor sleeps ", id="words"),
        pytest.param("水井传感器", id="han"),
        pytest.param("a", id="one-word"),
        pytest.param(" ", id="space"),
        pytest.param("!", id="marks"),
        pytest.param("👍", id="emoji"),
        pytest.param("Bot: x. ", id="labels"),
        pytest.param(": ", id="colons"),
        pytest.param("[<{*`#", id="markup"),
        pytest.param("ไทย", id="thai"),
        pytest.param("é ", id="accents"),
        pytest.param("not no ", id="negations"),
        pytest.param("**  ", id="stars"),
        pytest.param("没有文中", id="negations-zh"),
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_length_of_a_turn_and_not_with_its_square(unit: str) -> None:
    reference = ReferenceText.of(SEGMENT["en"], SEGMENT["zh"])

    def judged(size: int) -> Callable[[], object]:
        text = huge(unit, size)
        return lambda: judge(
            sample(
                "zh",
                pairs={1: (text, text)},
                text=text,
                example=reference,
                instruction=reference,
            )
        )

    judged(1_000)()
    small = max(least_seconds(judged(20_000)), 0.01)
    # Eight times the length; a square would be 64 times the time.
    assert least_seconds(judged(160_000)) < 24 * small


def test_a_dialogue_of_very_many_turns_is_judged_in_linear_time() -> None:
    def judged(count: int) -> Callable[[], object]:
        pairs = {
            i: (f"How does the sensor number {i} sleep in well {i * 7}?", f"Sensor {i} sleeps.")
            for i in range(count)
        }
        return lambda: judge(sample("en", pairs=pairs))

    assert least_seconds(judged(1600)) < 24 * max(least_seconds(judged(200)), 0.01)
