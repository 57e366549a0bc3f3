"""Questions that a Chinese sentence answers, found by rules over its first clause.

Chinese keeps its word order in questions, so a clause needs only a question
word in the right place: before the verb phrase ("调度器如何选择节点？") or instead
of what follows the verb ("调度器选择什么？"). The rules find that place with
a list of verbs and of the words that open a verb phrase; a sentence they do
not understand gives no question.
"""

from __future__ import annotations

import re

from generator.grammar.questions import QuestionForm

_VERBS = (
    "使用|采用|利用|包括|包含|提出|比较|保存|保留|选择|需要|减少|降低|提高|提升|增加|接收|发送|返回|读取|写入"
    "|记录|存储|生成|产生|计算|估计|预测|检测|识别|训练|学习|分配|调整|更新|删除|淘汰|合并|划分|拆分|分成|组成"
    "|构成|设计|实现|支持|避免|防止|保证|检查|验证|测量|评估|测试|运行|执行|处理|传输|传递|压缩|编码|解码|表示"
    "|描述|解决|忽略|考虑|依赖|决定|确定|控制|限制|维护|收集|提取|过滤|排序|搜索|查询|匹配|替换|复制|恢复|启动"
    "|停止|触发|加载|缓存|共享|连接|关闭|转换|映射|达到|超过|获得|得到|覆盖|观察|发现|定义|引入|加入|添加|移动"
    "|放弃|等待|询问|汇总|广播|标记|删去|丢弃|补齐|抽取|改写|标注|打分|投票|节省|缩短|扩大|占用|消耗|模拟|重放"
    "|部署|监测|校准|报告|上报|唤醒|切换|平衡|区分|对齐|衡量|统计|导致|影响|说明|证明|显示|表明|来自|属于|取决于"
)
# What can open a verb phrase and stand before its verb.
_OPENERS = (
    "通过|根据|按照|依据|借助|按|把|将|从|向|对|用|以|由|在|与|和|随|为|让|使|给|沿|经过"
    "|可以|能够|能|会|应当|应该|必须|需|要|只|都|也|还|又|再|先|首先|总是|通常|往往|每次|每隔|逐一|逐步|自动|直接"
    "|不再|不会|不能|不|没有|未|并|已经|已|仍然|仍|一次|同时|分别|被"
)
# A verb before 的 is part of a noun phrase ("收集的数据"), not the clause's verb.
_PREDICATE = re.compile(f"(?:{_OPENERS})*(?:{_VERBS})(?!的)|(?:{_OPENERS})")
_VERB = re.compile(_VERBS)
_IS = re.compile("(?<![但可只总都还也就不若凡要更])是(?!否|因|为)")
_REASON = re.compile("因为|由于|以便|从而|避免|为了|因此|所以")
_TIME = re.compile("时|之后|以后|之前|以前|一旦|每当")
_LEADING = re.compile(
    "(?:为了|为|当|在|如果|由于|因为|虽然|尽管|除了|与|和|对于|首先|其次|最后|然后|因此|所以|此外|另外|同时"
    "|结果|例如|不过|然而|但是|但|而且|于是|相反|总之|一旦|每当|随着|根据|按照|通过)[^，。；：]*，"
)
_CLAUSE_END = re.compile("[，。；：！？,;:!?（(]")
_PRONOUNS = re.compile("(?:它|它们|他们|这|那|其|该|此|前者|后者|两者|二者|前一|后一|另一)")
_SUBJECT_END = re.compile("[的在于对和与把被将]$")
# Their object is a clause of its own: "结果表明，……" answers "结果表明什么？".
_REPORTS = re.compile("表明|证明|显示|说明|发现")
_SUBJECT_LENGTH = range(2, 15)
_PREDICATE_LENGTH = range(2, 25)


def chinese_questions(sentence: str) -> tuple[QuestionForm, ...]:
    """The question forms that `sentence` answers; empty when the rules do not understand it."""
    clause = _main_clause(sentence)
    is_word = _IS.search(clause, 2)
    if is_word is not None:
        defined = _subject(clause[: is_word.start()])
        if defined is not None and _PREDICATE.search(defined, 2) is None:
            return (QuestionForm("what", f"{defined}是", (), "什么？"),)
    subject, predicate = _take_apart(clause)
    if len(predicate) not in _PREDICATE_LENGTH:
        return ()
    forms: list[QuestionForm] = []
    verb = _verb_with_object(predicate)
    if verb is not None and "的" not in predicate[: verb.start()]:
        end = verb.end() + (predicate[verb.end() :].startswith("了"))
        forms.append(QuestionForm("what", subject + predicate[:end], (), "什么？"))
    if _REPORTS.fullmatch(predicate) is not None:
        return tuple(forms)
    if len(predicate) <= 0.75 * len(sentence):
        if not predicate.startswith(("不", "没", "未", "被")):
            forms.append(QuestionForm("how", f"{subject}如何{predicate}", (), "？"))
        if _REASON.search(sentence):
            forms.append(QuestionForm("how", f"{subject}为什么{predicate}", (), "？"))
        if _TIME.search(sentence) and "时" not in predicate:
            forms.append(QuestionForm("how", f"{subject}在什么时候{predicate}", (), "？"))
    return tuple(forms)


def is_about_pronoun(sentence: str) -> bool:
    """Whether the sentence's subject is 它, 这 or the like, clear only beside others."""
    return _PRONOUNS.match(_main_clause(sentence)) is not None


def _main_clause(sentence: str) -> str:
    """The first clause that is no opening ("当……时，"), up to its first mark."""
    rest = sentence
    while (opening := _LEADING.match(rest)) is not None:
        rest = rest[opening.end() :]
    end = _CLAUSE_END.search(rest)
    return rest[: end.start()] if end is not None else rest


def _take_apart(clause: str) -> tuple[str, str]:
    """Subject and predicate; both empty when no place between them is found."""
    for found in _PREDICATE.finditer(clause, 2):
        subject = _subject(clause[: found.start()])
        if subject is not None:
            return subject, clause[found.start() :]
    return "", ""


def _subject(text: str) -> str | None:
    text = "作者" if text in ("我们", "本文", "本节") else text.replace("我们的", "")
    is_open = len(text) not in _SUBJECT_LENGTH or _SUBJECT_END.search(text) is not None
    return None if is_open else text


def _verb_with_object(predicate: str) -> re.Match[str] | None:
    """The first verb, if a noun phrase follows it that can be asked for."""
    verb = _VERB.search(predicate)
    if verb is None:
        return None
    rest = predicate[verb.end() :]
    if _REPORTS.fullmatch(verb.group()) is not None:
        return verb
    return verb if len(rest) >= 2 and _VERB.match(rest) is None else None
