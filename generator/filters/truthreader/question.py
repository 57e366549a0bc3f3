"""What is wrong with a question, or with the strings before it."""

from __future__ import annotations

import re

from generator.filters.model import FilterResult, Reason
from generator.filters.truthreader.sample import TruthReaderSample
from generator.filters.truthreader.settings import TruthReaderFilterSettings
from parsers.citations import citation_groups
from parsers.text.content import content_units
from parsers.text.question_types import question_type
from parsers.text.similarity import precision
from parsers.text.tokens import tokens

_TEXT = r"(?:document|passage|text|article|context|excerpt|material|paragraph|snippet|source)s?"
_GIVEN = r"(?:given|provided|above|following|supplied|attached|preceding|present|aforementioned)"
_NAMES_DOCUMENT = re.compile(
    rf"\b(?:according to|based on|in|from|by|within|does|do|of) (?:the|this|these|that|those) "
    rf"(?:{_GIVEN} )?{_TEXT}\b(?! (?:of|on|by|about|titled|called|entitled|for|that)\b)"
    rf"|\b(?:the|this|these) {_GIVEN} {_TEXT}\b|\bthis {_TEXT}\b|\b{_TEXT} (?:above|below)\b"
    rf"|\b(?:document|doc|passage|source) (?:no\. ?|number |#)?(?:\d{{1,2}}|one|two|three|four)\b"
    r"|\b(?:first|second|third|fourth|last) (?:document|passage)\b"
    "|(?:上述|以上|上面|下面|这[篇段份个些]|這[篇段份個些]|给定|給定|所给|所給|提供)的?"
    "(?:文档|文檔|文章|文字|文本|资料|資料|材料|段落|内容|內容|文件|短文|片段)"
    "|(?:该|該|本)(?:文档|文檔|文章|文本|资料|資料|段落)|上文|本文|文中|原文|(?:文档|文檔|资料|資料|文章|材料)[中里裡]"
    "|(?:文档|文檔|资料|資料|文献|文獻)[0-9一二三四]|(?:根据|根據|依据|依據)(?:文档|文檔|资料|資料|文章|文本|材料)",
    re.IGNORECASE,
)
_PRONOUNS = re.compile(
    r"\b(?:he|she|his|her|hers|him|they|their|them|its|itself|"
    # "Is it true that …", "How long does it take to …" stand for nothing.
    r"it(?! (?:takes?|true|possible|necessary|important|likely|safe|common|legal|better|best|worth|"
    r"means?|seems?|like|called|that|to|for|about|so|a|an|the)\b))\b",
    re.IGNORECASE,
)
_BEFORE_PRONOUN = frozenset(
    "what how why which who whom whose when where is are was were do does did can could would will "
    "should has have had the a an and of in on at for from to with about tell me describe explain "
    "please so but ok it s".split()
)
_CHINESE_PRONOUN = re.compile("^(?:请问|那么|那|请|能否|可以|介绍一下|说说)*[他她它](?:们)?")


def question(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """Empty, too short or long, with markers, naming a document, or without what it refers to."""
    length = len(sample.question_tokens)
    measures = {
        "question_tokens": length,
        "question_type": question_type(sample.question, sample.lang),
    }
    if not length:
        return FilterResult((_reason("empty_question", "the question holds no word"),), measures)
    reasons: list[Reason] = []
    fewest, most = settings.question_tokens(sample.lang)
    if length < fewest:
        detail = f"the question has {length} tokens, at least {fewest}"
        reasons.append(_reason("short_question", detail))
    if length > most:
        detail = f"the question has {length} tokens, at most {most}"
        reasons.append(_reason("overlong_question", detail))
    for group in citation_groups(sample.question)[:1]:
        marker = sample.question[group.start : group.end]
        reasons.append(_reason("marker_in_question", f"the question holds the marker {marker}"))
    named = _NAMES_DOCUMENT.search(sample.question)
    if named is not None:
        detail = f"the question speaks of what only the answerer is shown: “{named.group()}”"
        reasons.append(_reason("question_names_document", detail))
    if not sample.history and (pronoun := _dangling(sample.question)):
        detail = f"nothing before the question says what “{pronoun}” is"
        reasons.append(_reason("dangling_question", detail))
    return FilterResult(tuple(reasons), measures)


def history(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """User and assistant in turn, at most eight strings, none empty, none with a marker."""
    strings = sample.history
    reasons: list[Reason] = []
    if len(strings) % 2:
        detail = f"{len(strings)} strings; user and assistant come in pairs"
        reasons.append(_reason("odd_history", detail))
    if len(strings) > settings.max_history:
        detail = f"{len(strings)} strings, at most {settings.max_history}"
        reasons.append(_reason("long_history", detail))
    for index, string in enumerate(strings):
        if not tokens(string):
            reasons.append(_reason("empty_history", f"history[{index}] holds no word"))
            break
    for index, string in enumerate(strings):
        groups = citation_groups(string)
        if groups:
            marker = string[groups[0].start : groups[0].end]
            reasons.append(_reason("marker_in_history", f"history[{index}] holds {marker}"))
            break
    return FilterResult(tuple(reasons), {"history_strings": len(strings)})


def title_answers(sample: TruthReaderSample, settings: TruthReaderFilterSettings) -> FilterResult:
    """A question that the titles answer needs no document."""
    if sample.refuses or not sample.cited:
        return FilterResult()
    titles = " ".join(sample.documents[index][0] for index in sorted(sample.cited))
    said = content_units(sample.plain_answer) - content_units(sample.question)
    share = precision(said, content_units(titles))
    measures = {"title_share": round(share, 4)}
    if not said or share <= settings.max_title_share:
        return FilterResult((), measures)
    detail = (
        f"{share:.0%} of what the answer adds to the question stands in the titles, at most "
        f"{settings.max_title_share:.0%}"
    )
    return FilterResult((_reason("title_answers", detail),), measures)


def _dangling(asked: str) -> str | None:
    """A pronoun with nothing before it that it could stand for."""
    match = _CHINESE_PRONOUN.match(asked)
    if match is not None:
        return match.group()[-1]
    found = _PRONOUNS.search(asked)
    if found is None or not set(tokens(asked[: found.start()])) <= _BEFORE_PRONOUN:
        return None
    return found.group()


def _reason(code: str, detail: str) -> Reason:
    return Reason("filter", code, detail)
