"""What kind of question it is, in English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.text.question_types import QUESTION_TYPES, question_type

CASES = {
    "fact": [
        "When was the lamp built?",
        "How many lamps are there in the harbour?",
        "Who keeps the horn?",
        "And where does it stand?",
        "What is a tidal gauge?",
        "维港灯建于哪一年？",
        "雾号是谁铸造的？",
        "验潮仪是什么？",
        "LumoLamp 的价格是多少？",
    ],
    "explanation": [
        "Why was the wick replaced?",
        "How does the gauge work?",
        "Please explain the tax on herring.",
        "What is the purpose of the horn?",
        "为什么更换灯芯？",
        "验潮仪是如何工作的？",
        "雾号的原理是什么？",
    ],
    "comparison": [
        "What is the difference between the lamp and the horn?",
        "Is the lamp older than the horn?",
        "Compare the lamp and the gauge.",
        "灯和雾号有什么区别？",
        "与雾号相比，灯的费用高吗？",
        "哪个更旧，灯还是雾号？",
    ],
    "list": [
        "List the parts of the horn.",
        "Which materials were used for the lamp?",
        "What are some notable lamps of the coast?",
        "Who are some notable people of Veldhaven?",
        "雾号有哪些部件？",
        "请列举港口的三盏灯。",
        "捐款人分别是谁？",
    ],
    "yes_no": [
        "Is the lamp blue?",
        "Does the keeper wind the clockwork each day?",
        "Has the lamp ever been moved?",
        "这盏灯是蓝色的吗？",
        "雾号是否每天上弦？",
        "灯有没有搬动过？",
    ],
    "topic": [
        "History of the lamp of Veldhaven and its keepers.",
        "tidal gauges",
        "Can you tell me about the lamp?",
        "I'd like to know more about the horn.",
        "Tell me about the harbour.",
        "请介绍一下维港灯。",
        "能介绍一下这个港口的历史吗？",
        "维港灯的历史",
    ],
}
PAIRS = [(kind, text) for kind, texts in CASES.items() for text in texts]


@pytest.mark.parametrize(("kind", "text"), PAIRS, ids=[text[:30] for _, text in PAIRS])
def test_the_kind_is_told(kind, text):
    assert question_type(text) == kind


def test_every_kind_has_its_cases():
    assert set(CASES) == set(QUESTION_TYPES)


@given(st.text(max_size=80), st.sampled_from([None, "en", "zh", "ru"]))
def test_any_text_has_a_kind(text, lang):
    assert question_type(text, lang) in QUESTION_TYPES
