"""How many separate questions a person's turn asks."""

from __future__ import annotations

import re

from parsers.text.questions import is_question

# A mark ends a question unless the sentence goes on: in an address (?page=2), or in small letters
# after a quotation or a parenthesis (the question "why?" is …).
_MARKS = "?？؟⁇⁈⁉﹖՞፧\u037e"
_END = re.compile(
    rf"[{_MARKS}!！]*[{_MARKS}][{_MARKS}!！]*(?P<close>[\"”»’'」』)）\]*_]*)(?P<gap>\s*)(?P<next>\S?)"
)
_SENTENCE = re.compile(r"(?<=[.!。！;；])\s+|(?<=[。！；])|\n+")
_NUMBERED = re.compile(r"(?:^|(?<=[\s。；;.?？!！]))[(（]?(\d{1,2})[.)．、）](?!\d)\s*")
_TAG = re.compile(
    r"(?:right|correct|yes|no|ok(?:ay)?|really|true|eh|huh|you know|is that (?:right|correct|so)|"
    r"(?:is|isn['’]t|are|aren['’]t|was|wasn['’]t|does|doesn['’]t|do|don['’]t|did|didn['’]t|has|"
    r"hasn['’]t|"
    r"can|can['’]t|will|won['’]t) (?:it|they|he|she|that|this|there)|am i (?:right|correct)|"
    r"makes? sense|"
    r"对吗|对吧|是吗|是吧|是不是|对不对|好吗|可以吗|没错吧|真的吗|嗯|"
    r"verdad|no es así|n'est-ce pas|nicht wahr|oder|не так ли|да|правда|certo|vero|né)",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(
    r"\W*(?:or|或者|还是|或是|oder|ou|или|¿?o)\b|\W*(?:或者|还是|或是)", re.IGNORECASE
)
_REQUEST = re.compile(
    r"\W*(?:(?:and|also|then|please|could you|can you|would you)\W+){0,3}"
    r"(?:tell me|explain|describe|elaborate|clarify|summari[sz]e)\b|\W*请(?:您|你)?(?:再|"
    r"先)?(?:解释|说明|介绍|谈|描述|讲|告诉)",
    re.IGNORECASE,
)
_ASKING_END = re.compile(
    r"(?:吗|呢|么|嗎|ですか|ますか|でしょうか|のか|까|나요|가요|니)\s*[。.!！]?$"
)
_GREEK = re.compile("[\u0370-\u03ff]")


def question_count(text: str) -> int:
    """The number of separate questions in a person's turn; 0 when nothing is asked.

    A question with two parts in one sentence is one ("What is X, and how is Y?"), two sentences
    are two. A tag ("Right?", "对吗？") or an alternative ("Or LFU?") belongs to the question before
    it. A numbered list counts its items. Reads the question marks of all scripts; without any it
    goes by question words of English and Chinese and sentence endings of Japanese and Korean.

    >>> question_count("What is X? And how is Y?"), question_count("What is X, and how is Y?")
    (2, 1)
    >>> question_count("窗口有多大？又是怎么选的呢？")
    2
    """
    if ";" in text and _GREEK.search(text) is not None:
        text = text.replace(";", "?")
    if "1" in text:
        counts = [_count(item) for item in _items(text)]
        if sum(map(bool, counts)) > 1:
            return sum(counts)
    return _count(text)


def _items(text: str) -> list[str]:
    """The items of a list that is numbered from 1 on, or the whole text."""
    starts: list[re.Match[str]] = []
    for number in _NUMBERED.finditer(text):
        if int(number[1]) == len(starts) + 1:
            starts.append(number)
    if len(starts) < 2:
        return [text]
    ends = [*(number.start() for number in starts[1:]), len(text)]
    return [text[number.end() : end] for number, end in zip(starts, ends, strict=True)]


def _count(text: str) -> int:
    asked = 0
    position = 0
    for mark in _END.finditer(text):
        if _goes_on(mark):
            continue
        sentences = _sentences(text[position : mark.start()])
        asked += sum(_REQUEST.match(sentence) is not None for sentence in sentences[:-1])
        last = sentences[-1].strip(" \t\"”“'’*_") if sentences else ""
        if not (asked and (_TAG.fullmatch(last) or _ALTERNATIVE.match(last) or not last)):
            asked += 1
        position = mark.start("next")
    rest = _sentences(text[position:])
    if asked:
        return asked + sum(_REQUEST.match(sentence) is not None for sentence in rest)
    return sum(_is_asked(sentence) for sentence in rest) or int(is_question(text))


def _goes_on(mark: re.Match[str]) -> bool:
    following = mark["next"]
    if not following:
        return False
    if mark["gap"]:
        return bool(mark["close"]) and following.islower()
    # no space: an address, or a quotation that is part of the sentence
    if following.isascii():
        return (not following.isupper() and following not in "\"'(*_¿-") or bool(mark["close"])
    return bool(mark["close"]) and not following.isspace()


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]


def _is_asked(sentence: str) -> bool:
    stripped = sentence.strip()
    return is_question(stripped) or _ASKING_END.search(stripped[-8:]) is not None
