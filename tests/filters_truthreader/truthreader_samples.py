"""Sound cited answers and refusals in English and Chinese, to be spoiled by the tests."""

from __future__ import annotations

from typing import Any

from generator.filters.truthreader import TruthReaderSample

DOCUMENTS = {
    "en": (
        (
            "Lamp of Veldhaven",
            "The lamp of Veldhaven is a blue harbour lamp. It was built by mill workers in 1931 "
            "and burned whale oil until an electric bulb replaced the wick in 1947. The lamp "
            "stands on a granite pillar of four metres beside the northern pier.",
        ),
        (
            "Horn of Veldhaven",
            "The horn of Veldhaven warns ships in fog. Its brass body was cast in Ostermark and "
            "sounds every forty seconds. Fishermen paid for the horn with a tax on herring, and "
            "a keeper winds its clockwork each evening.",
        ),
        (
            "Tidal gauge",
            "A tidal gauge measures the level of the sea with a float inside a pipe. Readings are "
            "drawn on paper by a pen, and an observatory collects the rolls once a month.",
        ),
    ),
    "zh": (
        (
            "维港灯",
            "维港灯是一盏蓝色的港口灯。它由纺织工人于1931年建造，最初燃烧鲸油，1947年改用电灯泡。"
            "这盏灯立在北码头旁一根四米高的花岗岩石柱上。",
        ),
        (
            "维港雾号",
            "维港雾号在大雾中警告船只。它的黄铜外壳在奥斯特铸造，每隔四十秒鸣响一次。渔民用鲱鱼税"
            "支付了雾号的费用，看守人每天傍晚给发条上弦。",
        ),
        (
            "验潮仪",
            "验潮仪利用管道里的浮子测量海面高度。读数由一支笔画在纸上，天文台每月收集一次纸卷。",
        ),
    ),
}
QUESTION = {
    "en": "Who built the lamp of Veldhaven, and how often does the horn sound?",
    "zh": "维港灯是谁建造的，维港雾号多久鸣响一次？",
}
ANSWER = {
    "en": "The lamp of Veldhaven was built by mill workers in 1931[1]. The horn sounds every forty "
    "seconds to warn ships in fog[2].",
    "zh": "维港灯由纺织工人于1931年建造[1]。维港雾号每隔四十秒鸣响一次，在大雾中警告船只[2]。",
}
REFUSAL = {
    "en": "Sorry, the documents do not say what the bell of Veldhaven weighs. They mainly describe "
    "a harbour lamp, a horn for fog and a tidal gauge.",
    "zh": "抱歉，所给文档没有提到维港大钟的重量。这些文档主要介绍港口灯、雾号和验潮仪。",
}
REFUSED_QUESTION = {
    "en": "What does the bell of Veldhaven weigh?",
    "zh": "维港大钟有多重？",
}
HISTORY = {
    "en": ("Where is Veldhaven?", "Veldhaven is a small harbour in the north."),
    "zh": ("维港在哪里？", "维港是北方的一个小港口。"),
}


def answered(lang: str, **changed: Any) -> TruthReaderSample:
    """The sound answer, with some fields replaced."""
    fields: dict[str, Any] = {
        "question": QUESTION[lang],
        "history": HISTORY[lang],
        "documents": DOCUMENTS[lang],
        "answer": ANSWER[lang],
        "gold": frozenset({0, 1}),
        "answerable": True,
        "lang": lang,
    }
    return TruthReaderSample(**{**fields, **changed})


def refused(lang: str, **changed: Any) -> TruthReaderSample:
    """The sound refusal, with some fields replaced."""
    fields = {
        "question": REFUSED_QUESTION[lang],
        "answer": REFUSAL[lang],
        "gold": frozenset(),
        "answerable": False,
    }
    return answered(lang, **{**fields, **changed})
