"""Similarity, repetition, scripts, questions and refusals."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers.text.content import view
from parsers.text.questions import is_question
from parsers.text.refusals import (
    is_declining,
    is_not_enough_information,
    may_decline,
    may_lack_answer,
)
from parsers.text.repetition import Run, longest_run, loop_share, repeated_pairs, repeated_share
from parsers.text.scripts import count_scripts, has_han, has_latin, least_letters
from parsers.text.similarity import MAX_SEQUENCE, jaccard, lcs_length, precision, rouge_l_f
from parsers.text.tokens import tokens

LETTERS = st.lists(st.sampled_from("abcd"), max_size=14)


def test_shares_of_nothing_are_zero() -> None:
    assert jaccard(set(), set()) == precision(set(), {"a"}) == rouge_l_f([], ["a"]) == 0.0


def test_known_shares() -> None:
    assert jaccard({"a", "b", "c"}, {"b", "c", "d"}) == 0.5
    assert precision({"a", "b"}, {"b", "c"}) == 0.5
    assert rouge_l_f(list("abcd"), list("acd")) == pytest.approx(6 / 7)


@settings(deadline=None, max_examples=200)
@given(LETTERS, LETTERS)
def test_lcs_is_the_longest_common_subsequence(left: list[str], right: list[str]) -> None:
    @cache
    def longest(i: int, j: int) -> int:
        if i == len(left) or j == len(right):
            return 0
        if left[i] == right[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    assert lcs_length(left, right) == longest(0, 0) == lcs_length(right, left)


def test_rouge_reads_a_bounded_part() -> None:
    same = ["a"] * MAX_SEQUENCE
    assert rouge_l_f(same + ["b"] * 9999, same + ["c"] * 9999) == 1.0


@settings(deadline=None, max_examples=200)
@given(LETTERS, st.integers(2, 6))
def test_longer_sequences_never_repeat_more_often(found: list[str], n: int) -> None:
    repeats = repeated_share(found, n) * max(len(found) - n + 1, 0)
    assert repeats <= repeated_pairs(found) + 1e-9


@pytest.mark.parametrize(
    ("text", "share"),
    [
        pytest.param("I'm here. I'm here.", 0.4, id="said-twice"),
        pytest.param("我在这里。我在这里。", 3 / 7, id="said-twice-zh"),
        pytest.param("No. No. No.", 0.0, id="too-short"),
        pytest.param("one two three four five six seven eight", 0.0, id="none"),
        pytest.param("", 0.0, id="empty"),
    ],
)
def test_loop_share(text: str, share: float) -> None:
    assert loop_share(tokens(text)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "run"),
    [
        pytest.param("x y a b a b a b a b a b a b q", Run(2, 12, 6), id="inside"),
        pytest.param("a " * 20, Run(0, 20, 20), id="one-token"),
        pytest.param("a b a c " * 4, Run(0, 16, 4), id="token-twice-in-a-block"),
        pytest.param("a b c d e f g h a b c d e f g h", None, id="two-rounds"),
        pytest.param("a b a b a b", None, id="short"),
        pytest.param("", None, id="empty"),
    ],
)
def test_longest_run(text: str, run: Run | None) -> None:
    assert longest_run(text.split()) == run


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from("abc"), max_size=60))
def test_a_run_is_what_it_says(found: list[str]) -> None:
    run = longest_run(found)
    if run is None:
        return
    period = run.length // run.rounds
    assert run.rounds >= 3
    assert run.length >= 12
    block = found[run.start : run.start + run.length]
    assert len(block) == run.length
    assert any(block[p:] == block[:-p] for p in range(1, period + 1))


def test_scripts_are_counted() -> None:
    counts = count_scripts("BERT 模型 42 é я")
    assert (counts.han, counts.latin, counts.letters) == (2, 5, 8)
    assert [has_han(text) for text in ("a模", "かな", "abc")] == [True, False, False]
    assert [has_latin(text) for text in ("a模", "é", "模", "4")] == [True, True, False, False]


@settings(deadline=None, max_examples=200)
@given(st.text(st.one_of(st.characters(), st.sampled_from("aZé模型🎉 4"))))
def test_letters_at_least_are_no_more_than_all(text: str) -> None:
    counts = count_scripts(text)
    assert least_letters(text, "han") == counts.han
    assert least_letters(text, "latin") <= counts.latin


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        pytest.param("How fast is it?", True, id="mark"),
        pytest.param("and what about the window", True, id="opening"),
        pytest.param("Tell me more about W.", True, id="request"),
        pytest.param("缓存有多大？", True, id="mark-zh"),
        pytest.param("那它有什么局限", True, id="word-zh"),
        pytest.param("请解释一下窗口。", True, id="request-zh"),
        pytest.param("ما هذا؟", True, id="arabic"),
        pytest.param("Thanks, that helps.", False, id="thanks"),
        pytest.param("The section presents a cache.", False, id="statement"),
        pytest.param("Whatever it is, I see.", False, id="prefix-of-a-question-word"),
        pytest.param("谢谢，明白了。", False, id="thanks-zh"),
        pytest.param("", False, id="empty"),
    ],
)
def test_is_question(text: str, asks: bool) -> None:
    assert is_question(text) is asks


MISSING = {
    "en": [
        "There is not enough information in the text.",
        "There isn't enough information to answer that.",
        "Sorry, but the given documents do not contain any information about it.",
        "The paper does not mention the training time.",
        "The authors don't say.",
        "That is not mentioned in the passage.",
        "It isn’t specified.",
        "No information about the cost is given.",
        "I cannot answer this from the text.",
        "This question cannot be answered from the given text.",
        "Insufficient information.",
        "The text gives no details on that.",
        "There isn't any mention of the cost in the text.",
        "It is unclear from the given text.",
    ],
    "zh": [
        "没有足够的信息。",
        "信息不足，无法回答。",
        "文中没有提到训练时间。",
        "抱歉，根据给定的文档无法回答这个问题。",
        "本文未给出具体数字。",
        "文章没有说明原因。",
        "给定的资料中没有找到相关信息。",
        "文本中未提及成本。",
        "未提及。",
        "文中沒有足夠的資訊。",
        "資訊不足，無法回答。",
        "文中沒有提到訓練時間。",
    ],
}
ANSWERED = {
    "en": [
        "It does not use labels.",
        "The method cannot correct names that are missing from the trie.",
        "There is no need for labels.",
        "The authors do not use a GPU.",
        "No, it takes three hours.",
        "The cache is unable to find rare objects.",
        "Readings are lost when snow covers the antenna.",
        "",
    ],
    "zh": [
        "该方法不能处理未登录词。",
        "缓存没有包含的对象会被淘汰。",
        "它不需要标注数据。",
        "系统没有使用显卡。",
        "准确率提高了百分之四。",
        "无线电发送读数。",
        "這個方法不需要標註資料。",
    ],
}


@pytest.mark.parametrize(("lang", "text"), [(lang, t) for lang in MISSING for t in MISSING[lang]])
def test_an_answer_that_the_text_lacks_is_known(lang: str, text: str) -> None:
    assert is_not_enough_information(text, lang)
    assert is_not_enough_information(text)
    assert not is_declining(text)


@pytest.mark.parametrize(("lang", "text"), [(lang, t) for lang in ANSWERED for t in ANSWERED[lang]])
def test_an_answer_with_a_negation_is_an_answer(lang: str, text: str) -> None:
    assert not is_not_enough_information(text, lang)
    assert not is_not_enough_information(text)


@pytest.mark.parametrize(
    "text",
    [
        "As an AI language model, I cannot read papers.",
        "I'm an AI assistant, so I have no opinion.",
        "I’m sorry, but I can’t help with that.",
        "I cannot assist with this request.",
        "作为一个人工智能语言模型，我没有意见。",
        "抱歉，我无法协助完成该请求。",
        "我不能满足您的请求。",
    ],
)
def test_declining_is_known(text: str) -> None:
    assert is_declining(text)
    assert may_decline(view(text))


@pytest.mark.parametrize("text", [text for lang in MISSING for text in MISSING[lang]])
def test_a_look_ahead_never_hides_a_missing_answer(text: str) -> None:
    assert may_lack_answer(view(text))


def test_looks_ahead_spare_the_patterns_for_most_texts() -> None:
    sound = view("A battery lasts fourteen months, since it sleeps often.")
    assert not may_decline(sound)
    assert not may_lack_answer(sound, "en")
    assert not may_decline(view("电池可以使用十四个月。"))


@pytest.mark.parametrize(
    "text",
    [
        "The language model was trained on papers.",
        "The authors are sorry for the delay.",
        "Agents cannot assist the user when the network is down.",
        "语言模型在论文上训练。",
        "我们无法在冬季测量。",
    ],
)
def test_speaking_of_models_is_no_declining(text: str) -> None:
    assert not is_declining(text)
