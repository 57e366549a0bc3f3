"""What can be told from the words of one utterance: slots, lost characters, loops, lists."""

from __future__ import annotations

import re
from itertools import pairwise

_SLOT_WORDS = (
    r"(?:(?:the |a |an |their |another |other )?(?:your|user|person|speaker|author|other person|"
    r"bot|reader|reviewer|student|guest|host)?"
    r"(?:'s|’s)?\s?\d?(?:'s|’s)? ?(?:full |first )?names?(?: here)?"
    r"|(?:your|insert|enter|add|fill|put|write|include|provide|specify|describe|"
    r"state)\b[^\[\]{}<>\n]{0,50}"
    r"|(?:a |the |short |brief |one[- ]sentence |follow-?up |first |second |third |fourth |next "
    r"|last |your |person's |bot's )*"
    r"(?:summary|question|answer|response|reply|text|topic|title|content|dialogue|utterance|"
    r"query)(?: ?#?(?:\d{1,2}|n|i|one|two|three|four))?(?: (?:here|text|goes here|about .{1,30}|"
    r"from .{1,30}|of .{1,30}))?"
    r"|topic .{1,30}|username|user_?name|placeholder|todo|tbd|tba|xxx+|n/?a|\.{2,}|…+|_{2,}|blank|"
    r"(?:date|place|method|dataset|model|paper|author|number|value|metric|result) (?:name|here|"
    r"title)|"
    r"(?:name|title|topic) of .{1,30}|(?:question|answer|summary) text|"
    r"(?:问题|回答|答案|提问|摘要|总结|概述|姓名|名字|用户名|内容|标题|主题|此处.{0,12}|"
    r"请.{0,4}填.{0,8}|填写.{0,8}|在此.{0,10}|"
    r"質問|回答|要約|名前|질문|답변|요약|이름|вопрос|ответ|резюме|имя|frage|antwort|"
    r"zusammenfassung|pregunta|respuesta|"
    r"resumen|nombre|réponse|résumé|nom|domanda|risposta|riassunto|pergunta|resposta|"
    r"resumo)\s?(?:\d{1,2}|[一二三四])?)"
)
_SLOT = re.compile(
    rf"\[{_SLOT_WORDS}\]|<{_SLOT_WORDS}>|\{{{{?\s?{_SLOT_WORDS}\s?\}}?\}}|【{_SLOT_WORDS}】|"
    rf"［{_SLOT_WORDS}］"
    r"|\((?:your|insert|user ?\d|person ?\d|the other person'?s?|enter)[^()\n]{0,30}(?:name|"
    r"here|text|topic|question|answer)[^()\n]{0,10}\)"
    r"|（(?:此处|请|在此|填写)[^（）\n]{0,20}）",
    re.IGNORECASE,
)
_WHOLE_BRACKET = re.compile(
    r"\W{0,3}(?:\[[^\[\]\n]{1,80}\]|<[^<>\n]{1,80}>|\{[^{}\n]{1,80}\}|【[^【】\n]{1,80}】)\W{0,3}"
)
_NUMBERED = re.compile(
    r"(?:^|[\s(（?？。.!])\(?(?:q|question |问题?|質問|第)?(\d{1,2})[.)．、:：）](?!\d)\s*",
    re.IGNORECASE,
)
_MOJIBAKE = re.compile("[ÃÂ][\u0080-\u00bf]|â€[\u0080-\u2122]|ï¿½")
_NO_ANSWER = re.compile(
    r"not enough information|no information|does(?: not|n't) (?:say|mention|specify|state|"
    r"provide|contain|include|give)|"
    r"not (?:mentioned|specified|stated|provided|given|available|in the text|discussed|"
    r"described)|(?:can(?:not|'t)|unable to) (?:answer|tell|say|find)|"
    r"insufficient information|i do(?: not|n't) know|no answer|unanswerable|"
    r"信息不足|没有(?:足够|提到|提及|说明|相关)|未(?:提及|提到|说明|给出)|无法(?:回答|得知|"
    r"确定)|不知道|資訊不足|"
    r"情報(?:が|は)(?:足り|不足|あり)|わかりません|記載|정보가 (?:부족|충분)|알 수 없|"
    r"недостаточно информации|не (?:указано|упоминается)|"
    r"nicht genug information|keine (?:information|angabe)|pas assez d|no hay (?:suficiente "
    r")?información|não há informa|informazioni insufficienti|no se menciona",
    re.IGNORECASE,
)
_LOOK = 20_000
"""How many characters at either end of an utterance are searched for loops."""

_LIST_SIGNS = ("- ", "* ", "• ", "+ ", ">", "|", "#", "`", *(f"{digit}" for digit in range(10)))
_DOT_SIGNS = frozenset(".…_-–—*· ~[]()<>")
_ENDS = frozenset(".!?。！？\n")
_CLAUSE_ENDS = re.compile(r"[.!?。！？\n]+\s*")


def all_words(texts: str) -> bool:
    """A cheap look at several texts joined by line ends.

    True means that each of them which begins with a letter or a digit and is longer than 8
    characters is neither garbled nor dots, and has no unfilled slot.
    """
    if not texts.isascii() and ("\ufffd" in texts or _MOJIBAKE.search(texts) is not None):
        return False
    return not _may_have_slot(texts)


