"""Questions that a Chinese sentence answers.

Chinese keeps its word order in questions, so a clause needs only a question
word in the right place: before the verb phrase ("调度器如何选择节点？") or instead
of what follows the verb ("调度器选择什么？").
"""

from __future__ import annotations

import re

from generator.grammar.chinese_clauses import Clause, main_clause_start, take_apart
from generator.grammar.questions import QuestionForm

_REASON = re.compile("因为|由于|以便|避免|为了")
_TIME = re.compile("(?:时|以后|之后|以前|之前)，|一旦|每当")
_PRONOUN = re.compile("它|他们|这|那|其|该|此|前者|后者|两者|二者|前一|后一|另一")
# What follows these may be a clause of its own.
_TAKES_CLAUSE = re.compile("表明|证明|显示|说明|发现|希望|认为|要求|保证|决定")
# These verbs say what, not how.
_STATIVE = re.compile(
    "包括|包含|需要|使用|采用|提出|显示|表明|证明|说明|发现|希望|认为|要求|超过|达到|来自|属于|取决于|导致"
    "|组成|构成|保留|得到|获得|比较|占用|消耗|列出|介绍|讨论|等待|保证|要求|决定"
)
_VERB_AT_START = re.compile("打开|关闭|上报|发送|接收|浇水|测量|更新|读取|使用|进行|开始|继续")
_AMOUNT = re.compile("[一两二三四五六七八九十几数半每]+个?(?:次|轮|遍|分钟|小时|天|年|月|秒|倍|成)")
_MAX_QUESTION = 40


def chinese_questions(sentence: str) -> tuple[QuestionForm, ...]:
    """The question forms that `sentence` answers; empty when the rules do not understand it."""
    clause = take_apart(sentence)
    if clause is None:
        return ()
    if clause.verb == "是":
        return (QuestionForm("what", f"{clause.subject}是", (), "什么？"),)
    forms = [*_what_questions(clause), *_how_questions(clause, sentence)]
    return tuple(form for form in forms if len(form.start) <= min(_MAX_QUESTION, len(sentence)))


def is_about_pronoun(sentence: str) -> bool:
    """Whether the sentence's subject is 它, 这 or the like, clear only beside others."""
    return _PRONOUN.match(sentence, main_clause_start(sentence)) is not None


def _what_questions(clause: Clause) -> list[QuestionForm]:
    takes_clause = _TAKES_CLAUSE.fullmatch(clause.verb) is not None and not clause.phrase
    if clause.phrase.startswith("由") and not clause.rest:
        return [QuestionForm("what", f"{clause.subject}由", (), f"什么{clause.verb}？")]
    has_object = len(clause.rest) >= 2 and _AMOUNT.fullmatch(clause.rest) is None
    has_object = has_object and _VERB_AT_START.match(clause.rest) is None
    if not (takes_clause or has_object) or "的" in clause.phrase:
        return []
    start = clause.subject + clause.phrase + clause.verb + clause.past
    return [QuestionForm("what", start, (), "什么？")]


def _how_questions(clause: Clause, sentence: str) -> list[QuestionForm]:
    if not clause.rest and not clause.phrase:
        return []
    predicate = clause.phrase + clause.verb + clause.rest
    words = []
    if (
        not clause.phrase.startswith(("不", "由", "必须", "应当", "应该"))
        and _STATIVE.fullmatch(clause.verb) is None
    ):
        words.append("如何")
    if _REASON.search(sentence):
        words.append("为什么")
    if _TIME.search(clause.opening):
        words.append("在什么时候")
    return [QuestionForm("how", clause.subject + word + predicate, (), "？") for word in words]
