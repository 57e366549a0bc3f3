"""Every filter: what it must refuse and what it must let pass, in English and Chinese."""

from __future__ import annotations

import pytest
from filter_samples import MISSING, PAIRS, SEGMENT, SUMMARY, codes, judge, sample

from generator.filters import DialogueSample, ReferenceText

EXAMPLE = {
    "en": ReferenceText.of(
        "We present QuickSpell, a spell checker for search boxes. It stores a compressed trie of "
        "frequent queries.",
        "What is its main limitation? It cannot correct rare names.",
    ),
    "zh": ReferenceText.of(
        "我们提出一种搜索框拼写检查器，它用压缩字典树保存高频查询词。",
        "它的主要局限是什么？它不能纠正罕见人名。",
    ),
}
INSTRUCTION = {
    "en": ReferenceText.of(
        "You should be asking short questions about an article you cannot see. If there is no "
        "answer in the given text, then you must answer that there is not enough information."
    ),
    "zh": ReferenceText.of(
        "你应当针对一篇你看不到的文章提出简短的问题，每次只能提出一个问题。"
        "如果给定的文本里没有答案，你必须回答没有足够的信息。"
    ),
}
HAN = "".join(map(chr, range(0x4E00, 0x5100)))
TURNS = {
    lang: tuple(turn for q, a in PAIRS[lang] for turn in (("person", q), ("bot", a)))
    for lang in PAIRS
}


def pair(lang: str, question: str, answer: str) -> DialogueSample:
    """The sound dialogue with its second pair replaced."""
    return sample(lang, pairs={1: (question, answer)})


def example(lang: str, question: str, answer: str) -> DialogueSample:
    return sample(lang, pairs={1: (question, answer)}, example=EXAMPLE[lang])


def instruction(lang: str, question: str, answer: str) -> DialogueSample:
    return sample(lang, pairs={1: (question, answer)}, instruction=INSTRUCTION[lang])


