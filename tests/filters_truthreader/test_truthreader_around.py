"""What is not one filter: settings, places, other documents that answer, repeated questions."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from truthreader_samples import ANSWER, DOCUMENTS, QUESTION, answered

from generator.filters.truthreader import (
    TRUTHREADER_CODES,
    TruthReaderFilterSettings,
    TruthReaderSample,
    answers_elsewhere,
    duplicate_question,
    judge_truthreader,
    new_question_index,
    truthreader_measures,
)
from parsers.citations import normalise_citations, repair_citations


def test_settings_come_back_from_json():
    changed = TruthReaderFilterSettings(off=frozenset({"loop"}), min_margin=0.2, max_documents=6)
    assert TruthReaderFilterSettings.from_json(json.loads(json.dumps(changed.to_json()))) == changed
    assert TruthReaderFilterSettings.from_json({}) == TruthReaderFilterSettings()


@pytest.mark.parametrize(
    "values",
    [
        {"min_margins": 1},
        {"min_margin": 1.5},
        {"min_margin": "much"},
        {"max_documents": -1},
        {"max_documents": 0.5},
        {"max_history": True},
        {"off": [1]},
    ],
    ids=str,
)
def test_settings_that_cannot_be_are_named(values):
    with pytest.raises(ValueError, match=next(iter(values))):
        TruthReaderFilterSettings.from_json(values)


@pytest.mark.parametrize(("lang", "stray"), [("en", "【7】"), ("zh", "［７］")])
def test_a_reason_tells_its_place_in_the_raw_output(lang, stray):
    raw = "<<" + ANSWER[lang].replace("[2]", stray) + ">>"
    normalised = normalise_citations(raw[2:-2], 3)
    repaired = repair_citations(normalised.text, [("", "x"), ("", "y"), ("", "z")])
    sample = answered(lang, answer=repaired.text, rewritings=(normalised, repaired), raw_start=2)
    reasons = {reason.code: reason for reason in judge_truthreader(sample).reasons}
    place = reasons["marker_out_of_range"].span
    assert place is not None
    assert stray in raw[slice(*place)]
    assert place[1] - place[0] <= len(stray) + 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_remaining_document_that_still_answers_is_named(lang):
    gold = DOCUMENTS[lang][0][1]
    asked = {"en": "Who built the lamp of Veldhaven?", "zh": "维港灯是谁建造的？"}[lang]
    again = {
        "en": "In 1931 the mill workers of the town built the lamp of Veldhaven, a blue one.",
        "zh": "1931年，镇上的纺织工人建造了维港灯，维港灯由纺织工人于1931年建造，最初燃烧鲸油。",
    }[lang]
    left = [*DOCUMENTS[lang][1:], ("", again)]
    assert answers_elsewhere(asked, gold, left) == [2]
    assert answers_elsewhere(asked, gold, [*left[:2], ("", gold)]) == [2]
    assert answers_elsewhere(asked, gold, []) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_question_that_was_asked_before_is_named_with_its_record(lang):
    index = new_question_index(TruthReaderFilterSettings())
    assert not duplicate_question(QUESTION[lang], index.add([QUESTION[lang]])).reasons
    other = {"en": "How high is the pillar of the lamp?", "zh": "石柱有几米高？"}[lang]
    assert not duplicate_question(other, index.add([other])).reasons
    again = {
        "en": "How often does the horn sound, and who built the lamp of Veldhaven?",
        "zh": "维港雾号多久鸣响一次，维港灯是谁建造的？",
    }[lang]
    reasons = duplicate_question(again, index.find([again])).reasons
    assert [(reason.stage, reason.code) for reason in reasons] == [("corpus", "duplicate_question")]
    assert "record 1" in reasons[0].detail


TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["The lamp ", "is blue", "[1]", "[2]", "[9]", ". ", "。", "灯是", "蓝色的", "\n", '"']
        ),
        max_size=12,
    ).map("".join),
)


@settings(deadline=None, max_examples=120)
@given(
    TEXT,
    st.lists(TEXT, max_size=4),
    st.lists(st.tuples(TEXT, TEXT), max_size=4),
    TEXT,
    st.booleans(),
    st.sampled_from(["en", "zh", "fr"]),
)
def test_any_sample_has_a_verdict_with_known_codes(
    asked, before, documents, said, answerable, lang
):
    sample = TruthReaderSample(
        asked, tuple(before), tuple(documents), said, answerable=answerable, lang=lang
    )
    verdict = judge_truthreader(sample)
    assert {reason.code for reason in verdict.reasons} <= set(TRUTHREADER_CODES)
    json.dumps(dict(verdict.measures), allow_nan=False)
    record = {
        "question": asked,
        "history": before,
        "documents": [{"title": title, "document": text} for title, text in documents],
        "answer": said,
    }
    json.dumps(truthreader_measures(record), allow_nan=False)


@pytest.mark.parametrize("piece", ["The lamp is blue[1]. ", "灯是蓝色的[1]。", '"', "[1]", "a"])
def test_judging_takes_time_in_proportion_to_the_length(piece):
    def taken(length: int) -> float:
        text = piece * (length // len(piece))
        sample = TruthReaderSample(text, (text,), (("t", text), ("u", "lamp")), text)
        start = time.process_time()
        judge_truthreader(sample)
        return time.process_time() - start

    taken(1_000)
    short, long = taken(4_000), taken(32_000)
    # eight times the length: a square would take 64 times the time
    assert long < 24 * max(short, 0.003)
