"""Recognises an output that is, as a whole, a refusal to answer."""

from __future__ import annotations

import re

_APOLOGY = (
    r"(?:i(?:'m| am)? (?:(?:really|very|so|truly|terribly) )?(?:sorry|afraid)|(?:my "
    r")?apolog(?:ies|y)|"
    r"i (?:sincerely )?apologi[sz]e|(?:so |very )?sorry|unfortunately|regrettably|regretfully)"
)
_UNABLE = (
    r"(?:i|we) (?:can(?:not|'t| not)|could(?: not|n't)|(?:am|are) (?:not able|unable|not in a "
    r"position)|"
    r"won't|will not|do(?: not|n't) (?:have (?:the )?(?:access|ability|enough|the|any)|feel "
    r"comfortable|"
    r"see (?:any|the|a))|must (?:decline|refuse)|have to decline|am not (?:allowed|permitted|"
    r"comfortable|"
    r"programmed)|decline to|refuse to)|i'm (?:not able|unable|not allowed|not permitted|not "
    r"comfortable|"
    r"not in a position)"
)
_ENGLISH = re.compile(
    rf"(?:{_APOLOGY}\b.{{0,60}}?\b(?:{_UNABLE}\b|no (?:text|paper|article|document)|"
    r"(?:did not|didn't|not|n't) (?:provide|include|attach)|but (?:as|this|that|the|there)\b|"
    r"unable)"
    rf"|(?:{_UNABLE})\b"
    r"|as an? (?:ai|artificial|large|language|virtual|chat)\b"
    r"|i(?:'m| am) (?:just |only )?an? (?:ai|large language|language) "
    r"|(?:it|that|this) (?:appears|seems|looks like)\b.{0,40}\b(?:no|not|didn't|did not|missing|"
    r"forgot)\b"
    r"|(?:please|could you(?: please)?|can you(?: please)?) (?:provide|share|paste|upload|"
    r"attach|send)\b"
    r"|(?:there is|there's) no (?:text|paper|article|document|content) "
    r"|no (?:\w+ ){0,2}(?:text|paper|article|document|content) (?:was|were|has been|is) )",
    re.DOTALL,
)
_OTHERS = re.compile(
    r"(?:(?:非常|很|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾)|不好意思|(?:我|我们)(?:无法|不能|"
    r"没有办法|無法|没有权限|"
    r"没法|拒绝)|(?:无法|無法|不能|没法)(?:完成|生成|提供|满足|滿足|回答|协助|協助|帮助|幫助|"
    r"处理|處理|访问|訪問)|作为(?:一个|一名|一款)?(?:AI|ai|人工智能|大?语言模型|助手)|"
    r"作為(?:一個|一名)?(?:AI|ai|人工智慧|語言模型)|请提供|請提供|请您?先?(?:提供|上传|粘贴)|"
    r"申し訳|すみません|恐れ入りますが|残念ながら|ごめんなさい|"
    r"죄송|미안|유감스럽|안타깝게도|"
    r"(?:извините|простите|к сожалению|прошу прощения|сожалею|я не могу|я не в состоянии|как "
    r"(?:ии|языковая|"
    r"искусственный)|мне жаль|вибачте|на жаль|я не можу)|"
    r"(?:es tut mir (?:sehr )?leid|tut mir leid|entschuldigung|leider|ich kann (?:\w{1,16} "
    r"){0,6}nicht|ich bin nicht in der lage|als (?:ki|sprachmodell))|"
    r"(?:je suis (?:vraiment |sincèrement )?(?:désolée?|navrée?)|désolée?|je ne peux|"
    r"malheureusement|en tant qu|"
    r"je regrette|je m'excuse)|"
    r"(?:lo siento|no puedo|lamentablemente|disculpa|perdón|como (?:modelo|ia|inteligencia)|"
    r"lamento)|"
    r"(?:desculpe|sinto muito|não posso|infelizmente|lamento|como (?:um )?modelo)|"
    r"(?:mi dispiace|non posso|purtroppo|spiacente|come modello)|"
    r"(?:het spijt me|sorry, ik|helaas|ik kan (?:\w{1,12} ){0,3}niet)|"
    r"(?:przykro mi|przepraszam|niestety|nie mogę)|(?:üzgünüm|maalesef|özür dilerim)|"
    r"(?:xin lỗi|rất tiếc|tôi không thể)|(?:maaf|mohon maaf)|(?:tyvärr|förlåt|beklager|undskyld|"
    r"desværre)|"
    r"(?:عذر|آسف|أعتذر|للأسف|لا أستطيع|لا يمكنني)|(?:क्षमा|माफ|मुझे खेद|दुर्भाग्य)|"
    r"(?:متأسف|ببخشید)|(?:מצטער|סליחה|איני יכול)|ขออภัย|ขอโทษ|συγγνώμη|λυπάμαι|δυστυχώς)",
)
_LEAD = "*_#>\"'“”‘’`-—•[(（「 \t\n\r\ufeff\u200b"
_GREETING = re.compile(
    r"(?:(?:hello|hi|hi there|hey|oh|well|sure|of course|okay|ok|certainly|thank you[^.!]{0,40}|"
    r"好的|您好|你好|当然|嗯)"
    r"[,.!，。！]\s*){1,2}"
)
_LONGEST = 1500


def is_refusal(text: str) -> bool:
    """Whether `text` as a whole declines: an apology, "as an AI", "I cannot", a plea for input.

    Looks at the beginning only, in English, Chinese and some twenty more languages, so that an
    answer which merely mentions an inability later is no refusal. Longer texts than 1500
    characters are never taken for one. Never fails.
    """
    head = text[: _LONGEST * 2].strip().lstrip(_LEAD)
    if not head or len(text.strip()) > _LONGEST:
        return False
    head = head[:400].replace("’", "'").replace("ʼ", "'").casefold()
    if "  " in head or not head.isprintable() or not head.isascii():
        head = " ".join(head.split())
    head = head.rstrip()
    greeting = _GREETING.match(head)
    if greeting is not None:
        head = head[greeting.end() :]
    if _ENGLISH.match(head):
        return True
    return _OTHERS.match(head) is not None
