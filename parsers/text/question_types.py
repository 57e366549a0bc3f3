"""What a question asks for: a fact, an explanation, a comparison, a list, yes or no, or a topic."""

from __future__ import annotations

import re
from typing import Literal

from parsers.text.questions import is_question

QuestionType = Literal["fact", "explanation", "comparison", "list", "yes_no", "topic"]
QUESTION_TYPES: tuple[QuestionType, ...] = (
    "fact",
    "explanation",
    "comparison",
    "list",
    "yes_no",
    "topic",
)

_READ = 600
"""Characters that are read, from the end: what is asked stands last."""

_LEAD = (
    r"^\W*(?:(?:and|but|so|then|also|ok(?:ay)?|well|please|thanks|thank you|i see|interesting|"
    r"great|that['’]s interesting)\b[,.! ]*)*"
)
_ENGLISH_COMPARISON = re.compile(
    r"\b(?:compare[sd]?|comparison|versus|vs\.?|differ(?:s|ed)?|differences?|similarit(?:y|ies)|"
    r"in common|distinguish(?:es)?|contrast(?:s|ed)?|"
    r"(?:more|less|better|worse|older|newer|larger|smaller|higher|lower|faster|slower|earlier|later|"
    r"\w{3,}er) than)\b|\bbetween [^.?]{1,80} and \b",
    re.IGNORECASE,
)
_ENGLISH_LIST = re.compile(
    r"\b(?:list|name|enumerate)\b (?:\w+ ){0,3}|"
    r"\b(?:what|which) (?:are|were) (?:some|the (?:\w+ )?(?:\w+s|people|children|media))\b|"
    r"\b(?:what|which) (?:\w+ ){0,2}(?:kinds|types|steps|factors|reasons|examples|"
    r"features|members|"
    r"parts|stages|countries|cities|books|films|works|people|materials|methods|ways|places|items)\b|"
    r"\bwho (?:are|were) (?:some|the)\b|\bsome (?:notable|examples|of the)\b|\bexamples of\b",
    re.IGNORECASE,
)
_ENGLISH_ORDER = re.compile(rf"{_LEAD}(?:list|name|enumerate)\b", re.IGNORECASE)
_ENGLISH_EXPLANATION = re.compile(
    rf"{_LEAD}(?:(?:can|could|would|will) you )?(?:please )?"
    r"(?:explain|describe|elaborate|clarify)\b|"
    r"\bwhy\b|\bhow (?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|come)\b|"
    r"\bwhat (?:is|are|was|were) (?:the )?(?:reasons?|causes?|purpose|role|significance|meaning|"
    r"impact|effects?|background|process|mechanism)\b|\bin what way\b|\bwhat happens\b|"
    r"\bwhat (?:causes?|caused|led to|makes|made)\b",
    re.IGNORECASE,
)
_ENGLISH_FACT = re.compile(
    r"\b(?:who|whom|whose|when|where|what|which)\b|"
    r"\bhow (?:many|much|old|long|far|tall|big|large|high|deep|fast|often|heavy|wide|late|early)\b",
    re.IGNORECASE,
)
_ENGLISH_YES_NO = re.compile(
    rf"{_LEAD}(?:[^?]{{0,120}}, )?(?:is|are|was|were|am|do|does|did|can|could|will|would|should|"
    r"may|might|has|have|had|must|"
    r"isn['’]t|aren['’]t|wasn['’]t|weren['’]t|don['’]t|doesn['’]t|didn['’]t)\b",
    re.IGNORECASE,
)
_ENGLISH_REQUEST = re.compile(
    rf"{_LEAD}(?:(?:can|could|would|will) you|i['’]?(?:d| would)? (?:like|want|need)|"
    r"i['’]m (?:looking|interested|curious)|i am (?:looking|interested|curious)|tell me|give me|"
    r"provide|share|introduce|talk about|please)\b|"
    r"\bi(?:['’]d| would) (?:also )?like to (?:know|learn|hear)|\bi(?:['’]m| am) "
    r"(?:looking for|interested in|curious about)|\bi want to (?:know|learn)",
    re.IGNORECASE,
)
_CHINESE_COMPARISON = re.compile(
    "比较|比較|对比|對比|相比|区别|區別|不同|差异|差異|差别|差別|异同|異同|哪个更|哪個更|哪一个更|更[^，。？]{0,6}还是|"
    "相同点|共同点|共同之处|与[^，。？]{1,30}相比|和[^，。？]{1,30}哪"
)
_CHINESE_LIST = re.compile(
    "哪些|哪几|哪幾|有何种|列举|列舉|列出|举例|舉例|分别是|分別是|分别有|包括什么|包括什麼|"
    "有什么(?=[^？]{0,8}(?:种|类|方法|特点|成员|作品))|几种|幾種"
)
_CHINESE_EXPLANATION = re.compile(
    "为什么|為什麼|为何|為何|怎么|怎麼|怎样|怎樣|如何|原因|解释|解釋|说明|說明|什么意思|什麼意思|意义|意義|原理|"
    "作用是|影响|影響|背景"
)
_CHINESE_YES_NO = re.compile(
    "吗|嗎|(?<![什怎那这])么[？?]?$|是否|是不是|有没有|有沒有|能不能|会不会|會不會|可不可以|能否|可否|对不对|要不要"
)
_CHINESE_FACT = re.compile(
    "什么|什麼|谁|誰|哪|多少|多大|多长|多長|多久|多高|多远|多遠|多重|几|幾|何时|何時|何地|何人|何处|何處"
)
_CHINESE_REQUEST = re.compile("介绍|介紹|谈谈|談談|讲讲|講講|说说|說說|告诉|告訴|了解|聊聊|描述")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def question_type(text: str, lang: str | None = None) -> QuestionType:
    """The kind of a question, by its words; a statement of what one wants to know is a "topic".

    "comparison" and "list" go before "explanation" (why, how, "describe …"), that before "yes_no"
    and "fact". "Can you …" and "请介绍…" ask for a topic, not for a yes. `lang` "en" or "zh" reads
    that language only, anything else the language of the text. TruthReader's sample mixes all six;
    many of its English questions are topics ("History of X and its products.").

    >>> question_type("Why is it blue?"), question_type("有哪些颜色？")
    ('explanation', 'list')
    """
    asked = text.strip()[-_READ:]
    if lang == "zh" or (lang != "en" and _HAN.search(asked) is not None):
        return _chinese(asked)
    return _english(asked)


