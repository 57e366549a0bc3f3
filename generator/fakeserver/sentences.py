"""Sentences of a prompt that can stand in a made answer, and what they can be asked by. Pure.

Only clean sentences are taken: no colons, brackets, quotes or markup, none that
speaks to the reader. What is lost by that does not matter for a rehearsal.
"""

from __future__ import annotations

import re
from typing import Literal

from parsers.text.scripts import count_scripts

Lang = Literal["en", "zh"]

_HARD_WRAP = re.compile(r"\n(?<!\n\n)(?!\n)")
_NOT_CLEAN = r"\n:：;；\"“”「」\[\]{}<>()（）*#_|=\\\x00-\x1f\x7f-\x9f\ufffd\ud800-\udfff"
_SPACED = re.compile(
    rf"(?:(?<=[.!?؟।]\s)|(?<=\n)|\A)(?P<text>[^\W\d_][^.!?؟।。！？{_NOT_CLEAN}]{{38,220}}[.؟।])(?=\s|\Z)"
)
_UNSPACED = re.compile(rf"[^\s，、,.。！？!?{_NOT_CLEAN}][^。！？!?{_NOT_CLEAN}]{{10,90}}。")
_OF_AN_INSTRUCTION = (
    "you",
    "dialogue",
    "summary",
    "json",
    "你",
    "您",
    "请",
    "摘要",
    "对话",
    "提问",
)
"""A sentence that holds one of these may be the instruction's; "young" goes with "you"."""
# Where the document of a few-shot prompt begins, after its example.
_LAST_DOCUMENT = re.compile(r"\n(?:Paper|Text|Document|论文|文本|文档) ?[:：]")
_WORD = re.compile(r"[^\W\d_]{4,}")
_CLAUSE_MARK = re.compile("[，、,]")
_HEAD = 400
_ENOUGH = 24


def language_of(text: str) -> Lang:
    """Chinese when the beginning of the prompt, its instruction, is mostly that."""
    head = text[:_HEAD]
    if head.isascii():
        return "en"
    counts = count_scripts(head)
    return "zh" if counts.han > counts.letters / 2 else "en"


def usable_sentences(text: str) -> tuple[str, ...]:
    """Up to two dozen different sentences of the document in a prompt, in reading order.

    They are taken from all over the document, so that a long one does not give
    only its beginning.
    """
    starts = [match.start() for match in _LAST_DOCUMENT.finditer(text)]
    document = _HARD_WRAP.sub(" ", text[starts[-1] :] if starts else text)
    found = [match["text"] for match in _SPACED.finditer(document)]
    if not document.isascii():
        found += _UNSPACED.findall(document)
    found = list(dict.fromkeys(found))
    step = max(1, len(found) // _ENOUGH)
    spread = found[::step] if len(found) > _ENOUGH else found
    return tuple([sentence for sentence in spread if not _may_instruct(sentence)][:_ENOUGH])


def _may_instruct(sentence: str) -> bool:
    lowered = sentence.lower()
    return any(word in lowered for word in _OF_AN_INSTRUCTION)


def topics_of(sentence: str, lang: Lang) -> tuple[str, ...]:
    """What a question to the sentence can name: up to two words, or the beginning of a clause."""
    if lang == "zh" and not sentence.isascii():
        clause = max(_CLAUSE_MARK.split(sentence.rstrip("。")), key=len).strip()
        return (clause[:8],) if clause else ()
    words = list(dict.fromkeys(_WORD.findall(sentence)))
    longest = sorted(words, key=len, reverse=True)[:2]
    return tuple(sorted(longest, key=words.index))


def words_of(text: str) -> frozenset[str]:
    """Longer words, or Chinese character pairs, for telling which sentence a question is about."""
    if text.isascii():
        return frozenset(word.lower() for word in _WORD.findall(text))
    return frozenset(text[i : i + 2] for i in range(len(text) - 1))
