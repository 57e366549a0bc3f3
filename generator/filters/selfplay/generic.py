"""Questions that would fit any text: "What is the paper about?"."""

from __future__ import annotations

import re

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, rounded
from generator.filters.sample import DialogueSample
from generator.filters.selfplay.settings import SelfPlayFilterSettings
from parsers.text.content import TextView, view

# What a text as a whole has. A question with nothing but these asks for the summary again.
_ASPECTS = frozenset(
    "contribution contributions idea ideas topic topics subject theme themes purpose purposes goal "
    "goals aim aims objective objectives focus finding findings result results conclusion "
    "conclusions takeaway takeaways message summary overview motivation problem problems novelty "
    "significance importance implications gist argument thesis hypothesis points".split()
)
_WORKS = frozenset(
    "paper papers article articles text passage document section study work research publication "
    "author authors writer writers".split()
)
_FILLERS = frozenset(
    "what which how why who main key central primary overall general major principal core basic "
    "important brief briefly short exactly specific specifically particular detail details please "
    "propose proposes proposed present presents presented introduce introduces discuss discusses "
    "discussed address addresses addressed try trying tries solve solves show shows shown achieve "
    "achieves describe describes described explain explains explained tell give provide say says "
    "said want wants know learn like find finds found focuses deal deals cover covers make makes "
    "made point talk talks talking draw draws drawn reach reaches reached "
    "summarize summarise summarized elaborate clarify information something anything thing things "
    "interesting new first question ask start about".split()
)
_MORE = re.compile(
    r"\W*(?:(?:could|can|would|will) you )?(?:please )?"
    r"(?:(?:tell|say|explain|share|give)(?: me| us)?(?: a (?:bit|little))? (?:more|something|"
    r"details)|"
    r"elaborate|go on|continue|what else)\b"
)
_ABOUT = re.compile(r"\bwhat(?:['’]s| is| was) (?:it|this|that) (?:all )?about\b")
_LONGEST = 30
"""Tokens; a longer question says what it is about."""

_CHINESE_CORE = (
    "论文|文章|本文|该文|全文|文本|文中|原文|研究|作者|段落|材料|主题|主旨|中心思想|大意|核心思想|"
    "思想|"
    "贡献|创新点|创新之处|创新|目的|目标|动机|结论|结果|发现|意义|价值|观点|要点|重点|概要|摘要|"
    "内容"
)
_CHINESE_FILLERS = (
    "主要|核心|中心|关键|总体|整体|大概|大致|具体|简要|简单|详细|一下|请问|请|能否|可以|是否|您|"
    "你|我|们|"
    "什么样|什么|哪些|哪个|哪方面|哪|怎样|怎么|如何|为什么|为何|为了|多少|"
    "关于|有关|讲述|讲|说明|说|谈到|谈|介绍|讨论|探讨|阐述|描述|解释|总结|概括|归纳|提出|解决|研究|"
    "问题|方面|想要|想|要|有|是|的|了|在|就|都|和|与|呢|吗|吧|啊|它|这|那|此|本|该|其|篇|项|个|些|"
    "段|里|中|内|文|"
    "告诉|知道|了解|更多|得到|得出|达到|最|重要|新|用|一|对|来|些|点|还|能|会|到|出"
)
_CHINESE_GENERIC = re.compile(f"(?:{_CHINESE_CORE}|{_CHINESE_FILLERS})++")
_CHINESE_HAS_CORE = re.compile(_CHINESE_CORE)
_CHINESE_MORE = re.compile(
    "(?:您|你|能否|能|可以|请|再|我|给)*+(?:详细|具体|多)?(?:地)?(?:说|讲|谈|介绍|解释)"
    "(?:说|讲|一下|一些|更多|详细点|点)*+(?:吗|呢)?"
)
_MARKS = re.compile(r"[\s，。、；：！？,.;:!?“”\"'…~～]+")


def is_generic_question(text: str) -> bool:
    """True when a question names nothing of its text, only what every paper has.

    English and Chinese; questions in other languages are never generic. Short questions that
    lean on what was said ("How fast is it?", "为什么？") are not generic.

    >>> is_generic_question("What is the main contribution of the paper?")
    True
    >>> is_generic_question("How does the paper choose the window?")
    False
    """
    return _is_generic(view(text))


def generic_questions(sample: DialogueSample, settings: SelfPlayFilterSettings) -> FilterResult:
    """Questions that would fit any text. A known defect of published self-play dialogues."""
    questions = sample.questions
    if not questions:
        return NOTHING_FOUND
    generic = [index for index, seen in questions if _is_generic(seen)]
    measures = {
        "generic_questions": len(generic),
        "generic_share": rounded(len(generic) / len(questions)),
    }
    if len(generic) <= settings.max_generic_questions:
        return FilterResult((), measures)
    shown = sample.dialogue.turns[generic[0]].text
    detail = (
        f"{len(generic)} of {len(questions)} questions would fit any text, at most "
        f"{settings.max_generic_questions}, for example turn {generic[0] + 1}: “{shown[:80]}”"
    )
    place = sample.place(generic[0])
    return FilterResult((Reason("filter", "generic_questions", detail, place),), measures)


def _is_generic(seen: TextView) -> bool:
    if not seen.tokens or len(seen.tokens) > _LONGEST:
        return False
    if seen.text.isascii() or seen.sequence == 6:
        content = seen.content
        if not content <= _ENGLISH:
            return False
        lowered = seen.text.lower()
        return (
            not content.isdisjoint(_ASPECTS)
            or _MORE.match(lowered) is not None
            or _ABOUT.search(lowered) is not None
            or (not content.isdisjoint(_WORKS) and "who" not in content)
        )
    bare = _MARKS.sub("", seen.text)
    if _CHINESE_GENERIC.fullmatch(bare) is not None and _CHINESE_HAS_CORE.search(bare) is not None:
        return True
    return _CHINESE_MORE.fullmatch(bare) is not None


_ENGLISH = _ASPECTS | _WORKS | _FILLERS