def _english(asked: str) -> QuestionType:
    if _ENGLISH_COMPARISON.search(asked) is not None:
        return "comparison"
    if _ENGLISH_ORDER.match(asked) is not None or (
        _ENGLISH_LIST.search(asked) is not None
        and (is_question(asked) or _ENGLISH_REQUEST.search(asked) is not None)
    ):
        return "list"
    if _ENGLISH_EXPLANATION.search(asked) is not None:
        return "explanation"
    if _ENGLISH_REQUEST.search(asked) is not None:
        return "topic"
    if _ENGLISH_YES_NO.search(asked) is not None and "?" in asked:
        return "yes_no"
    if _ENGLISH_FACT.search(asked) is not None:
        return "fact"
    return "topic"


def _chinese(asked: str) -> QuestionType:
    if _CHINESE_COMPARISON.search(asked) is not None:
        return "comparison"
    if _CHINESE_LIST.search(asked) is not None:
        return "list"
    if _CHINESE_REQUEST.search(asked) is not None:
        return "topic"
    if _CHINESE_YES_NO.search(asked) is not None:
        return "yes_no"
    if _CHINESE_EXPLANATION.search(asked) is not None:
        return "explanation"
    if _CHINESE_FACT.search(asked) is not None:
        return "fact"
    return "topic"
