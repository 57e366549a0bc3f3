"""How far a document supports a stretch of text, and markers set by it."""

from __future__ import annotations

import pytest

from parsers.citations import (
    content_support,
    is_connective,
    normalise_citations,
    repair_citations,
    support,
)

LAMP = {
    "en": ("Lamp", "The lamp of Veldhaven was built by mill workers in 1931 and burns whale oil."),
    "zh": ("灯", "维港灯由纺织工人于1931年建造，最初燃烧鲸油。"),
}
HORN = {
    "en": ("Horn", "The horn sounds every forty seconds and was paid for with a tax on herring."),
    "zh": ("雾号", "雾号每隔四十秒鸣响一次，费用由渔民用鲱鱼税支付。"),
}
GAUGE = {
    "en": ("Gauge", "A float in a pipe measures the level of the sea."),
    "zh": ("验潮仪", "管道里的浮子测量海面高度。"),
}


def documents(lang: str) -> list[tuple[str, str]]:
    return [LAMP[lang], HORN[lang], GAUGE[lang]]


@pytest.mark.parametrize(
    ("span", "document", "expected"),
    [
        ("The lamp is blue", "the LAMP is blue.", 1.0),
        ("the lamp the lamp", "the lamp", 0.5),
        ("blue lamp", "a red lamp", 0.5),
        ("", "a red lamp", 0.0),
        ("…", "a red lamp", 0.0),
        ("蓝色的灯", "这盏灯是蓝色的", 1.0),
        ("蓝灯", "红灯", 0.5),
        ("LumoLamp是蓝色", "lumolamp 很红", 0.25),
        ("ＬＡＭＰ", "lamp", 1.0),
    ],
    ids=["same", "twice", "half", "empty", "no-word", "zh", "zh-half", "mixed", "full-width"],
)
def test_support_is_the_share_of_the_tokens(span, document, expected):
    assert support(span, document) == expected


@pytest.mark.parametrize(
    ("span", "document"),
    [
        ("It was in the north and it was of the best", "And it was in the best of the wrecks"),
        ("这是在北方的，也是最好的", "那是在南方的，也是最大的"),
    ],
    ids=["en", "zh"],
)
def test_function_words_alone_support_little(span, document):
    assert support(span, document) > 0.6
    assert content_support(span, document) < 0.51


BROKEN = {
    "en-missing": (
        "The lamp was built by mill workers in 1931. The horn sounds every forty seconds[2].",
        "The lamp was built by mill workers in 1931[1]. The horn sounds every forty seconds[2].",
        [((), (1,))],
    ),
    "en-wrong": (
        "The lamp was built by mill workers in 1931[3].",
        "The lamp was built by mill workers in 1931[1].",
        [((3,), (1,))],
    ),
    "en-out-of-range": (
        "The horn sounds every forty seconds[7].",
        "The horn sounds every forty seconds[2].",
        [((7,), (2,))],
    ),
    "en-out-of-range-beside-a-good-one": (
        "The horn sounds every forty seconds[2][7].",
        "The horn sounds every forty seconds[2].",
        [((2, 7), (2,))],
    ),
    "en-idle": (
        "The horn sounds every forty seconds[1][2].",
        "The horn sounds every forty seconds[2].",
        [((1, 2), (2,))],
    ),
    "en-quotation": (
        'The plate says "the horn was paid for with a tax on herring."',
        'The plate says "the horn was paid for with a tax on herring[2]."',
        [((), (2,))],
    ),
    "en-two-in-a-sentence": (
        "Mill workers built the lamp in 1931[2], and the horn sounds every forty seconds[1].",
        "Mill workers built the lamp in 1931[1], and the horn sounds every forty seconds[2].",
        [((2,), (1,)), ((1,), (2,))],
    ),
    "zh-missing": (
        "维港灯由纺织工人于1931年建造。雾号每隔四十秒鸣响一次[2]。",
        "维港灯由纺织工人于1931年建造[1]。雾号每隔四十秒鸣响一次[2]。",
        [((), (1,))],
    ),
    "zh-wrong": (
        "维港灯由纺织工人于1931年建造[2]。",
        "维港灯由纺织工人于1931年建造[1]。",
        [((2,), (1,))],
    ),
    "zh-quotation": (
        "牌子上写着：“雾号每隔四十秒鸣响一次。”",
        "牌子上写着：“雾号每隔四十秒鸣响一次[2]。”",
        [((), (2,))],
    ),
    "mixed": (
        "维港灯（Lamp of Veldhaven）由纺织工人于1931年建造。",
        "维港灯（Lamp of Veldhaven）由纺织工人于1931年建造[1]。",
        [((), (1,))],
    ),
}