REFUSED = [
    ("missing_summary", sample("en", summary="  ")),
    ("missing_summary", sample("zh", summary="……")),
    ("short_summary", sample("en", summary="WellWatch.")),
    ("short_summary", sample("zh", summary="水井。")),
    ("overlong_summary", sample("en", summary=" ".join(f"point{i}" for i in range(401)))),
    ("overlong_summary", sample("zh", summary=HAN[:401])),
    ("wrong_order", sample("en", turns=(("bot", "It sleeps."), *TURNS["en"], ("person", "So?")))),
    ("wrong_order", sample("zh", turns=(("bot", "会休眠。"), *TURNS["zh"], ("person", "是吗？")))),
    ("same_speaker_twice", sample("en", turns=(("person", "Is it so?"), *TURNS["en"]))),
    ("same_speaker_twice", sample("zh", turns=(*TURNS["zh"], ("bot", "会休眠。")))),
    ("odd_turn_count", sample("en", turns=TURNS["en"][:-1])),
    ("odd_turn_count", sample("zh", turns=TURNS["zh"][:-1])),
    ("too_few_turns", sample("en", turns=TURNS["en"][:2])),
    ("too_few_turns", sample("zh", turns=TURNS["zh"][:2])),
    ("too_few_turns", sample("en", turns=())),
    ("empty_turn", pair("en", "How long does a battery last?", " ")),
    ("empty_turn", pair("zh", "？？？", "电池可以使用十四个月。")),
    ("overlong_turn", pair("en", "Why is it " + "so very " * 60 + "long?", "Snow.")),
    ("overlong_turn", pair("zh", "为什么？", HAN[:513])),
    ("multiple_dialogues", pair("en", "Is it small?", "It is. Dialogue: Summary: Another")),
    ("multiple_dialogues", pair("zh", "它小吗？", "是的，很小。\n摘要：另一篇论文")),
    ("label_residue", pair("en", "Person: How long does it last?", "Fourteen months.")),
    ("label_residue", pair("en", "How long?", "Fourteen months.\n**You:** And why?")),
    ("label_residue", pair("en", "Q: How long?", "Fourteen months.")),
    ("label_residue", pair("zh", "电池呢？", "十四个月。助手：因为休眠。")),
    ("markup_residue", pair("en", "**How long does a battery last?**", "Fourteen months.")),
    ("markup_residue", pair("en", "How long?", "Fourteen months.<|im_end|>")),
    ("markup_residue", pair("zh", "电池呢？", "十四个月。</s>")),
    ("placeholder_text", pair("en", "[insert question here]", "Fourteen months.")),
    ("placeholder_text", pair("en", "How long?", "{{ answer }}")),
    ("placeholder_text", pair("zh", "（此处填写问题）吗？", "十四个月。")),
    ("garbled_text", pair("en", "How long?", "Fourteen \ufffd\ufffd months.")),
    ("garbled_text", pair("en", "How long?", "Fourteen \ud800 months.")),
    ("garbled_text", pair("zh", "多长时间？", "十四\x08个月。")),
    ("refusal", pair("en", "How long?", "As an AI language model, I have no battery.")),
    ("refusal", sample("en", summary="I'm sorry, but I can't help with this dialogue request.")),
    ("refusal", pair("zh", "多长时间？", "作为一个人工智能，我不能评论电池。")),
    ("refusal", pair("zh", "多长时间？", "抱歉，我无法协助完成该请求。")),
    ("wrong_language", sample("en", summary=SUMMARY["zh"], turns=TURNS["zh"])),
    ("wrong_language", sample("zh", summary=SUMMARY["en"], turns=TURNS["en"])),
    (
        "wrong_language",
        pair("zh", "电池呢？", "A battery lasts fourteen months because the sensor sleeps."),
    ),
    (
        "no_question",
        sample(
            "en",
            turns=tuple(
                (s, t) if s == "bot" else (s, f"Remark number {i} on wells.")
                for i, (s, t) in enumerate(TURNS["en"])
            ),
        ),
    ),
    (
        "no_question",
        sample(
            "zh",
            turns=tuple(
                (s, t) if s == "bot" else (s, f"这是第{i}条关于水井的评论。")
                for i, (s, t) in enumerate(TURNS["zh"])
            ),
        ),
    ),
    ("loop", pair("en", "How long?", "The battery sleeps. The battery sleeps.")),
    (
        "loop",
        pair(
            "en",
            "How long?",
            "It lasts fourteen months in forty wells with a battery and radio "
            "link that sends the readings to the valley, as the study says. Nine 51.51.51.51.51."
            "51.51.51.51.51.51.51.51.51",
        ),
    ),
    ("loop", pair("zh", "电池呢？", "电池很好。电池很好。")),
    ("loop", pair("zh", "电池呢？", "电池可以用十四个月哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈哈")),
    (
        "loop",
        sample(
            "en",
            turns=tuple(
                turn
                for i in range(4)
                for turn in (
                    (
                        "person",
                        f"Is it true in case {i} that the sensor in the wells sleeps at night?",
                    ),
                    ("bot", f"In case {i} the sensor in the wells sleeps at night for hours."),
                )
            ),
        ),
    ),
    (
        "echo",
        pair("en", "A battery lasts for fourteen months?", "A battery lasts for fourteen months."),
    ),
    ("echo", pair("en", "Does it find six events?", "It does find six events?")),
    ("echo", pair("en", SUMMARY["en"], "It costs eighty euros.")),
    ("echo", pair("en", "So it measures nitrate once every hour?", "It costs eighty euros.")),
    ("echo", pair("zh", "电池可以使用十四个月吗？", "电池可以使用十四个月。")),
    ("echo", pair("zh", "所以它每小时测量一次硝酸盐浓度？", "成本为八十欧元。")),
    ("repeated_question", pair("en", PAIRS["en"][0][0], "It costs eighty euros.")),
    ("repeated_question", pair("en", "so how often does the sensor measure", "Every hour.")),
    ("repeated_question", pair("zh", PAIRS["zh"][0][0], "成本为八十欧元。")),
    (
        "repeated_question",
        sample(
            "en",
            pairs={
                1: ("So the wells of the whole valley are tested twice now.", "It costs euros."),
                2: ("So the wells of the whole valley are tested twice now.", "Nine days."),
            },
        ),
    ),
    ("repeated_question", pair("zh", "那么传感器多久测量一次呢", "成本为八十欧元。")),
    ("repeated_answer", pair("en", "What does it cost?", PAIRS["en"][0][1])),
    ("repeated_answer", pair("zh", "成本是多少？", PAIRS["zh"][0][1])),
    ("example_leak", example("en", "How does QuickSpell work?", "It has a compressed trie.")),
    (
        "example_leak",
        example("en", "What is it?", "WellWatch is a spell checker for search boxes."),
    ),
    ("example_leak", example("zh", "它是什么？", "它是搜索框拼写检查器，用压缩字典树保存读数。")),
    (
        "prompt_echo",
        instruction(
            "en", "Should I be asking short questions about an article you cannot see?", "Yes."
        ),
    ),
    ("prompt_echo", instruction("zh", "每次只能提出一个问题。电池呢？", "十四个月。")),
    ("ungrounded", pair("en", "Who runs it?", "The software engineering team enjoys football.")),
    ("ungrounded", pair("zh", "谁在运行？", "软件工程师团队非常喜欢足球比赛。")),
    ("summary_copies_text", sample("en", summary=SEGMENT["en"])),
    ("summary_copies_text", sample("zh", summary=SEGMENT["zh"])),
]

