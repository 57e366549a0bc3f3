"""An answer that says the documents lack the answer, and the three things it should say."""

from __future__ import annotations

import re

from parsers.citations.model import RefusalParts
from parsers.sentences import split_sentences
from parsers.text.refusals import is_not_enough_information
from parsers.text.tokens import UNSPACED_CLASS, tokens

_HEAD = 2000
"""Characters that are read: a longer answer is none of the short refusals that are meant."""

# Of the words below, what Traditional Chinese writes otherwise.
_SIMPLIFIED = str.maketrans(
    "對諒遺檔資獻給這們內則講討論關圍繞與無沒據從說紹談條項題頁於為該當確別話個識詢問還並請見圖記載詳細發現終難應場總結節儘雖夠訊獲斷",
    "对谅遗档资献给这们内则讲讨论关围绕与无没据从说绍谈条项题页于为该当确别话个识询问还并请见图记载详细发现终难应场总结节尽虽够讯获断",
)
_APOLOGY = re.compile(
    r"\b(?:sorry|apologi[sz]e|apologies|apology|regret(?:fully|tably)?|i['’]m afraid|i am afraid|"
    r"unfortunately)\b|抱歉|对不起|不好意思|遗憾|见谅|原谅",
    re.IGNORECASE,
)
_DOCUMENTS = (
    r"(?:documents?|docs?|passages?|texts?|sources?|materials?|articles?|references?|excerpts?|"
    r"contexts?|information|content|contents|snippets?)"
)
_DETERMINER = r"(?:(?:the|these|this|those|all|both|any|none of the) )?"
_KIND = (
    r"(?:(?:given|provided|available|supplied|retrieved|above|cited|listed|two|three|four|other|"
    r"attached|current|reference|source) ){0,3}"
)
_SUBJECT = (
    rf"(?:{_DETERMINER}{_KIND}{_DOCUMENTS}(?: (?:that )?(?:you |i )?(?:have )?(?:provided|given|"
    r"supplied|available|here|above|at hand)){0,2}|they|these|it|which|what (?:they|the documents))"
)
_ADVERB = (
    r"(?:(?:mainly|mostly|primarily|instead|only|rather|chiefly|largely|do|does|all|both|just|"
    r"generally|solely|exclusively|however|simply|are|is|do indeed)[, ]+){0,3}"
)
_COVERS = (
    r"(?:talk(?:s)? about|discuss(?:es)?|covers?|focus(?:es)? on|deals? with|describes?|concerns?|"
    r"provides?|contains?|mentions?|address(?:es)?|relates? to|pertains? to|includes?|explains?|"
    r"revolves? around|cent(?:er|re)s? (?:on|around)|offers?|present(?:s)?|introduces?|"
    r"about|focused on|related to|centered on|centred on|limited to|devoted to|concerned with|"
    r"speaks? of|tells? (?:of|about|us about)|gives?|reports?|is on|are on)"
)
_ENGLISH_COVERED = re.compile(
    rf"(?:{_SUBJECT} ,?{_ADVERB}{_COVERS}|\bcovered (?:in|by) {_SUBJECT} (?:are|is)|"
    rf"topics? (?:of {_SUBJECT} )?(?:are|is|include)) (?P<what>[^.!?]+)",
    re.IGNORECASE,
)
_ENGLISH_NOTHING = re.compile(
    r"\s*(?:no\b|not\b|nothing\b|neither\b|any\b|little\b|insufficient\b|none\b)", re.IGNORECASE
)
_CHINESE_COVERED = re.compile(
    "(?:文档|文件|资料|文献|材料|文章|文本|来源|片段|内容|信息|它们|其中|这些|其|则|只|主要|仅|分别)"
    "[^，。！？；没未无不]{0,12}?"
    "(?:介绍|讨论|讲述|讲的?|涉及|关于|描述|谈论|谈及|谈到|围绕|包括|包含|提到|提及|提供|说明|聚焦|集中|叙述|探讨|"
    "论述|记载|阐述|是)(?:了|的是|的)?(?P<what>[^。！？]{2,})"
)
_CHINESE_NOT = re.compile("[没未无不]")
_ENGLISH_LACKS = re.compile(
    rf"\bnone of (?:the|these|those) {_KIND}{_DOCUMENTS}\b"
    rf"|\b(?:neither|nothing|no) {_KIND}{_DOCUMENTS} (?:\w+ ){{0,2}}?"
    r"(?:mentions?|covers?|discuss(?:es)?|says?|provides?|addresses|contains?|answers?|"
    r"describes?|states?)"
    r"|\bnothing (?:\w+ ){0,3}?(?:about|on|of|regarding|concerning) "
    r"|\b(?:can ?not|can['’]t|could not|couldn['’]t|unable to|did not|didn['’]t|not able to) "
    r"(?:find|locate|see|identify|answer|tell|determine|provide|give)\b"
    r"|\b(?:is|are|was|were)(?: not|n['’]t) (?:\w+ ){0,2}?(?:in|by|within|covered|mentioned)\b"
    rf"[^.!?]{{0,40}}{_DOCUMENTS}\b"
    rf"|{_DOCUMENTS} (?:\w+ ){{0,3}}?(?:do|does|did)(?: not|n['’]t)\b"
    rf"|\b(?:they|it) (?:do|does|did)(?: not|n['’]t) (?:\w+ )?"
    r"(?:say|mention|contain|cover|give|provide|state|discuss|include|describe|answer|specify|address)\b",
    re.IGNORECASE,
)
_CHINESE_LACKS = re.compile(
    "(?:没有?|未能?|并未|无|缺少|缺乏|不)(?:任何|直接|明确|具体|能够?)?"
    "(?:关于|有关|涉及|提及|提到|包含|包括|提供|介绍|说明|给出|记载|描述|讨论|谈到|谈及|讲到|写到|写|找到|讲|谈|含有|列出|与)"
    "|(?:查|找|看)不到|没[提说讲写]|(?:无法|不能|没办法|难以)(?:根据[^，。]{0,12}|从[^，。]{0,12}|据此|直接)?(?:回答|得知|确定|提供|判断|找到|给出|知道|了解)"
    "|(?:信息|资料|资讯|内容|依据)(?:并)?(?:不足|不够)|没有(?:任何|相关|足够)?的?(?:信息|资料|内容|资讯|答案|记载)"
)
_ABOUT_DOCUMENTS = re.compile(
    r"\b(?:documents|passages|sources|excerpts|context|provided|(?:any|each|either) document)\b|"
    "文档|资料|材料|文献",
    re.IGNORECASE,
)
_MARKER = re.compile(r"\[\d{1,3}\]")
_CONCESSION = re.compile(
    r"\W*(?:while|although|though|even though|despite)\b|^\s*(?:虽然|尽管|虽)", re.IGNORECASE
)
# Words of a refusal that name nothing that is missing.
_GENERIC = frozenset(
    """
    sorry apologize apologise apologies unfortunately afraid regret i i'm am but however based on
    the a an of in to for from about on regarding with by and or any no not there is are was were do
    does did don doesn didn t isn cannot can could be been enough sufficient insufficient specific
    relevant related detailed explicit direct information details detail data content answer answers
    answered question questions your this that these those it they them given provided available
    document documents doc docs passage passages text texts source sources material materials
    article articles context excerpt excerpts reference references contain contains mention mentions
    mentioned provide provides include includes discuss discusses cover covers find found determine
    unable able possible lack lacks state states say says specify such asked ask you me my we
    explicitly directly have has which what as if so all other m re s
    """.split()
)
_CHINESE_GENERIC = re.compile(
    "抱歉|对不起|不好意思|遗憾|很|非常|根据|依据|从|给定|提供|所给|现有|上述|以上|这些|该|的|文档|文件|资料|文献|"
    "材料|文本|文章|内容|信息|中|里|并|没有|未能|未|无法|不能|不足|不够|足够|回答|您|你|我|这个|此|问题|答案|"
    "提到|提及|包含|包括|涉及|找到|确定|得知|判断|任何|相关|有关|关于|明确|具体|详细|直接|因此|所以|但是|但|"
    "是|有|和|与|对|于|在|到|出|说明|给出|介绍|描述|讨论|记载|因为|由于"
)
_SIGNS = re.compile(
    r"\bno(?:t|ne|thing)?\b|n['’]t\b|\bcannot\b|\bneither\b|\bunable\b|\blacks?\b|insufficient|"
    "unanswerable|unclear|impossible|[没沒未无無不缺难難]"
)
_UNSPACED = re.compile(f"[{UNSPACED_CLASS}]")


