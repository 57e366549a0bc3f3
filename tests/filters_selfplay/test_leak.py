"""What the person says and cannot know."""

from __future__ import annotations

import pytest
from selfplay_samples import DEFAULT, SOUND, SUMMARY, TEXT, sample

from generator.filters import DialogueSample
from generator.filters.selfplay import SelfPlayFilterSettings, leak
from parsers.dialogue.model import Dialogue, Turn

LEAKING = {
    "en": (
        ("Why does the vacuum chamber need magnetic bearings?", "They lower the friction."),
        ("Did passengers on the converted trams notice vibration?", "They noticed none."),
        ("Did dust get into it?", "Yes, twice."),
        ("Are flat sections worse?", "Yes."),
    ),
    "zh": (
        ("真空舱为什么需要磁悬浮轴承？", "可以降低摩擦。"),
        ("乘客在改装电车上感觉到振动了吗？", "没有感觉到。"),
        ("灰尘进入过吗？", "有过两次。"),
        ("平坦路段更差吗？", "是的。"),
    ),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_questions_from_the_summary_and_the_answers_leak_nothing(lang):
    result = leak(sample(lang), DEFAULT)
    assert result.reasons == ()
    assert result.measures["leaked_numbers"] == 0
    assert result.measures["leaked_phrases"] == 0
    assert result.measures["leak_share"] < 0.25


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_questions_from_the_text_are_a_leak(lang):
    result = leak(sample(lang, LEAKING[lang]), DEFAULT)
    assert [reason.code for reason in result.reasons] == ["leak"]
    assert result.measures["leak_share"] > 0.5
    assert result.measures["leaked_units"] >= 4
    assert result.measures["leaked_phrases"] >= 2


@pytest.mark.parametrize(
    ("lang", "question", "number"),
    [
        ("en", "Why were 240 kilograms chosen?", "240"),
        ("en", "Did it run on line 17?", "17"),
        ("zh", "为什么选择240公斤？", "240"),
        ("zh", "它在17号线上运行吗？", "17"),
    ],
)
def test_a_number_that_only_the_text_has_is_a_leak(lang, question, number):
    result = leak(sample(lang, questions={0: question}), DEFAULT)
    assert result.measures["leaked_numbers"] == 1
    assert [reason.code for reason in result.reasons] == ["leak"]
    assert number in result.reasons[0].detail
    allowed = SelfPlayFilterSettings(max_leaked_numbers=1)
    assert leak(sample(lang, questions={0: question}), allowed).reasons == ()


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("en", "Is 23 percent more than expected?"),
        ("en", "Why only 9 percent?"),
        ("zh", "23%是否高于预期？"),
        ("zh", "为什么只有9%？"),
    ],
)
def test_a_number_that_the_bot_has_said_is_no_leak(lang, question):
    assert leak(sample(lang, questions={2: question}), DEFAULT).measures["leaked_numbers"] == 0


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("en", "Does RailSpin store the energy of every braking?"),
        ("en", "Where in the hilly cities were the flywheels tried?"),
        ("en", "How does the method compare with others, and what are its limitations?"),
        ("en", "Which one performs best, and by what percentage?"),
        ("en", "What did the authors do in these 2 or 10 trials?"),
        ("zh", "飞轮怎样储存能量？"),
        ("zh", "这种方法和其他方法相比有什么优点和不足？"),
        ("zh", "试验在哪些山城进行？"),
        ("zh", "作者做了几次试验，2次还是10次？"),
    ],
)
def test_words_of_the_summary_and_of_any_question_are_free(lang, question):
    result = leak(sample(lang, ((question, "…"),)), DEFAULT)
    assert result.measures["leaked_units"] == 0
    assert result.reasons == ()


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("en", "What does the flywheel weigh, and does it vibrate?"),
        ("zh", "飞轮有多重，会有噪声和振动吗？"),
    ],
)
def test_a_good_guess_is_measured_and_passes(lang, question):
    result = leak(sample(lang, questions={0: question}), DEFAULT)
    assert result.reasons == ()


@pytest.mark.parametrize(
    ("share", "units", "rejected"), [(0.99, 1, False), (0.5, 4, True), (0.5, 99, False)]
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_share_counts_from_its_number_of_units_on(lang, share, units, rejected):
    settings = SelfPlayFilterSettings(
        max_leak_share=share, min_leaked_units=units, max_leaked_numbers=99, max_leaked_phrases=99
    )
    result = leak(sample(lang, LEAKING[lang]), settings)
    assert bool(result.reasons) is rejected


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_phrases_at_the_threshold_pass(lang):
    phrases = leak(sample(lang, LEAKING[lang]), DEFAULT).measures["leaked_phrases"]
    assert isinstance(phrases, int)
    for most, rejected in ((phrases, False), (phrases - 1, True)):
        settings = SelfPlayFilterSettings(
            max_leaked_phrases=most, max_leak_share=1.0, max_leaked_numbers=99
        )
        assert bool(leak(sample(lang, LEAKING[lang]), settings).reasons) is rejected


def test_a_canary_of_the_text_is_found():
    told = sample("en", questions={1: "What about code 48151623 in the paper?"})
    planted = DialogueSample(TEXT["en"] + " Code 48151623.", told.dialogue)
    assert leak(told, DEFAULT).reasons == ()
    assert [reason.code for reason in leak(planted, DEFAULT).reasons] == ["leak"]


def test_a_dialogue_without_a_person_has_nothing_to_measure():
    silent = DialogueSample(TEXT["en"], Dialogue(SUMMARY["en"], (Turn("bot", SOUND["en"][0][1]),)))
    assert leak(silent, DEFAULT).measures == {}


def test_the_place_is_the_first_turn_that_leaks():
    told = sample("en", questions={1: "Why were 240 kilograms chosen?"})
    placed = Dialogue(
        told.dialogue.summary,
        tuple(
            Turn(turn.speaker, turn.text, (100 * at, 100 * at + len(turn.text)))
            for at, turn in enumerate(told.dialogue.turns)
        ),
    )
    (reason,) = leak(DialogueSample(TEXT["en"], placed), DEFAULT).reasons
    assert reason.span is not None
    assert reason.span[0] == 200