PASSED = {
    "sound_en": sample("en"),
    "sound_zh": sample("zh"),
    "missing_answer_en": sample("en", pairs={2: ("Who paid for it?", MISSING["en"])}),
    "missing_answer_zh": sample("zh", pairs={2: ("谁资助了研究？", MISSING["zh"])}),
    "missing_twice_en": sample(
        "en", pairs={1: ("Who paid?", MISSING["en"]), 2: ("And why?", MISSING["en"])}
    ),
    "missing_twice_zh": sample(
        "zh", pairs={1: ("谁出资？", MISSING["zh"]), 2: ("为何？", MISSING["zh"])}
    ),
    "two_pairs": sample("en", turns=TURNS["en"][:4]),
    "short_answers": sample("en", pairs={1: ("Is it cheap?", "Yes."), 2: ("Cheaper?", "Yes.")}),
    "why_twice": sample("en", pairs={1: ("Why?", "It sleeps."), 2: ("Why?", "Snow covers it.")}),
    "yes_with_the_question": sample(
        "en",
        pairs={
            2: (
                "Did it find six pollution events in forty wells?",
                "Yes, it found six pollution events in forty wells.",
            )
        },
    ),
    "quoting_answer": sample(
        "en",
        pairs={
            2: (
                "How many pollution events did WellWatch find that the yearly tests had missed?",
                "WellWatch found six pollution events that the yearly tests had missed.",
            )
        },
    ),
    "quoting_answer_zh": sample(
        "zh",
        pairs={
            2: (
                "它发现了多少次年度检测没有发现的污染事件？",
                "它发现了六次年度检测没有发现的污染事件。",
            )
        },
    ),
    "one_form_of_question": sample(
        "en",
        pairs={
            0: ("What is the purpose of the radio link?", "It sends the readings."),
            2: ("What is the purpose of the sleeping phase?", "The field study does not say."),
        },
    ),
    "one_form_of_question_zh": sample(
        "zh",
        pairs={
            0: ("传感器的成本是多少？", "成本为八十欧元。"),
            1: ("传感器的误差是多少？", "最大误差为每升三毫克。"),
        },
    ),
    "remarks_and_thanks": sample(
        "en",
        pairs={
            2: ("That sounds useful.", "It found six pollution events."),
            3: ("Thank you!", "Readings are lost in winter, by the way."),
        },
    ),
    "thanks_twice": sample(
        "en",
        pairs={
            1: ("Thank you, I see.", "It costs eighty euros."),
            2: ("Thank you, I see.", "It found six pollution events."),
        },
    ),
    "thanks_twice_zh": sample(
        "zh", pairs={1: ("谢谢，明白了。", "成本为八十欧元。"), 2: ("谢谢，明白了。", "冬季九天。")}
    ),
    "colons": pair(
        "en",
        "What counts?",
        "Two things: the battery lasts, and the radio works. Note: readings are hourly.",
    ),
    "ratio_and_time": pair("en", "When?", "Readings at 10:30 and winter readings at 3:1."),
    "colons_zh": pair("zh", "要点？", "有两点：电池可以使用十四个月；注意：冬季读数会丢失。"),
    "citation_and_math": pair("en", "How?", "Readings [1] of wells {w} where error < 2 * 3."),
    "bold_inside": pair("en", "How?", "The readings are **hourly** in the field study."),
    "latin_terms_zh": pair("zh", "用什么发送？", "通过 LoRa 无线电发送读数。"),
    "names_zh": pair("zh", "叫什么？", "WellWatch"),
    "accents": pair("en", "Where?", "Wells in the valley — near Pézenas’ café."),
    "emoji": pair("en", "Is it good? 👍", "It has a radio link 🎉."),
    "example_not_leaked": example("en", "How does it work?", "The sensor sleeps between readings."),
    "one_sign_is_chance": example("en", "What is its main limitation?", "It costs eighty euros."),
    "one_sign_is_chance_zh": example("zh", "它的主要局限是什么？", "成本为八十欧元。"),
    "missing_is_no_echo": instruction(
        "en",
        "Who paid?",
        "If there is no answer in the given text, then there is not enough information.",
    ),
    "instruction_words": instruction(
        "en",
        "What must be answered about the article, in short?",
        "The sensor sleeps between readings.",
    ),
    "names_repeat": pair("en", "New York, New York?", "No, the wells are in the valley."),
}


@pytest.mark.parametrize(
    ("code", "tried"),
    [pytest.param(c, s, id=f"{c}-{s.lang}-{i}") for i, (c, s) in enumerate(REFUSED)],
)
def test_a_spoiled_dialogue_is_refused_with_the_code(code: str, tried: DialogueSample) -> None:
    verdict = judge(tried)
    assert not verdict.accepted
    assert code in codes(verdict)


@pytest.mark.parametrize("tried", [pytest.param(s, id=name) for name, s in PASSED.items()])
def test_a_sound_dialogue_passes(tried: DialogueSample) -> None:
    verdict = judge(tried)
    assert verdict.reasons == ()
    assert verdict.accepted


@pytest.mark.parametrize(
    ("code", "tried"),
    [pytest.param(c, s, id=f"{c}-{s.lang}-{i}") for i, (c, s) in enumerate(REFUSED)],
)
def test_a_code_that_is_off_gives_no_reason_and_the_same_measures(
    code: str, tried: DialogueSample
) -> None:
    verdict = judge(tried, off=[code])
    assert code not in codes(verdict)
    assert codes(verdict) == codes(judge(tried)) - {code}
    assert verdict.measures == judge(tried).measures


def test_every_filter_code_is_refused_here_at_least_once_in_both_languages() -> None:
    from generator.filters import REJECT_CODES

    wanted = {code for code, info in REJECT_CODES.items() if "filter" in info.stages}
    for lang in ("en", "zh"):
        assert {code for code, tried in REFUSED if tried.lang == lang} == wanted