def is_refusal(text: str) -> bool:
    """True when the answer as a whole says that the documents lack what was asked for.

    It begins with that, or with an apology and then that, and what else it says is hardly more:
    the sentences that apologise, say what is missing or what the documents cover are at least as
    many as the others, and none of the others has a marker. "While the documents do not give the
    year, …" is an answer, and so is one that only ends with what is missing. English and Chinese.
    """
    if not _may_refuse(text):
        return False
    sentences = [_plain(sentence) for sentence in split_sentences(text[:_HEAD])]
    if not any(_lacks(sentence) for sentence in sentences[:2]):
        return False
    if _CONCESSION.match(sentences[0]) is not None or not _refuses(sentences[0]):
        return False
    if (
        _MARKER.search(text) is not None
        and _APOLOGY.search(_plain(text[:_HEAD])) is None
        and _ABOUT_DOCUMENTS.search(_plain(text[:_HEAD])) is None
    ):
        # Cited, without regret, and not about the documents: something that did not happen.
        return False
    others = [sentence for sentence in sentences if not (_refuses(sentence) or _covers(sentence))]
    if any(_MARKER.search(sentence) is not None for sentence in others):
        return False
    return 2 * len(others) <= len(sentences)


def says_missing(sentence: str) -> bool:
    """True when a sentence says that the documents lack something."""
    return _may_refuse(sentence) and _lacks(_plain(sentence))