@pytest.mark.parametrize(("text", "expected", "changed"), BROKEN.values(), ids=BROKEN)
def test_a_missing_or_wrong_marker_gets_the_document_that_clearly_supports(text, expected, changed):
    lang = "en" if text.isascii() else "zh"
    found = repair_citations(text, documents(lang))
    assert found.text == expected
    assert [(repair.old, repair.new) for repair in found.repairs] == changed
    assert all(repair.support >= 0.6 for repair in found.repairs)
    assert repair_citations(expected, documents(lang)).repairs == ()


LEFT = {
    "en-sound": "The lamp was built by mill workers in 1931[1].",
    "en-no-support": "Critics abroad praised its modest elegance warmly.",
    "en-refusal": "Sorry, the documents do not say who built the horn. They describe the lamp.",
    "en-missing": "The documents do not say who the mill workers of Veldhaven were in 1931.",
    "en-lead-in": "The lamp was built by these mill workers of Veldhaven:",
    "en-summary": "In summary:",
    "en-courtesy": "I hope this helps with the lamp of Veldhaven!",
    "zh-sound": "维港灯由纺织工人于1931年建造[1]。",
    "zh-no-support": "国外评论家热烈赞扬了那份朴素优雅。",
    "zh-refusal": "抱歉，文档没有提到雾号由谁铸造，只介绍了维港灯。",
    "zh-lead-in": "维港灯的建造者如下：",
    "zh-courtesy": "希望这些关于维港灯的内容对您有帮助。",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_sound_unsupported_or_claims_nothing_is_left_alone(text):
    found = repair_citations(text, documents("en" if text.isascii() else "zh"))
    assert found.text == text
    assert not found.repairs
    assert not found.changes


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_two_documents_that_say_the_same_are_not_decided_between(lang):
    text = LAMP[lang][1]
    assert repair_citations(text, [LAMP[lang], LAMP[lang], GAUGE[lang]]).text == text


def test_the_thresholds_decide():
    text = "The lamp of Veldhaven was built by diligent weavers from town."
    assert not repair_citations(text, documents("en"), min_support=0.9).repairs
    assert repair_citations(text, documents("en"), min_support=0.3).repairs
    assert not repair_citations(text, documents("en"), min_support=0.3, min_margin=0.9).repairs


def test_places_of_a_repaired_text_lead_back_to_the_raw_one():
    raw = "The lamp was built by mill workers in 1931. The horn sounds every forty seconds. 【2】"
    normalised = normalise_citations(raw, 3)
    repaired = repair_citations(normalised.text, documents("en"))
    start = repaired.text.index("[1]")
    place = normalised.old_span(*repaired.old_span(start, start + 3))
    assert place == (raw.index("."), raw.index("."))
    start = repaired.text.index("[2]")
    first, last = normalised.old_span(*repaired.old_span(start, start + 3))
    assert "【2】" in raw[first:last]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In summary:", True),
        ("Certainly!", True),
        ("Here are the main points.", True),
        ("1.", True),
        ("It was built in 1931.", False),
        ("The lamp was built by mill workers.", False),
        ("总之：", True),
        ("当然！", True),
        ("以下是主要内容：", True),
        ("它建于1931年。", False),
        ("维港灯由纺织工人建造。", False),
    ],
)
def test_sentences_that_claim_nothing_are_known(sentence, expected):
    assert is_connective(sentence) is expected
