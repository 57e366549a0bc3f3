"""A value at its threshold passes, the next one beyond it is refused; settings as values."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from filter_samples import PAIRS, codes, judge, sample

from generator.filters import FilterSettings, run_filters


def words(count: int, stem: str = "w") -> str:
    return " ".join(f"{stem}{i}" for i in range(count))


AT_THE_BOUND = {
    "min_pairs": ("too_few_turns", {"min_pairs": 4}, {"min_pairs": 5}, {}),
    "min_summary_tokens": (
        "short_summary",
        {"min_summary_tokens": 6},
        {"min_summary_tokens": 7},
        {"summary": "A sensor for wells is shown."},
    ),
    "max_summary_tokens": (
        "overlong_summary",
        {"max_summary_tokens": 6},
        {"max_summary_tokens": 5},
        {"summary": "A sensor for wells is shown."},
    ),
    "max_question_tokens": (
        "overlong_turn",
        {"max_question_tokens": 6},
        {"max_question_tokens": 5},
        {},
    ),
    "max_answer_tokens": (
        "overlong_turn",
        {"max_answer_tokens": 9},
        {"max_answer_tokens": 8},
        {"pairs": {2: ("What did it find?", words(9))}},
    ),
    # Five of ten content words stand in the text.
    "min_grounding": (
        "ungrounded",
        {"min_grounding": 0.5},
        {"min_grounding": 0.51},
        {"pairs": {2: ("What?", "Snow antenna winter battery nitrate " + words(5))}},
    ),
    # Three of five words.
    "max_echo": (
        "echo",
        {"max_echo": 0.6},
        {"max_echo": 0.59},
        {"turns": [("person", "Snow?"), ("bot", "ice covers the well"), ("person", "covers ice "
         "the lake?"), ("bot", "It does.")]},
    ),
    # Eight of ten words.
    "max_question_answer_overlap": (
        "echo",
        {"max_question_answer_overlap": 0.8},
        {"max_question_answer_overlap": 0.79},
        {"pairs": {2: (words(8) + " why?", words(8) + " nitrate")}},
    ),
    # Four of the six pairs of "a b a b a b a", as sequences of two.
    "max_loop_share": (
        "loop",
        {"max_loop_share": 0.67, "max_run_tokens": 50},
        {"max_loop_share": 0.66, "max_run_tokens": 50},
        {"pairs": {2: ("What?", "snow ice snow ice snow ice snow")}},
    ),
    "max_run_tokens": (
        "loop",
        {"max_run_tokens": 12, "max_loop_share": 1.0},
        {"max_run_tokens": 11, "max_loop_share": 1.0},
        {"pairs": {2: ("What?", "So it says " + "snow ice well " * 4)}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "at", "beyond", "changes"),
    [pytest.param(*case, id=name) for name, case in AT_THE_BOUND.items()],
)
def test_the_bound_itself_passes(
    code: str, at: dict[str, Any], beyond: dict[str, Any], changes: dict[str, Any]
) -> None:
    tried = sample("en", **changes)
    assert code not in codes(judge(tried, **at))
    assert code in codes(judge(tried, **beyond))


def test_questions_are_a_repeat_only_beyond_both_bounds() -> None:
    asked = "What did the field study of the sensor find?"
    tried = sample("en", pairs={1: ("So what " + asked[5:], "Fourteen months.")})
    assert "repeated_question" not in codes(judge(tried, max_question_similarity=1.0))
    assert "repeated_question" not in codes(judge(tried, max_content_overlap=1.0))
    loose = judge(tried, max_content_overlap=0.3, max_question_similarity=0.3)
    assert "repeated_question" in codes(loose)


def test_answers_of_few_words_are_not_judged_for_grounding() -> None:
    tried = sample("en", pairs={2: ("Who?", "Zebras, mostly.")})
    assert judge(tried).accepted
    assert codes(judge(tried, min_grounding_units=1)) == {"ungrounded"}


def test_measures_are_recorded_for_a_sound_dialogue() -> None:
    measures = judge(sample("en")).measures
    assert measures["pairs"] == 4
    assert measures["turns"] == 8
    assert measures["question_share"] == 1.0
    assert measures["answers_judged"] == 4
    assert 0.5 < float(measures["grounding_min"]) <= float(measures["grounding_mean"]) <= 1.0
    assert measures["loop_share"] == 0.0
    json.dumps(dict(measures), allow_nan=False)


def test_spans_point_at_the_label_in_the_raw_text() -> None:
    tried = sample("en", pairs={1: ("How long?", "Fourteen months. Bot: Or more.")})
    reason = next(r for r in judge(tried).reasons if r.code == "label_residue")
    assert reason.span is not None
    assert tried.raw[slice(*reason.span)] == "Bot:"
    assert reason.to_json() == {
        "stage": "filter",
        "code": "label_residue",
        "detail": "turn 4 holds “Bot:”",
        "span": list(reason.span),
    }


def test_a_turn_that_is_not_in_the_raw_text_letter_by_letter_is_placed_as_a_whole() -> None:
    turn = "Fourteen months. Bot: Or more."
    tried = sample("en", pairs={1: ("How long?", turn)}, raw="x" * 2000)
    reason = next(r for r in judge(tried).reasons if r.code == "label_residue")
    assert reason.span == tried.dialogue.turns[3].span


def test_settings_survive_json() -> None:
    settings = FilterSettings(off=frozenset(["loop", "echo"]), max_echo=0.5, min_pairs=3)
    written = json.loads(json.dumps(settings.to_json()))
    assert written["off"] == ["echo", "loop"]
    assert FilterSettings.from_json(written) == settings
    assert FilterSettings.from_json({}) == FilterSettings()


@pytest.mark.parametrize(
    ("values", "named"),
    [
        pytest.param({"max_eco": 0.5}, "max_eco", id="unknown"),
        pytest.param({"max_echo": 1.5}, "max_echo", id="share-above-one"),
        pytest.param({"max_echo": -0.1}, "max_echo", id="share-below-zero"),
        pytest.param({"max_echo": float("nan")}, "max_echo", id="nan"),
        pytest.param({"max_echo": "0.5"}, "max_echo", id="text"),
        pytest.param({"max_echo": True}, "max_echo", id="flag"),
        pytest.param({"min_pairs": 2.5}, "min_pairs", id="half-a-pair"),
        pytest.param({"min_pairs": -1}, "min_pairs", id="negative"),
        pytest.param({"off": [1]}, "off", id="code-is-a-number"),
    ],
)
def test_a_wrong_setting_is_named(values: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        FilterSettings.from_json(values)


def test_default_settings_are_those_of_run_filters() -> None:
    tried = sample("en", pairs={1: PAIRS["en"][0]})
    assert run_filters(tried) == run_filters(tried, FilterSettings())


def test_every_threshold_of_a_share_lies_within_it() -> None:
    for field in fields(FilterSettings):
        if isinstance(field.default, float):
            assert 0 < field.default < 1, field.name
