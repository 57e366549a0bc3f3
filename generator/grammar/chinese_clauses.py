"""Takes the first main clause of a Chinese sentence apart: subject, adverbs, verb phrase.

Chinese has no spaces, so the rules go by a list of verbs and of the words
that open a verb phrase. A verb before 的 or before a noun's last syllable
("收集的数据", "控制器") is part of a name, not the clause's verb.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_VERBS = (
    "使用|采用|利用|包括|包含|提出|比较|保存|保留|选择|需要|减少|降低|提高|提升|增加|接收|发送|返回|读取|写入"
    "|记录|存储|生成|产生|计算|估计|预测|检测|识别|训练|学习|分配|调整|更新|删除|淘汰|合并|划分|拆分|分成|组成"
    "|构成|设计|实现|支持|避免|防止|保证|检查|验证|测量|评估|测试|运行|执行|处理|传输|传递|压缩|编码|解码|表示"
    "|描述|解决|忽略|考虑|依赖|决定|确定|控制|限制|维护|收集|提取|过滤|排序|搜索|查询|匹配|替换|复制|恢复|启动"
    "|停止|触发|加载|缓存|共享|连接|关闭|打开|转换|映射|达到|超过|获得|得到|覆盖|观察|发现|定义|引入|加入|添加"
    "|移动|放弃|等待|询问|汇总|广播|标记|丢弃|补齐|抽取|改写|标注|打分|投票|节省|缩短|扩大|占用|消耗|模拟|重放"
    "|部署|监测|监听|校准|报告|上报|唤醒|切换|平衡|区分|对齐|衡量|统计|导致|影响|说明|证明|显示|表明|来自|属于"
    "|取决于|希望|认为|要求|公开|修改|上传|下载|安装|绘制|调用|调度|列出|介绍|讨论|研究|通知|交给|交换|移除|插入"
    "|融合|筛选|采集|推断|优化|改变|改善|形成|提供|给出|允许|适应|修正|启用|隐藏|排列|输出|输入|寻找|找到|回答"
)
# These end a noun when they follow a verb, and then it was no verb.
_NOUN_ENDS = (
    "的|器|者|机|率|量|值|法|力|站|点|期|员|表|方法|系统|算法|模型|数据|过程|结果|阶段|能力|任务"
)
_BEFORE_VERB = "可以|能够|应当|应该|必须|不会|不能|不再|能|会|要|把|将|由|从|向|对|是"
_PHRASES = "在[^，。]{1,12}?(?:中|上|里|内|下|间|处|前|后)"
_ADVERBS = (
    "因此|所以|于是|还|也|仍然|仍|又|再|都|只|先|首先|随后|然后|总是|通常|往往|大多|一般|可以|能够|能|会|就|才"
    "|同时|分别|已经|已|并"
)
_OPENERS = (
    f"{_PHRASES}|在|通过|根据|按照|依据|借助|按|把|将|从|向|对|用|以|由|与|和|随|为|让|使|给|沿"
    "|经过|应当|应该|必须|要|每次|每隔|每天|每小时|逐一|逐步|自动|直接|不再|不会|不能|不"
)
_PREDICATE = re.compile(
    # The bounds keep the search short on any text; a longer phrase is no plain clause anyway.
    f"(?P<adverbs>(?:{_ADVERBS}){{0,3}})(?:(?:{_OPENERS})(?:[^，。]{{0,14}}?[^，。的])??){{0,2}}?"
    f"(?P<verb>{_VERBS})(?P<past>了?)(?!{_NOUN_ENDS})(?!{_BEFORE_VERB})"
)
_VERB = re.compile(_VERBS)
_IS = re.compile("(?<![但可只总都还也就不若凡要更])是(?!否|因|为)")
_LINK = re.compile("因此|所以|于是|随后|然后|但是|但|而且|同时|其中")
_LEADING = re.compile(
    "(?:第[一二三四五六]|[^，。；：]{2,40}(?:时|以后|之后|后|以前|之前|前|中|上|里|下)"
    "|(?:为了|为|当|如果|由于|因为|虽然|尽管|除了|与|和|对于|首先|其次|最后|然后|随后|因此|所以|此外|另外"
    "|同时|结果|例如|不过|然而|但是|但|而且|于是|相反|总之|一旦|每当|随着|根据|按照|通过)[^，。；：]*)，"
)
_CLAUSE_END = re.compile("[，。；：！？,;:!?（(]")
_AUTHORS = re.compile("(?:我们|本文|本节|本研究)")
_OPEN_SUBJECT = re.compile("[的在于对和与把被将从向为让以不有时后]$|没有|希望|认为|[，。“]$")
_SUBJECT_LENGTH = range(2, 15)
_CLAUSE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: 控制器 / 根据湿度 / 估计 / 缺水的程度.

    `opening` is what stood before it in the sentence ("当……时，"). Adverbs
    between subject and verb phrase are left out. `past` is 了 or nothing.
    A definition ("甲是乙") has the verb 是.
    """

    opening: str
    subject: str
    phrase: str
    verb: str
    past: str
    rest: str


def take_apart(sentence: str) -> Clause | None:
    """The main clause, or None if the rules do not understand it."""
    start = main_clause_start(sentence)
    opening, body = sentence[:start], sentence[start:]
    end = _CLAUSE_END.search(body)
    clause = body[: end.start()] if end is not None else body
    if len(clause) > _CLAUSE_LENGTH:
        return None
    is_word = _IS.search(clause, 2)
    for found in _PREDICATE.finditer(clause, 2):
        if is_word is not None and is_word.start() < found.start():
            break
        subject = _subject(clause[: found.start()])
        if subject is not None and _VERB.fullmatch(subject) is None:
            phrase = clause[found.end("adverbs") : found.start("verb")]
            rest = clause[found.end() :]
            return Clause(opening, subject, phrase, found["verb"], found["past"], rest)
    if is_word is not None:
        subject = _subject(clause[: is_word.start()])
        if subject is not None:
            return Clause(opening, subject, "", "是", "", clause[is_word.end() :])
    return None


def main_clause_start(sentence: str) -> int:
    """Where the first clause begins that is no opening ("当……时，", "第一，")."""
    start = 0
    while (opening := _LEADING.match(sentence, start)) is not None:
        start = opening.end()
    link = _LINK.match(sentence, start)
    return start if link is None else link.end()


def _subject(text: str) -> str | None:
    if _AUTHORS.fullmatch(text) is not None:
        return "作者"
    is_open = len(text) not in _SUBJECT_LENGTH or _OPEN_SUBJECT.search(text) is not None
    return None if is_open else text.replace("我们的", "")
