"""A sound answer and a sound refusal pass; each fault is named by its code, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from truthreader_samples import ANSWER, DOCUMENTS, QUESTION, REFUSAL, answered, refused

from generator.filters.truthreader import (
    TRUTHREADER_CODES,
    TruthReaderFilterSettings,
    TruthReaderSample,
    judge_truthreader,
)

LANGS = ("en", "zh")


def codes(sample: TruthReaderSample, **settings: Any) -> set[str]:
    verdict = judge_truthreader(sample, TruthReaderFilterSettings(**settings))
    assert verdict.accepted == (not verdict.reasons)
    return {reason.code for reason in verdict.reasons}


@pytest.mark.parametrize("lang", LANGS)
def test_a_sound_answer_passes_with_its_measures(lang):
    verdict = judge_truthreader(answered(lang))
    assert verdict.accepted, verdict.reasons
    assert verdict.measures["span_support_mean"] > 0.85
    assert verdict.measures["span_margin_mean"] > 0.5
    assert verdict.measures["span_share_high"] == 1
    assert verdict.measures["gold_cited_share"] == 1
    assert verdict.measures["refusal"] == 0


@pytest.mark.parametrize("lang", LANGS)
def test_a_sound_refusal_passes(lang):
    verdict = judge_truthreader(refused(lang))
    assert verdict.accepted, verdict.reasons
    assert verdict.measures["refusal"] == 1


SPOILED: dict[str, dict[str, Any]] = {
    "empty_question": {"question": "？？"},
    "short_question-en": {"question": "Lamps built?"},
    "short_question-zh": {"question": "灯呢？"},
    "overlong_question-en": {"question": "Who built the lamp of the harbour " * 20},
    "overlong_question-zh": {"question": "维港灯究竟是由谁建造的，" * 20},
    "marker_in_question-en": {"question": "Who built the lamp of Veldhaven[1]?"},
    "marker_in_question-zh": {"question": "维港灯[1]是谁建造的？"},
    "question_names_document-en": {"question": "According to the passage, who built the lamp?"},
    "question_names_document-en-2": {"question": "What does Document 2 say about the horn?"},
    "question_names_document-zh": {"question": "根据上述文档，维港灯是谁建造的？"},
    "question_names_document-zh-2": {"question": "文档2中雾号多久鸣响一次？"},
    "dangling_question-en": {"question": "When was it built and what did they pay?", "history": ()},
    "dangling_question-zh": {"question": "它是谁建造的，花了多少钱？", "history": ()},
    "odd_history-en": {"history": ("Where is Veldhaven?",)},
    "odd_history-zh": {"history": ("维港在哪里？",)},
    "long_history-en": {"history": ("Where is it?", "It is in the north.") * 5},
    "long_history-zh": {"history": ("它在哪里？", "它在北方。") * 5},
    "empty_history-en": {"history": ("Where is it?", " ")},
    "empty_history-zh": {"history": ("它在哪里？", "。")},
    "marker_in_history-en": {"history": ("Where is it?", "It is in the north[1].")},
    "marker_in_history-zh": {"history": ("它在哪里？", "它在北方[1]。")},
    "empty_answer-en": {"answer": "[1][2]"},
    "empty_answer-zh": {"answer": "。"},
    "short_answer-en": {"answer": "Mill workers built[1]."},
    "short_answer-zh": {"answer": "纺织工人[1]。"},
    "overlong_answer-en": {"answer": "The lamp was built by mill workers in 1931[1]. " * 90},
    "overlong_answer-zh": {"answer": "维港灯由纺织工人于1931年建造[1]。" * 80},
    "unfinished_answer-en": {"answer": ANSWER["en"] + " The lamp stands on a"},
    "unfinished_answer-zh": {"answer": ANSWER["zh"] + "这盏灯立在北码头旁"},
    "loop-en": {"answer": "The lamp was built by mill workers in 1931[1]. " * 6},
    "loop-zh": {"answer": "维港灯由纺织工人于1931年建造[1]。" * 6},
    "markup_residue-en": {"answer": ANSWER["en"] + "<|im_end|>"},
    "markup_residue-zh": {"answer": ANSWER["zh"] + "</answer>"},
    "placeholder_text-en": {"answer": ANSWER["en"] + " [insert more here][1]."},
    "placeholder_text-zh": {"answer": ANSWER["zh"] + "[请填写答案][1]。"},
    "garbled_text-en": {"answer": ANSWER["en"].replace("lamp", "l\ufffdmp")},
    "garbled_text-zh": {"answer": ANSWER["zh"].replace("灯", "\ufffd")},
    "label_residue-en": {"answer": "Answer: " + ANSWER["en"]},
    "label_residue-zh": {"answer": "答案：" + ANSWER["zh"]},
    "label_residue-en-question": {"question": "Question: " + QUESTION["en"]},
    "speaks_as_model-en": {"answer": "As an AI language model, I cannot read harbour books[1]."},
    "speaks_as_model-zh": {"answer": "作为一个人工智能，我没有办法阅读港口的资料[1]。"},
    "marker_out_of_range-en": {"answer": ANSWER["en"].replace("[2]", "[7]")},
    "marker_out_of_range-zh": {"answer": ANSWER["zh"].replace("[2]", "[7]")},
    "misplaced_marker-en": {"answer": "[1] " + ANSWER["en"]},
    "misplaced_marker-zh": {"answer": ANSWER["zh"] + "\n[2] 浮子在管道里[3]。"},
    "bracketed_number-en": {"answer": ANSWER["en"] + " The value a[1] is the first reading[3]."},
    "bracketed_number-zh": {"answer": ANSWER["zh"] + "数组元素a[1]是第一个读数[3]。"},
    "citation_form-en": {"answer": ANSWER["en"].replace("[2]", "[citation needed][2]")},
    "citation_form-zh": {"answer": ANSWER["zh"] + "浮子在管道里【3:1†来源】[3]。"},
    "document_named-en": {"answer": ANSWER["en"] + " Document 3 is about a tidal gauge[3]."},
    "document_named-zh": {"answer": ANSWER["zh"] + "文档3谈的是验潮仪[3]。"},
    "reference_list-en": {"answer": ANSWER["en"] + "\n\nReferences:\n[1] Lamp\n[2] Horn"},
    "reference_list-zh": {"answer": ANSWER["zh"] + "\n\n参考文献：\n[1] 维港灯\n[2] 维港雾号"},
    "no_marker-en": {"answer": "The lamp was built by mill workers in 1931."},
    "no_marker-zh": {"answer": "维港灯由纺织工人于1931年建造。"},
    "uncited_sentence-en": {"answer": ANSWER["en"] + " The lamp stands beside the northern pier."},
    "uncited_sentence-zh": {"answer": ANSWER["zh"] + "这盏灯立在北码头旁一根石柱上。"},
    "answered_without_gold": {"answerable": False, "gold": frozenset()},
    "refusal_with_gold-en": {"answer": REFUSAL["en"]},
    "refusal_with_gold-zh": {"answer": REFUSAL["zh"]},
    "ungrounded_span-en": {
        "answer": ANSWER["en"] + " Critics abroad praised its modest elegance warmly[2]."
    },
    "ungrounded_span-zh": {"answer": ANSWER["zh"] + "国外评论家热烈赞扬了那份朴素优雅[2]。"},
    "weak_grounding-en": {
        "answer": "Mill workers erected this beautiful lantern[1]. Its trumpet alerts sailors "
        "during misty weather[2]."
    },
    "weak_grounding-zh": {"answer": "织布的劳工把它造了出来[1]。号角会提醒水手注意雾气[2]。"},
    "wrong_document-en": {"answer": ANSWER["en"].replace("[2]", "[3]")},
    "wrong_document-zh": {"answer": ANSWER["zh"].replace("[2]", "[3]")},
    "thin_margin-en": {
        "answer": "Readings are made once each month by people who look after machines[1][2]."
    },
    "thin_margin-zh": {"answer": "港湾居民使用古老机械并精心照料[1][2]。"},
    "idle_marker-en": {"answer": ANSWER["en"].replace("[2]", "[2][3]")},
    "idle_marker-zh": {"answer": ANSWER["zh"].replace("[2]", "[2][3]")},
    "gold_uncited": {"gold": frozenset({2})},
    "title_answers-en": {
        "question": "What hangs at the pier?",
        "answer": "The lamp of Veldhaven hangs at the pier[1].",
    },
    "title_answers-zh": {
        "question": "北码头旁的石柱上立着什么？",
        "answer": "北码头旁的石柱上立着维港灯[1]。",
    },
    "document_count": {"documents": DOCUMENTS["en"] + DOCUMENTS["zh"]},
    "document_count-none": {"documents": (), "gold": frozenset()},
    "empty_document": {"documents": (*DOCUMENTS["en"][:2], ("Tidal gauge", " \n"))},
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_fault_of_an_answer_is_named_and_can_be_switched_off(name):
    code, _, rest = name.partition("-")
    for lang in LANGS:
        if rest[:2] in LANGS and rest[:2] != lang:
            continue
        spoiled = answered(lang, **SPOILED[name])
        assert code in codes(spoiled)
        assert code not in codes(spoiled, off=frozenset({code}))


REFUSALS: dict[str, dict[str, Any]] = {
    "refusal_with_marker-en": {"answer": REFUSAL["en"].replace("fog", "fog[2]")},
    "refusal_with_marker-zh": {"answer": REFUSAL["zh"].replace("雾号", "雾号[2]")},
    "refusal_without_apology-en": {"answer": REFUSAL["en"].replace("Sorry, the", "The")},
    "refusal_without_apology-zh": {"answer": REFUSAL["zh"].replace("抱歉，", "")},
    "refusal_without_reason-en": {
        "answer": "Sorry, there is not enough information. The documents describe a harbour lamp."
    },
    "refusal_without_reason-zh": {
        "answer": "抱歉，信息不足，无法回答。这些文档主要介绍港口灯和雾号。"
    },
    "refusal_without_coverage-en": {
        "answer": "Sorry, the documents do not say what the bell of Veldhaven weighs."
    },
    "refusal_without_coverage-zh": {"answer": "抱歉，所给文档没有提到维港大钟的重量。"},
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_fault_of_a_refusal_is_the_only_one_that_is_named(name):
    code, lang = name.split("-")
    assert codes(refused(lang, **REFUSALS[name])) == {code}


@pytest.mark.parametrize("lang", LANGS)
def test_the_other_language_is_refused_and_mixed_script_is_not(lang):
    other = "zh" if lang == "en" else "en"
    assert "wrong_language" in codes(answered(lang, answer=ANSWER[other]))
    mixed = {
        "en": "The lamp of Veldhaven (维港灯) was built by mill workers (纺织工人) in 1931[1].",
        "zh": "维港灯（the lamp of Veldhaven）由纺织工人（mill workers）于1931年建造[1]。",
    }
    assert "wrong_language" not in codes(answered(lang, answer=mixed[lang]))


def test_a_long_sentence_in_another_language_is_found_in_an_answer():
    foreign = "The horn sounds every forty seconds to warn ships in fog beside the pier[2]."
    sample = answered("zh", answer=ANSWER["zh"] + foreign)
    reasons = judge_truthreader(sample).reasons
    places = [reason.span for reason in reasons if reason.code == "wrong_language"]
    assert [sample.answer[slice(*place)] for place in places] == [foreign]


@pytest.mark.parametrize("lang", LANGS)
def test_a_whole_document_in_the_answer_is_a_copy(lang):
    text = "".join(body for _, body in DOCUMENTS[lang])
    sample = answered(
        lang,
        documents=(("All", text), DOCUMENTS[lang][2]),
        answer=text + "[1]",
        gold=frozenset({0}),
    )
    assert "copied_document" in codes(sample, min_copied_tokens=60)
    assert "copied_document" not in codes(answered(lang), min_copied_tokens=20)


@pytest.mark.parametrize("lang", LANGS)
def test_a_document_that_says_the_same_as_a_cited_one_takes_nothing_from_the_margin(lang):
    title, text = DOCUMENTS[lang][0]
    twin = ("", f"{title}\n{text}")
    sample = answered(
        lang,
        documents=(DOCUMENTS[lang][0], twin, DOCUMENTS[lang][2]),
        answer=ANSWER[lang][: ANSWER[lang].index("[1]")] + ("[1]." if lang == "en" else "[1]。"),
        gold=frozenset({0}),
    )
    assert codes(sample) == set()


def test_other_languages_are_judged_without_a_language_rule():
    sample = TruthReaderSample(
        "Кто построил маяк в гавани?",
        (),
        (
            ("Маяк", "Маяк в гавани построили рабочие фабрики в 1931 году."),
            ("Гудок", "Гудок молчит."),
        ),
        "Маяк в гавани построили рабочие фабрики в 1931 году[1].",
        gold=frozenset({0}),
        lang="ru",
    )
    assert codes(sample) == set()


def test_every_code_of_the_filters_is_reached_by_a_test():
    reached = {name.partition("-")[0] for name in (*SPOILED, *REFUSALS)}
    assert reached | {"wrong_language", "copied_document", "duplicate_question"} == set(
        TRUTHREADER_CODES
    )
