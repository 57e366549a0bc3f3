"""Look-alike documents in two languages, and a script that asks and answers about them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENGLISH = (
    "granary", "lighthouse", "orchard", "viaduct", "quarry", "harbour", "meadow", "foundry",
    "reservoir", "observatory", "tannery", "shipyard", "brewery", "vineyard", "aqueduct",
    "greenhouse", "boathouse", "smithy", "chapel", "arsenal", "bakery", "dairy", "gasworks",
    "pottery",
)  # fmt: skip
CHINESE = (
    "粮仓", "灯塔", "果园", "栈桥", "采石场", "港口", "牧场", "铸造厂", "水库", "天文台", "制革坊",
    "造船厂", "酿酒坊", "葡萄园", "渡槽", "温室", "船屋", "铁匠铺", "礼拜堂", "兵工厂",
    "面包房", "奶牛场", "煤气厂", "陶器坊",
)  # fmt: skip
_MATERIALS = ("copper", "walnut", "marble", "silver", "cedar", "amber", "granite", "leather")
_PLACES = (
    "stands on the eastern slope above the village",
    "leans against the old customs wall",
    "was moved stone by stone from another valley",
    "rises out of a roof of blue slate",
    "has a wooden gallery that visitors may climb",
)
_EFFECTS = (
    "its sound carries across the whole valley",
    "nobody hears it behind the mill",
    "thieves have tried to steal it twice",
    "rain turns it green within a season",
    "musicians praise its mellow tone",
    "it has to be replaced after each hard winter",
)
_ERRANDS = (
    "oils the wheels",
    "counts the swallows under the roof",
    "carries firewood to the widow next door",
    "writes the weather into a ledger",
    "sweeps the ninety steps",
    "mends the rope with waxed thread",
    "polishes the sundial",
)
_CUSTOMS = (
    "In thick fog the keeper rings for two hours without a pause.",
    "At harvest time children pull the rope in turn and are given cake.",
    "During a fire three short strokes call the brigade from the market.",
    "Swifts nest under the beams, which is why nobody climbs up in May.",
    "Since the great frost a crack runs through the rim, and the sound is hoarse.",
    "A second bell was sold long ago to pay for new drains.",
    "Every seventh year the clapper is turned so that it wears evenly.",
)
_THINGS = ("铜", "胡桃木", "大理石", "白银", "雪松", "琥珀", "花岗岩", "皮革")
_SITES = (
    "建在村子上方的东坡上",
    "紧靠着旧海关的围墙",
    "是从另一个山谷一块石头一块石头搬来的",
    "从蓝色石板屋顶中间升起",
    "带有一圈可以登临的木头走廊",
)
_RESULTS = (
    "声音能传遍整个山谷",
    "磨坊后面的人完全听不到",
    "小偷曾两次想把它偷走",
    "雨水一季就把它染成绿色",
    "乐师们都称赞它柔和的音色",
    "每个严冬过后都得更换",
)
_CHORES = (
    "给齿轮上一次油",
    "清点屋檐下的燕子",
    "给隔壁的寡妇送木柴",
    "把天气写进账簿",
    "打扫九十级台阶",
    "用蜡线修补绳索",
    "擦亮日晷",
)
_HABITS = (
    "遇到大雾，守钟人会连续敲钟两个小时。",
    "收获季节孩子们轮流拉绳，还能分到蛋糕。",
    "发生火灾时，三下短促的敲击会把消防队从集市召来。",
    "雨燕在横梁下筑巢，所以五月里没有人上去。",
    "自从那次严寒以后，钟沿上有一道裂缝，声音变得沙哑。",
    "第二口钟早已卖掉，用来支付新的排水沟。",
    "每隔七年要把钟舌转一个方向，使磨损均匀。",
)


@dataclass(frozen=True)
class Made:
    """A document with the question that its script asks and the answer to it, without marker."""

    title: str
    text: str
    question: str
    answer: str
    missing: str


def made(number: int, lang: str) -> Made:
    """Document `number`: a look-alike of the others with some facts of its own."""
    picked = (number % 5, number % 7, (number * 3 + 2) % 7)
    effect, errand = number % 6, (number * 2 + 1) % 7
    if lang == "zh":
        name, thing = CHINESE[number], _THINGS[number % 8]
        return Made(
            f"{name}的钟楼",
            f"{name}的钟楼{_SITES[picked[0]]}。{name}的钟锤是用{thing}做成的，{_RESULTS[effect]}。"
            f"{_HABITS[picked[1]]}{name}的守钟人每隔{20 + number}天{_CHORES[errand]}。"
            f"{_HABITS[picked[2]] if picked[2] != picked[1] else ''}",
            f"{name}的钟锤是用什么材料做成的？",
            f"{name}的钟锤是用{thing}做成的，{_RESULTS[effect]}。",
            f"很抱歉，所给文档没有提到{name}的钟锤是用什么材料做成的。这些文档介绍的是其他地方的钟楼。",
        )
    name, thing = ENGLISH[number], _MATERIALS[number % 8]
    return Made(
        f"Bell tower of the {name}",
        f"The bell tower of the {name} {_PLACES[picked[0]]}. "
        f"The hammer of the {name} is made of {thing}, and {_EFFECTS[effect]}. "
        f"{_CUSTOMS[picked[1]]} "
        f"The keeper of the {name} {_ERRANDS[errand]} once in {20 + number} days. "
        f"{_CUSTOMS[picked[2]] if picked[2] != picked[1] else ''}",
        f"What is the hammer of the {name} made of?",
        f"The hammer of the {name} is made of {thing}, and {_EFFECTS[effect]}.",
        f"I am sorry, but the documents do not mention what the hammer of the {name} is made of. "
        "They are about the bell towers of other places.",
    )


def write_documents(path: Path, count: int, lang: str, *, key: str = "document") -> Path:
    """JSON lines of titled documents."""
    lines = []
    for number in range(count):
        one = made(number, lang)
        lines.append(json.dumps({"title": one.title, key: one.text}, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def cited(answer: str, marker: str) -> str:
    """The answer with a marker before its closing mark."""
    return f"{answer[:-1]}{marker}{answer[-1]}"


def script_lines(
    count: int, lang: str, *, form: str = "[{n}]", latency_s: float | None = None
) -> list[dict[str, Any]]:
    """What asker, answerer and judge say about each document; `form` is how they cite."""
    asks, refuses, judges = (
        ("不要自己作答", "都不包含", "是否完全支持")
        if lang == "zh"
        else ("Do not answer it yourself", "None of the", "Does the passage")
    )
    yes = "是。" if lang == "zh" else "Yes."
    lines: list[dict[str, Any]] = [{"match": {"contains": [judges]}, "text": yes}]
    for number in range(count):
        one = made(number, lang)
        ends = re.escape(one.question) + r"\Z"
        lines.append({"match": {"contains": [refuses], "regex": ends}, "text": one.missing})
        for n in range(1, 5):
            shown = f"[{n}] {one.title}\n"
            text = cited(one.answer, form.format(n=n))
            lines.append({"match": {"contains": [shown], "regex": ends}, "text": text})
        first = one.text[:40]
        lines.append({"match": {"contains": [asks, first], "regex": r"\S\Z"}, "text": one.question})
    if latency_s is not None:
        lines = [{**line, "latency_s": latency_s} for line in lines]
    return lines


def write_script(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text(
        "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8"
    )
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
