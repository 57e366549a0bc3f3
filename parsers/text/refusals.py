"""Two kinds of "no": the text lacks the answer (wanted), and the model declines (a fault)."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from parsers.text.content import TextView

_HEAD = 300
"""Characters that are read: a refusal says so at once; it may go on with what the text does say."""

_TEXT_WORD = (
    r"(?:text|paper|article|passage|section|segment|document|excerpt|context|material|source|"
    r"study|author|summary|information|description)s?"
)
_VERB = (
    r"(?:mention|say|specify|provide|contain|state|discuss|describe|give|include|explain|cover|"
    r"indicate|address|report|tell|reveal|offer|detail|answer|elaborate|disclose)"
)
_PARTICIPLE = (
    r"(?:mentioned|specified|provided|stated|discussed|described|given|included|explained|covered|"
    r"indicated|addressed|reported|available|disclosed|detailed|answered|found|clear)"
)
# A cheap look before the long pattern: without one of these there is nothing to find.
_SIGNS_OF_NEGATION = (
    "not ",
    "no ",
    "n't",
    "n’t",
    "insufficient",
    "lack",
    "unable",
    "impossible",
    "unanswerable",
    "unclear",
    "can not",
)
# Cheaper looks, at the words of a text, where they are at hand.
# "t" is what an apostrophe leaves of "n't".
_NEGATIONS = frozenset(
    "not no t cannot insufficient lack lacks unable impossible unanswerable unclear".split()
)
_DECLINING_WORDS = frozenset(["sorry", "ai", "language", "i"])
_CHINESE_NEGATIONS = frozenset("没未无缺不难")
# Of the words of the patterns below, what Traditional Chinese writes otherwise.
_SIMPLIFIED = str.maketrans(
    "沒無夠資訊說據從關獲斷這個該給論內確難終與並於對應為來場當問題頁節圖總結詳細記載發現尚還",
    "没无够资讯说据从关获断这个该给论内确难终与并于对应为来场当问题页节图总结详细记载发现尚还",
)

_ENGLISH_LACKS_ANSWER = re.compile(
    r"\b(?:not (?:have )?(?:enough|sufficient) (?:information|details?|context|data)|"
    r"(?:isn|aren|doesn|don)['’]t (?:have )?(?:enough|sufficient) (?:information|details?|context)|"
    r"insufficient (?:information|details?|context|data)|"
    r"no (?:\w+ )?(?:information|mention|answer|details?) (?:\w+ ){0,3}?"
    r"(?:about|on|regarding|in|for|of|to|is|are|was|given|provided|available)\b|"
    rf"{_TEXT_WORD} (?:\w+ )?(?:(?:does|do|did) not|(?:doesn|don|didn)['’]t) "
    rf"(?:\w+ ){{0,2}}?{_VERB}\b|"
    rf"{_TEXT_WORD} (?:\w+ )?(?:gives|give|provides|provide|contains|contain|has|have|offers) no |"
    rf"(?:not|isn['’]t|aren['’]t|wasn['’]t) (?:\w+ )?{_PARTICIPLE}"
    rf"(?: (?:in|by|within|from) (?:\w+ ){{0,2}}?{_TEXT_WORD}|\s*[.!]?\s*$)|"
    r"(?:can ?not|can['’]t|could not|couldn['’]t) be (?:answered|determined|found|inferred|said)|"
    r"(?:unable|not able|not possible|impossible) to (?:answer|say|tell)\b|"
    r"\b(?:i|we) (?:can ?not|can['’]t|could not|couldn['’]t) (?:answer|determine|tell|find|say)\b|"
    r"(?:can ?not|can['’]t|could not|couldn['’]t) answer (?:this|that|the|your) question|"
    rf"(?:not|isn['’]t|aren['’]t) any (?:mention|information|details?) |"
    rf"(?:unclear|not clear) from the (?:\w+ )?{_TEXT_WORD}\b|"
    rf"unanswerable\b|{_TEXT_WORD} lacks?\b)"
)
_CHINESE_TEXT_WORD = (
    "(?:文|文本|文章|原文|论文|段落|资料|文档|材料|上下文|片段|作者|内容|信息|摘要)"
)
_CHINESE_LACKS_ANSWER = re.compile(
    "(?:没有|缺乏|缺少|无)(?:足够|充分|充足)的?(?:相关)?(?:信息|资料|内容|依据)|"
    "(?:信息|资料|内容)(?:并)?(?:不足|不够|不充分)|"
    "(?:^|[，。；,]|根据[^。！？\n]{0,20}|从[^。！？\n]{0,16})(?:我们?|因此|所以|故|也|并|暂时|目前)?"
    "(?:无法|不能|难以)(?:直接|据此|从[^。！？\n]{0,12})?(?:回答|确定|得知|判断|获知|知道)|"
    f"{_CHINESE_TEXT_WORD}[里中内]?(?:也|都|均|并|尚|暂)?(?:没有|没|未|未曾|不)(?:有|能)?"
    "(?:明确|具体|直接|详细)?(?:地)?"
    "(?:提到|提及|说明|给出|包含|包括|涉及|介绍|描述|指出|讨论|回答|提供|交代|说)|"
    "(?:没有|未|并未|没)(?:找到|发现|提供|包含|提及|提到|给出|涉及)[^。！？\n]{0,24}(?:信息|内容|答案|资料|说明)|"
    "没有[^。！？\n]{0,16}(?:相关|有关)的?(?:信息|内容|资料|描述|记载)|"
    "^(?:文中|文章|原文)?(?:并)?(?:未提及|没有提到|未提到|未说明|没有说明|不清楚|未知)"
)

_DECLINING = re.compile(
    r"\bas an? (?:ai|(?:large )?language model)\b|"
    r"\bi(?:['’]m| am) (?:just |only )?an? (?:ai|(?:large )?language model)\b|"
    r"\bi(?:['’]m| am) (?:very |so )?sorry,? (?:but )?i "
    r"(?:can ?not|can['’]t|am (?:not able|unable)|won['’]t)|"
    r"\bi (?:can ?not|can['’]t|won['’]t|am unable to|['’]m unable to) "
    r"(?:help|assist|comply|fulfill|participate|engage|generate|create|write|produce)\b|"
    r"^(?:i['’]m |i am )?sorry,? (?:but )?i (?:can ?not|can['’]t) (?:help|assist|do|comply)"
)
_CHINESE_DECLINING = re.compile(
    "作为一?[个名款]?(?:AI|人工智能|大?型?语言模型|智能助手)|我(?:只)?是一?[个名款]?(?:AI|人工智能|大?型?语言模型)|"
    "(?:抱歉|对不起|很遗憾)[，,]?\\s*(?:但)?我(?:不能|无法|没办法)(?:协助|帮助|帮|生成|创作|完成|满足|提供(?:该|此|这)|继续)|"
    "我(?:不能|无法)(?:协助|帮助你|帮助您|满足|完成(?:该|此|这个|您的|你的)请求|生成(?:该|此|这))",
    re.IGNORECASE,
)


def is_not_enough_information(text: str, lang: str | None = None) -> bool:
    """True when an answer says that the text does not hold the answer.

    The recipes ask for this instead of an invented answer, and fix no wording,
    so it is known by pattern. `lang` "en" or "zh" reads that language only;
    anything else reads both. A refusal announces itself, so only the first 300
    characters are read.

    >>> is_not_enough_information("There is not enough information in the text.", "en")
    True
    >>> is_not_enough_information("文中没有提到训练时间。", "zh")
    True
    """
    head = text[:_HEAD]
    if lang != "zh":
        lowered = head.lower()
        for sign in _SIGNS_OF_NEGATION:
            if sign in lowered:
                if _ENGLISH_LACKS_ANSWER.search(lowered) is not None:
                    return True
                break
    if lang == "en" or head.isascii():
        return False
    head = head.translate(_SIMPLIFIED).replace("资讯", "信息")
    if _CHINESE_NEGATIONS.isdisjoint(head):
        return False
    return _CHINESE_LACKS_ANSWER.search(head) is not None


def may_lack_answer(seen: TextView, lang: str | None = None) -> bool:
    """A cheap look ahead of `is_not_enough_information`: False means that it is False as well."""
    if lang != "zh" and not _NEGATIONS.isdisjoint(seen.words):
        return True
    return lang != "en" and not seen.text.isascii()


def has_declining_words(words: AbstractSet[str]) -> bool:
    """A look at the words of several ASCII texts at once: False means that none declines."""
    return not _DECLINING_WORDS.isdisjoint(words)


def may_decline(seen: TextView) -> bool:
    """A cheap look ahead of `is_declining`: False means that it is False as well."""
    if has_declining_words(seen.words):
        return True
    return not seen.text.isascii() and ("我" in seen.text or "作为" in seen.text)


def is_declining(text: str) -> bool:
    """True when the model speaks as a model and declines the task ("As an AI language model …")."""
    head = text[:_HEAD]
    if _DECLINING.search(head.lower()) is not None:
        return True
    return not head.isascii() and _CHINESE_DECLINING.search(head) is not None
