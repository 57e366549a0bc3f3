"""Segments with sound self-play dialogues in English and Chinese, to be spoiled by the tests."""

from __future__ import annotations

from generator.filters import DialogueSample
from generator.filters.selfplay import SelfPlayFilterSettings
from parsers.dialogue.model import Dialogue, Turn

TEXT = {
    "en": (
        "Trams lose much of their energy when they brake. We present RailSpin, a flywheel "
        "under the floor that stores braking energy and releases it at the next start. The "
        "flywheel weighs 240 kilograms and spins in a vacuum chamber on magnetic bearings. "
        "On line 17 of a hilly city, eleven converted trams drew 23 percent less current "
        "over fourteen months. Passengers noticed no vibration. The savings fell to 9 "
        "percent on flat sections, and the bearings had to be replaced twice because dust "
        "entered the chamber. A converted tram pays for itself after six years."
    ),
    "zh": (
        "有轨电车在制动时损失大量能量。我们介绍一种装在地板下的飞轮，它储存制动能量，并在"
        "下次起步时释放。飞轮重240公斤，在真空舱内依靠磁悬浮轴承旋转。在一座山城的17"
        "号线上，十一辆改装电车在十四个月里耗电量降低了23%。乘客没有感觉到振动。在平坦"
        "路段节能只有9%，由于灰尘进入真空舱，轴承更换过两次。改装一辆电车六年后可以收回"
        "成本。"
    ),
}
SUMMARY = {
    "en": "The text presents RailSpin, a flywheel for trams that stores braking energy, and a "
    "trial of it in a hilly city.",
    "zh": "本文介绍一种用于有轨电车的飞轮，它储存制动能量，并报告在一座山城的试验。",
}
SOUND = {
    "en": (
        ("How much energy did the flywheel save in the trial?", "The trams drew 23 percent less."),
        ("Was that the same on every part of the line?", "No, on flat sections it was 9 percent."),
        ("Did the flywheels need any repairs?", "The bearings were replaced twice, due to dust."),
        ("How long until the costs of a flywheel are covered?", "It takes six years."),
    ),
    "zh": (
        ("飞轮在试验中节省了多少能量？", "电车的耗电量降低了23%。"),
        ("所有路段的效果都一样吗？", "不一样，在平坦路段只有9%。"),
        ("飞轮需要维修吗？", "轴承更换过两次，因为灰尘进入真空舱。"),
        ("多久能够收回飞轮的费用？", "需要六年。"),
    ),
}
MISSING = {
    "en": "There is not enough information in the text.",
    "zh": "文中没有提到这一点，信息不足。",
}
DEFAULT = SelfPlayFilterSettings()


def sample(
    lang: str,
    pairs: tuple[tuple[str, str], ...] | None = None,
    *,
    questions: dict[int, str] | None = None,
    answers: dict[int, str] | None = None,
    summary: str | None = None,
) -> DialogueSample:
    """The sound dialogue with all pairs, or some questions and answers (0 to 3), replaced."""
    turns: list[Turn] = []
    for at, (question, answer) in enumerate(SOUND[lang] if pairs is None else pairs):
        turns.append(Turn("person", (questions or {}).get(at, question)))
        turns.append(Turn("bot", (answers or {}).get(at, answer)))
    opening = SUMMARY[lang] if summary is None else summary
    return DialogueSample(TEXT[lang], Dialogue(opening, tuple(turns)), lang=lang)
