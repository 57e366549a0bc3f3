"""What makes an answer a refusal, and what a refusal has to say."""

from __future__ import annotations

import pytest

from parsers.citations import is_refusal, refusal_parts

REFUSALS = {
    "en": "Sorry, the documents do not say what the lamp costs. They mainly describe its battery.",
    "en-one-sentence": "I apologise, but neither document mentions the price of the lamp; "
    "the documents only discuss batteries and chargers.",
    "zh": "抱歉，所给文档没有提到这盏灯的价格，它们主要介绍了灯的电池。",
    "zh-hant": "抱歉，文檔中沒有關於這盞燈價格的資訊。這些文檔主要介紹電池。",
    "mixed": "抱歉，这些文档没有提到 LumoLamp 的 price，它们主要介绍 battery 和 charger。",
}
ANSWERS = {
    "en": "The lamp is blue[1]. The documents do not give its price.",
    "en-concession": "While the documents do not give the price, the lamp is blue[1].",
    "en-negation": "The lamp is not sold in the north[1]. It did not sell well there[2].",
    "zh": "这盏灯是蓝色的[1]。文档没有提到价格。",
    "zh-concession": "虽然文档没有提到价格，但这盏灯是蓝色的[1]。",
    "zh-negation": "这盏灯没有开关[1]。它不在北方销售[2]。",
}


@pytest.mark.parametrize("text", REFUSALS.values(), ids=REFUSALS)
def test_a_complete_refusal_is_known_with_all_its_parts(text):
    assert is_refusal(text)
    assert refusal_parts(text).complete


@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_with_something_missing_is_no_refusal(text):
    assert not is_refusal(text)


@pytest.mark.parametrize(
    ("text", "apologises", "missing", "covered"),
    [
        ("There is not enough information.", False, False, False),
        ("The documents do not mention the price of the lamp.", False, True, False),
        ("Sorry, the documents do not contain enough information.", True, False, False),
        ("Sorry, I cannot find the price of the lamp in the documents.", True, True, False),
        ("信息不足，无法回答。", False, False, False),
        ("文档没有提到灯的价格。", False, True, False),
        ("很抱歉，没有足够的信息来回答这个问题。", True, False, False),
        ("对不起，文档没有提到灯的价格。", True, True, False),
    ],
    ids=[
        "en-none",
        "en-missing",
        "en-sorry",
        "en-both",
        "zh-none",
        "zh-missing",
        "zh-sorry",
        "zh-both",
    ],
)
def test_parts_that_are_not_said_are_told(text, apologises, missing, covered):
    parts = refusal_parts(text)
    assert (parts.apologises, parts.says_missing, parts.says_covered) == (
        apologises,
        missing,
        covered,
    )
