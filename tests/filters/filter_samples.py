"""Segments and sound dialogues in English and Chinese, to be spoiled by the tests."""

from __future__ import annotations

from generator.filters import DialogueSample, FilterSettings, ReferenceText, Verdict, run_filters
from parsers.dialogue.model import Dialogue, Turn

SEGMENT = {
    "en": (
        "Public wells in the valley are tested twice a year. We describe WellWatch, a sensor that "
        "measures nitrate every hour and sends the readings over a radio link. A battery lasts "
        "fourteen months because the sensor sleeps between readings. In a field study with forty "
        "wells, WellWatch found six pollution events that the yearly tests had missed. The largest "
        "error against the laboratory was three milligrams per litre. Readings are lost when snow "
        "covers the antenna, which happened on nine days in winter. The sensors cost eighty euros."
    ),
    "zh": (
        "山谷里的公共水井每年检测两次。我们介绍一种传感器，它每小时测量一次硝酸盐浓度，并通过无线电"
        "发送读数。传感器在两次测量之间休眠，因此电池可以使用十四个月。在四十口水井的实地研究中，"
        "它发现了六次年度检测没有发现的污染事件。与实验室结果相比，最大误差为每升三毫克。积雪覆盖"
        "天线时读数会丢失，这种情况在冬季出现了九天。每个传感器的成本为八十欧元。"
    ),
}
SUMMARY = {
    "en": "The text presents WellWatch, an hourly nitrate sensor for wells, and its field study.",
    "zh": "本文介绍一种用于水井的硝酸盐传感器，并报告其实地研究结果。",
}
PAIRS = {
    "en": (
        ("How often does the sensor measure?", "It measures nitrate once every hour."),
        (
            "How long does a battery last?",
            "A battery lasts fourteen months, since it sleeps often.",
        ),
        ("What did the field study find?", "It found six pollution events in forty wells."),
        ("When are readings lost?", "They are lost when snow covers the antenna."),
    ),
    "zh": (
        ("传感器多久测量一次？", "它每小时测量一次硝酸盐浓度。"),
        ("电池能用多长时间？", "因为传感器会休眠，电池可以使用十四个月。"),
        ("实地研究发现了什么？", "在四十口水井中发现了六次污染事件。"),
        ("什么情况下读数会丢失？", "积雪覆盖天线时，读数会丢失。"),
    ),
}
MISSING = {
    "en": "There is not enough information in the text.",
    "zh": "文中没有提到这一点，信息不足，无法回答。",
}


def sample(
    lang: str = "en",
    *,
    summary: str | None = None,
    pairs: dict[int, tuple[str, str]] | None = None,
    turns: tuple[tuple[str, str], ...] | None = None,
    text: str | None = None,
    raw: str | None = None,
    finish_reason: str | None = "stop",
    example: ReferenceText | None = None,
    instruction: ReferenceText | None = None,
) -> DialogueSample:
    """The sound dialogue with some pairs (0 to 3) or everything replaced.

    `turns` are (speaker, text). Spans point into `raw`: by default the texts in lines.
    """
    if turns is None:
        changed = dict(enumerate(PAIRS[lang])) | (pairs or {})
        turns = tuple(
            turn
            for _, (question, answer) in sorted(changed.items())
            for turn in (("person", question), ("bot", answer))
        )
    opening = SUMMARY[lang] if summary is None else summary
    if raw is None:
        raw = "\n".join([opening, *(spoken for _, spoken in turns)])
    placed: list[Turn] = []
    at = len(opening) + 1
    for speaker, spoken in turns:
        placed.append(
            Turn("person" if speaker == "person" else "bot", spoken, (at, at + len(spoken)))
        )
        at += len(spoken) + 1
    return DialogueSample(
        text=SEGMENT[lang] if text is None else text,
        dialogue=Dialogue(opening, tuple(placed), (0, len(opening))),
        lang=lang,
        raw=raw,
        finish_reason=finish_reason,
        example=example,
        instruction=instruction,
    )


def judge(tried: DialogueSample, **settings: object) -> Verdict:
    """The verdict under default settings with some replaced."""
    return run_filters(tried, FilterSettings.from_json(settings))


def codes(verdict: Verdict) -> set[str]:
    return {reason.code for reason in verdict.reasons}