def _may_have_slot(text: str) -> bool:
    return (
        "[" in text
        or "(" in text
        or "<" in text
        or "{" in text
        or (not text.isascii() and ("【" in text or "［" in text or "（" in text))
    )


def is_only_dots(text: str) -> bool:
    """Whether an utterance is an ellipsis, dashes, underscores or "TODO" in place of words."""
    if (len(text) > 8 and text[0].isalnum()) or len(text) > 300:
        return False
    bare = text.strip()
    if len(bare) < 9 and bare.strip(".:!").casefold() in {"todo", "tbd", "tba", "xxx", "fixme"}:
        return True
    return bool(bare) and set(bare) <= _DOT_SIGNS


def unfilled_slot(text: str) -> str:
    """The first slot of a template that was left unfilled, or ""."""
    if not _may_have_slot(text):
        return ""
    slot = _SLOT.search(text)
    if slot is not None:
        return slot[0]
    if text[:4].strip()[:1] in {"[", "<", "{", "【"}:
        whole = _WHOLE_BRACKET.fullmatch(text)
        if whole is not None and any(map(str.isalpha, text)):
            return text.strip()
    return ""


def is_garbled(text: str) -> bool:
    """Whether replacement characters, mojibake or the lack of any letter or digit show a loss."""
    if not text:
        return False
    if text.isascii():
        if text[0].isalnum():
            return False
        return bool(text.strip()) and not is_only_dots(text) and not any(map(str.isalnum, text))
    lost = text.count("\ufffd")
    if lost and (lost >= 3 or lost * 50 >= len(text)):
        return True
    if len(_MOJIBAKE.findall(text)) >= 3:
        return True
    if any(map(str.isalnum, text)) or is_only_dots(text):
        return False
    return not any(ord(letter) >= 0x2190 for letter in text) or bool(lost)


def is_no_answer(text: str) -> bool:
    """Whether an answer says that the text does not tell; such answers may come twice."""
    return _NO_ANSWER.search(text[:400]) is not None


def merged_question_list(text: str) -> bool:
    """Whether one turn holds a list of questions: numbered from 1, bulleted, or four in a row."""
    signs = text.count("?")
    if not text.isascii():
        signs += text.count("？") + text.count("؟")
    if signs < 2:
        return False
    if signs >= 4 and len(text) < 150 * signs:
        return True
    numbers = [int(found[1]) for found in _NUMBERED.finditer(text)]
    if any(b == a + 1 for a, b in pairwise(numbers)) and numbers[0] <= 1:
        return True
    bullets = [line for line in text.split("\n") if line.lstrip()[:2] in {"- ", "* ", "• ", "+ "}]
    return sum("?" in line or "？" in line for line in bullets) >= 2


def lost_label(text: str) -> bool:
    """Whether a question stands on a line of its own amid an answer, as if labels were lost."""
    if "\n" not in text or ("?" not in text and "？" not in text and "؟" not in text):
        return False
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return any(
        line[-1] in "?？؟"
        and following[-1] not in "?？؟:："
        and not line.startswith(_LIST_SIGNS)
        and not following.startswith(_LIST_SIGNS)
        for line, following in pairwise(lines[1:])
    )


def loops(text: str) -> bool:
    """Whether words, sentences or characters repeat without end.

    A stretch counts when at least 12 words (or 24 characters in scripts without spaces) only
    repeat what came a short period before, four times or more; or when one sentence of five words
    comes three times.
    """
    length = len(text)
    if length < 60 and (length < 24 or text.isascii()):
        return False
    if length > 2 * _LOOK:
        return loops(text[:_LOOK]) or loops(text[-_LOOK:])
    words = text.split()
    count = len(words)
    if count * 14 < length:
        return len(set(text)) * 3 < length and _periodic([*text], 24, 12)
    if count < 12:
        return False
    distinct = len(set(words))
    loose = distinct * 5 >= count * 3
    if loose and count > 60:
        loose = len(set(words[-40:])) * 5 >= 40 * 3
    if not loose:
        folded = [word.casefold().strip(".,;:!?") for word in words]
        if _periodic(folded, 12, 20):
            return True
    return count >= 24 and distinct * 5 < count * 4 and _repeats_a_sentence(text)


def _repeats_a_sentence(text: str) -> bool:
    """Whether one sentence of more than 24 characters comes three times."""
    ends = text.count(".") + text.count("!") + text.count("?") + text.count("\n")
    if not text.isascii():
        ends += text.count("。") + text.count("！") + text.count("？")
    if ends + (text[-1] not in _ENDS) < 3:
        return False
    sentences: dict[str, int] = {}
    for sentence in _CLAUSE_ENDS.split(text):
        if len(sentence) > 24:
            sentences[sentence] = sentences.get(sentence, 0) + 1
            if sentences[sentence] >= 3:
                return True
    return False


def _periodic(items: list[str], least: int, longest: int) -> bool:
    for period in range(1, min(longest, len(items) // 2) + 1):
        run = 0
        needed = max(least, 3 * period) - (period if period == 1 else 0)
        for at in range(period, len(items)):
            if items[at] == items[at - period]:
                run += 1
                if run >= needed:
                    return True
            else:
                run = 0
    return False