def refusal_parts(text: str) -> RefusalParts:
    """Whether a refusal apologises, names what is missing, and says what the documents cover.

    As TruthReader's refusals do ("… say sorry and give reasons"). Naming what is missing takes more
    than "There is not enough information": a word of the subject must be there. English, Simplified
    and Traditional Chinese, mixed as they come.
    """
    sentences = [_plain(sentence) for sentence in split_sentences(text[:_HEAD])]
    return RefusalParts(
        apologises=any(_APOLOGY.search(sentence) is not None for sentence in sentences),
        says_missing=any(_lacks(sentence) and _names_something(sentence) for sentence in sentences),
        says_covered=any(map(_covers, sentences)),
    )


def _plain(sentence: str) -> str:
    return sentence if sentence.isascii() else sentence.translate(_SIMPLIFIED)


def _may_refuse(text: str) -> bool:
    head = text[:_HEAD].lower()
    return _SIGNS.search(head) is not None


def _lacks(sentence: str) -> bool:
    if is_not_enough_information(sentence) or _ENGLISH_LACKS.search(sentence) is not None:
        return True
    return not sentence.isascii() and _CHINESE_LACKS.search(sentence) is not None


def _refuses(sentence: str) -> bool:
    return _lacks(sentence) or _APOLOGY.search(sentence) is not None


def _names_something(sentence: str) -> bool:
    """Whether a sentence that says that something is missing has a word for it."""
    left = _CHINESE_GENERIC.sub(" ", sentence)
    found = [token for token in tokens(left) if token not in _GENERIC]
    unspaced = sum(_UNSPACED.match(token) is not None for token in found)
    return unspaced >= 2 or len(found) > unspaced


def _covers(sentence: str) -> bool:
    """Whether a sentence says, in some clause without a "no", what the documents are about."""
    for match in _ENGLISH_COVERED.finditer(sentence):
        if _ENGLISH_NOTHING.match(match["what"]) is None and tokens(match["what"]):
            return True
    for match in _CHINESE_COVERED.finditer(sentence):
        clause = sentence.rfind("，", 0, match.start()) + 1
        if _CHINESE_NOT.search(sentence, clause, match.start("what")) is None:
            return True
    return False
