"""The grammar made from a segment: only its sentences answer, and the parser reads the result."""

from __future__ import annotations

import json
import re
import time

import pytest
from grammar_walk import Grammar, unescape
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.grammar import (
    TooFewSentences,
    dialogue_json_schema,
    free_grammar,
    sentence_grammar,
    usable_sentences,
)
from generator.grammar.gbnf import literal
from generator.values import Constraint
from parsers.dialogue import Dialogue, parse_dialogue

ENGLISH = (
    "Rain gauges on roofs lose accuracy when leaves fall into them. "
    "We present Dripcheck, a method that finds blocked gauges from their readings. "
    'The method compares each gauge with its "nearest" neighbours \\ after every storm. '
    "A blocked gauge reports rain for hours, because the water drains slowly. "
    "The server stores 40,000 readings in one table. "
    "Dripcheck removes {curly} readings and (round) ones, e.g. those of Fig. 2. "
    "Most gauges were cleaned within two days. "
    "The median delay is three hours. "
    "Volunteers can see the state of their gauge on a map."
)
CHINESE = (
    "屋顶的雨量计常常被落叶堵塞。本文提出一种检测方法“滴查”，用来发现堵塞的雨量计。"
    "该方法把每个雨量计与邻近的雨量计进行比较。堵塞的雨量计会连续几小时报告降雨，因为积水排得很慢。"
    "服务器存储最近一年的全部读数。志愿者可以在地图上查看雨量计的状态。"
    "当读数超过阈值时，系统向志愿者发送一条消息。实验结果表明，检测的延迟只有三个小时。"
)


def body_of(constraint: Constraint | TooFewSentences) -> str:
    assert isinstance(constraint, Constraint)
    assert constraint.kind == "gbnf"
    return constraint.body


@pytest.mark.parametrize(("text", "lang"), [(ENGLISH, "en"), (CHINESE, "zh")], ids=["en", "zh"])
@pytest.mark.parametrize("seed", range(20))
def test_what_the_grammar_allows_is_a_dialogue_of_the_text(text: str, lang: str, seed: int) -> None:
    raw = Grammar(body_of(sentence_grammar(text, lang))).derive(seed)
    parsed = parse_dialogue(raw)
    assert isinstance(parsed, Dialogue)
    assert [turn.speaker for turn in parsed.turns] == ["person", "bot"] * 4
    answers = [turn.text for turn in parsed.turns if turn.speaker == "bot"]
    questions = [turn.text for turn in parsed.turns if turn.speaker == "person"]
    usable = usable_sentences(text)
    assert [usable.index(answer) for answer in answers] == sorted(map(usable.index, answers))
    assert len({*answers}) == len({*questions}) == 4
    assert all(question.endswith(("?", "？")) for question in questions)
    assert any(sentence in parsed.summary for sentence in usable)
    assert not any(answer in parsed.summary for answer in answers)


def test_the_form_in_english() -> None:
    raw = Grammar(body_of(sentence_grammar(ENGLISH, "en", pairs=2))).derive(1)
    assert re.fullmatch(
        r"Summary: [^\n]+\nAnswer 1: [^\n]+\nQuestion 1: [^\n]+\?\n"
        r"Answer 2: [^\n]+\nQuestion 2: [^\n]+\?",
        raw,
    )


def test_the_form_in_chinese() -> None:
    raw = Grammar(body_of(sentence_grammar(CHINESE, "zh", pairs=2))).derive(1)
    assert re.fullmatch(
        r"摘要：[^\n]+\n回答1：[^\n]+\n问题1：[^\n]+？\n回答2：[^\n]+\n问题2：[^\n]+？", raw
    )


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("", 0),
        ("One sentence that is long enough to stand as an answer here.", 1),
        ("Short. No. Yes. " * 50, 0),
        ("The same sentence that is long enough to stand as an answer. " * 50, 1),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26. " * 9, 0),
        ("Is this a question that is long enough to stand as an answer here? " * 9, 0),
    ],
    ids=["empty", "one", "short", "repeated", "numbers", "questions"],
)
def test_too_few_sentences_are_a_result_of_their_own(text: str, usable: int) -> None:
    assert sentence_grammar(text, "en") == TooFewSentences(usable, 5)


def test_sentences_that_no_rule_understands_get_a_free_question() -> None:
    text = " ".join(
        f"Und dieser deutsche Satz Nummer {word} steht hier ganz ohne jede Regel."
        for word in ("eins", "zwei", "drei", "vier", "fünf", "sechs")
    )
    raw = Grammar(body_of(sentence_grammar(text, "en"))).derive(3)
    assert len(re.findall(r"^Question \d: (?:What|How|Which)(?: [a-z]+){3,9}\?$", raw, re.M)) == 4


def test_characters_that_have_no_place_in_a_line_make_a_sentence_unfit() -> None:
    good = "This sentence is long enough to stand as an answer in a dialogue."
    for bad in ("\x00", "\x1b", "\ud800", "\ue000", "\U000fffff"):
        assert usable_sentences(f"{good} This one holds {bad} and would be long enough too.") == (
            good,
        )


def test_a_line_break_inside_a_sentence_becomes_a_space() -> None:
    text = "This sentence is broken\u2028in two lines and\nlong enough to stand as an answer."
    assert usable_sentences(text) == (
        "This sentence is broken in two lines and long enough to stand as an answer.",
    )


def test_a_long_text_gives_a_short_grammar_in_little_time() -> None:
    text = " ".join(
        f"The module number {n} reads {n} values and writes the sum to its output."
        for n in range(9000)
    )
    started = time.process_time()
    body = body_of(sentence_grammar(text, "en"))
    assert len(body) < 20_000
    assert time.process_time() - started < 20


@settings(deadline=None, max_examples=200)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_every_character_survives_as_a_literal(text: str) -> None:
    written = literal(text)
    assert unescape(written[1:-1]) == text
    assert written.isprintable()


def test_a_lone_surrogate_cannot_be_a_literal() -> None:
    with pytest.raises(ValueError, match="U\\+D800"):
        literal("a\ud800")


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.text(
            st.sampled_from('The a is we it keeps stores "\\[]{}().,;:!?。，是在把的\n\u2028 x'),
            max_size=90,
        ),
        max_size=12,
    ),
    st.sampled_from(["en", "zh"]),
    st.integers(0, 99),
)
def test_any_text_gives_a_sound_grammar_or_too_few(parts: list[str], lang: str, seed: int) -> None:
    made = sentence_grammar(". ".join(parts) + ".", "zh" if lang == "zh" else "en")
    if isinstance(made, Constraint):
        assert Grammar(made.body).derive(seed).count("\n") == 8


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_free_grammar_has_the_labels(lang: str) -> None:
    raw = Grammar(free_grammar(lang, pairs=3).body).derive(0)
    parsed = parse_dialogue(raw)
    assert isinstance(parsed, Dialogue)
    assert [turn.speaker for turn in parsed.turns] == ["person", "bot"] * 3


def test_the_json_schema_is_strict() -> None:
    made = dialogue_json_schema(pairs=2)
    assert made.kind == "json_schema"
    schema = json.loads(made.body)
    turns = schema["properties"]["turns"]
    assert list(schema["properties"]) == schema["required"] == ["summary", "turns"]
    assert list(turns["items"]["properties"]) == turns["items"]["required"] == ["speaker", "text"]
    assert schema["additionalProperties"] is turns["items"]["additionalProperties"] is False
    assert (turns["minItems"], turns["maxItems"]) == (4, 4)
    assert turns["items"]["properties"]["speaker"]["enum"] == ["person", "bot"]
