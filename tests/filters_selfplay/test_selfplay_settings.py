"""The settings, the filters together, their codes and their speed."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selfplay_samples import MISSING, sample

from generator.filters import DIALOGUE_FILTERS, DialogueSample, FilterSettings, run_filters
from generator.filters.selfplay import (
    SELFPLAY_CODES,
    SELFPLAY_FILTERS,
    SelfPlayFilterSettings,
    selfplay_filters,
)
from parsers.dialogue.model import Dialogue, Turn

FILTERS = selfplay_filters(SelfPlayFilterSettings())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_sound_dialogue_passes_every_filter_and_leaves_its_measures(lang):
    verdict = run_filters(sample(lang), FilterSettings(), (*DIALOGUE_FILTERS, *FILTERS))
    assert verdict.accepted, verdict.reasons
    assert {
        "leak_share",
        "leaked_units",
        "leaked_numbers",
        "leaked_phrases",
        "generic_questions",
        "generic_share",
        "questions_per_turn_max",
        "unanswerable_turns",
        "unanswerable_share",
        "unanswerable_at",
    } <= set(verdict.measures)


def test_codes_are_switched_off_with_those_of_all_filters():
    spoiled = sample("en", answers=dict.fromkeys(range(4), MISSING["en"]))
    assert not run_filters(spoiled, FilterSettings(), FILTERS).accepted
    off = FilterSettings(off=frozenset({"all_unanswerable"}))
    assert run_filters(spoiled, off, FILTERS).accepted


def test_settings_come_back_from_json():
    changed = SelfPlayFilterSettings(max_leak_share=0.25, max_generic_questions=0)
    assert SelfPlayFilterSettings.from_json(json.loads(json.dumps(changed.to_json()))) == changed
    assert SelfPlayFilterSettings.from_json({}) == SelfPlayFilterSettings()


@pytest.mark.parametrize(
    "values",
    [
        {"max_leak": 1},
        {"max_leak_share": 1.5},
        {"max_leak_share": "much"},
        {"max_generic_questions": -1},
        {"max_generic_questions": 0.5},
        {"max_leaked_numbers": True},
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_named(values):
    with pytest.raises(ValueError, match=next(iter(values))):
        SelfPlayFilterSettings.from_json(values)


@settings(deadline=None, max_examples=80)
@given(
    st.text(max_size=80),
    st.lists(st.tuples(st.sampled_from(["person", "bot"]), st.text(max_size=40)), max_size=6),
    st.text(max_size=200),
)
def test_any_dialogue_has_a_verdict_with_known_codes(summary, turns, text):
    told = DialogueSample(text, Dialogue(summary, tuple(Turn(*turn) for turn in turns)))
    for check in SELFPLAY_FILTERS:
        result = check(told, SelfPlayFilterSettings())
        assert {reason.code for reason in result.reasons} <= set(SELFPLAY_CODES)
        json.dumps(dict(result.measures), allow_nan=False)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_filters_together_cost_less_than_reading_the_dialogue(lang):
    def seconds(judge, told) -> float:
        start = time.process_time()
        judge(told)
        return time.process_time() - start

    def own(told):
        return run_filters(told, FilterSettings(), FILTERS)

    shared, alone = 1.0, 1.0
    for _ in range(30):
        told = sample(lang)
        shared = min(shared, seconds(run_filters, told))  # tokenises what all filters share
        alone = min(alone, seconds(own, told))
    assert alone < 2 * shared
