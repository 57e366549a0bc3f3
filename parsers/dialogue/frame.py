"""What surrounds a dialogue and is not part of it: preambles, stage lines, closing notes, "
"thanks."""

from __future__ import annotations

import re

from .lines import is_rule

_SIGNS = " \t*_#>`~-–—=•\"“”'‘’\u200b\u200e\u200f\\|"
_DIALOGUE_WORD = (
    r"(?:dialogue|dialog|conversation|discussion|exchange|transcript|q ?& ?a|questions?\b|"
    r"answers?\b|"
    r"summary|对话|對話|问答|会話|対話|대화|диалог|разговор|gespräch|diálogo|conversación|conversa|"
    r"entretien|dialogo|conversazione|rozmow|diyalog|حوار|محادثة|संवाद|बातचीत|hội thoại|đối thoại)"
)
_PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|okay|ok\b|alright|absolutely|here(?:'s|’s| is| are| you go| "
    r"goes)|"
    r"below is|below you|the following|as requested|gladly|happy to|great|understood|got it|no "
    r"problem|"
    r"i(?:'ll|’ll| will| have|'ve|’ve)? (?:\w+ ){0,2}(?:write|wrote|written|generate|create|"
    r"provide|made)|this is a|"
    r"let's|let me|based on|dialogue between|a dialogue|conversation between|"
    r"好的|好，|好!|好！|当然|當然|以下|下面|没问题|沒問題|这是|這是|根据|根據|可以|明白|收到|"
    r"はい|もちろん|以下|承知|了解|こちら|네,|네\.|네!|물론|다음은|아래|알겠|여기|"
    r"конечно|вот|ниже|хорошо|разумеется|"
    r"natürlich|klar|gerne|selbstverständlich|hier ist|hier kommt|sicher|im folgenden|"
    r"voici|bien sûr|certainement|d'accord|avec plaisir|ci-dessous|"
    r"claro|aquí|por supuesto|a continuación|desde luego|aqui está|com certeza|segue|a seguir|"
    r"certo|ecco|certamente|di seguito|volentieri|"
    r"zeker|natuurlijk|hieronder|hier is|oczywiście|jasne|oto|poniżej|tabii|elbette|işte|aşağıda|"
    r"بالتأكيد|بالطبع|إليك|فيما يلي|ज़रूर|बिल्कुल|यहाँ|नीचे|dĩ nhiên|tất nhiên|chắc chắn|dưới đây|"
    r"đây là)"
)
_OFFER = re.compile(
    r"(?:i hope|hope (?:this|that|it)|let me know|feel free|would you like|do you want|should i\b|"
    r"shall i\b|want me to|is there anything|anything else|please (?:let me|note|feel)|"
    r"this (?:dialogue|dialog|conversation|transcript|q&a)\b|"
    r"this (?:exchange|discussion|example|interaction|format)\b.{0,80}(?:paper|questions|"
    r"article|request)|"
    r"these (?:\w+ ){0,2}(?:questions|answers|exchanges|turns)\b|the (?:above|dialogue|"
    r"conversation|answers "
    r"rely|questions above)\b|"
    r"(?:end|conclusion) of (?:the )?(?:dialogue|dialog|conversation|transcript|discussion|chat|"
    r"interview|summary|text|document|script|scene|output|response|example)|"
    r"the end\b|end\W*$|fin\W*$|finis\W*$|done\W*$|"
    r"(?:made|generated|written|created|produced|prepared|authored|powered) (?:by|with|using)\b|"
    r"(?:tokens?|words?|characters?)(?: used| count)?\W{1,4}\d|(?:word|token|character) count|"
    r"total (?:words|word count|tokens)|approx(?:imately|\.)? "
    r"\d+ words|\d+ words\W*$|"
    r"disclaimer|all answers (?:are|come|were)|the answers (?:are|were|above|rely|given|come)|"
    r"answers are based|that concludes|this concludes|"
    r"in this (?:dialogue|conversation)|i(?:'ve|’ve| have)? "
    r"(?:kept|tried|made sure|written|followed|aimed)\b|"
    r"if you(?:'d|’d| would| want| need| have| like|r)\b.{0,80}(?:let me|dialogue|conversation|"
    r"questions|more|adjust|"
    r"change|version|turns|help|another|revise|modify|ask|happy)|happy to (?:adjust|help|revise|"
    r"add|extend)|"
    r"\[?user\W*$|continue\W*$|"
    r"希望(?:这|这个|以上|对|能|該|該對|這)|(?:如需|如有|若需|若有).{0,16}(?:修改|调整|調整|"
    r"问题|問題|其他|帮助|疑问|补充|補充|告诉|告訴)|如果(?:您|你)(?:需要|想|还|還|有|希望|对)|"
    r"如果(?:需要(?:我|修改|更多)|还有|有(?:其他|任何))|需要我|请(?:告诉|随时|让我|告知)|"
    r"請(?:告訴|隨時)|"
    r"以上(?:是|就是|对话|對話|内容|为|為|便是)|(?:本|该|這段|这段|此|这个|這個|這份|"
    r"这份)(?:对话|對話|问答)|"
    r"(?:对话|對話|问答|全文|访谈|会话)(?:到此|至此|已)?(?:结束|結束|完毕|完畢|完)|完\W*$|"
    r"结束\W*$|結束\W*$|是否需要|"
    r"您(?:是否|还|還)|(?:总|總)?字(?:数|數)|由.{1,20}(?:生成|制作|製作|创作)|还有(?:什么|其他)|"
    r"(?:この|以上の|上記の)(?:対話|会話)|以上(?:です|が|、)|ご(?:希望|要望|不明)|"
    r"必要(?:であれば|でしたら|に応じて)|お(?:知らせ|気軽)|他に(?:質問|ご)|"
    r"(?:対話|会話)(?:の)?(?:終わり|終了)|終わり|終了|"
    r"이 (?:대화|글)|원하시면|필요하(?:시면|면)|더 필요|도움이|끝\W*$|대화(?:가|는)? ?(?:끝|"
    r"종료)|이상(?:입니다|으로)|추가(?:로|적인)|"
    r"надеюсь|если (?:вам|вы|нужно|хотите|потребуется)|хотите|конец|этот диалог|дайте (?:мне "
    r")?знать|"
    r"ich hoffe|lass(?:en sie)? (?:es )?mich|möchten sie|möchtest du|ende\W*$|ende des|dieser "
    r"dialog|dieses gespräch|"
    r"wenn (?:sie|du) .{0,60}(?:lass|sag|gerne)|soll ich|"
    r"j'espère|n'hésitez|souhaitez-vous|voulez-vous|fin (?:du|de)|ce dialogue|cette "
    r"conversation|si vous (?:souhaitez|voulez|avez)|"
    r"espero|¿(?:te|le) gustaría|¿quieres|¿desea|fin del|fin de la|este diálogo|esta "
    r"conversación|avísame|"
    r"si (?:quieres|necesitas|deseas|desea|necesita)|fim\W*$|fim do|este diálogo|se (?:quiser|"
    r"precisar|desejar)|gostaria que|"
    r"spero|se (?:vuoi|desidera|hai bisogno)|fine\W*$|fine del|questo dialogo|vuoi che|fammi "
    r"sapere|"
    r"ik hoop|laat (?:het )?me|wil je|einde|deze dialoog|mam nadzieję|jeśli (?:chcesz|"
    r"potrzebujesz)|koniec|"
    r"umarım|son\W*$|bu diyalog|isterseniz|آمل|إذا (?:كنت|أردت)|نهاية|هذا الحوار|هل تريد|"
    r"मुझे आशा|यदि आप|समाप्त|hy vọng|nếu bạn|kết thúc|hết\W*$)"
)
_NOTE = re.compile(
    r"(?:notes?|author's note|editor's note|disclaimer|p\.?s\.?|nb|n\.b\.|remarks?|please note|"
    r"注|注意|备注|備註|说明|說明|附注|註|补充说明|补充|声明|提示|备注说明|補足|備考|注記|注釈|"
    r"참고|비고|주|주의|"
    r"примечание|замечание|прим\.?|hinweis|anmerkung|bemerkung|remarque|note de l'auteur|"
    r"avertissement|nb|"
    r"nota|aviso|observación|aclaración|observação|obs|avvertenza|osservazione|opmerking|let op|"
    r"uwaga|not|"
    r"ملاحظة|تنبيه|नोट|टिप्पणी|ghi chú|lưu ý|примітка|poznámka|megjegyzés|anmärkning|"
    r"huom)\s*\d?\s*[:：—–-]"
)
_APPENDIX = re.compile(
    r"(?:key takeaways?|references)\s?[:：]"
    rf"|explanations?\s?[:：]\s*(?:the|this|here,? the) {_DIALOGUE_WORD}"
)
_STAGE_PAIRS = {
    "[": "]",
    "(": ")",
    "（": "）",
    "【": "】",
    "［": "］",
    "<": ">",
    "{": "}",
    "〔": "〕",
    "*": "*",
    "_": "_",
}
_SLOT_WORD = re.compile(
    r"question|answer|summary|insert|your |name\b|topic|text\b|paper|placeholder|todo|xxx|fill|"
    r"问题|回答|摘要|总结|姓名|此处|内容"
    r"|質問|要約|질문|답변|요약|вопрос|ответ|резюме|frage|antwort|pregunta|respuesta|réponse|"
    r"résumé",
    re.IGNORECASE,
)
_ENUMERATOR = re.compile(r"\W*(?:\d{1,3}|[ivx]{1,4})[.)．、:]?\W*", re.IGNORECASE)
_TIME_LINE = re.compile(
    r"\W*\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:\s*(?:-+>|"
    r"[-–—])\s*\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?)?\W*"
)
_THANKS = re.compile(
    r"(?:(?:ok(?:ay)?|great|perfect|wonderful|excellent|awesome|i see|got it|alright|wow|oh|"
    r"cool|nice|good|"
    r"that(?:'s|’s| is) (?:\w+ ){0,3}\w+|that (?:\w+ ){0,3}(?:helps|helpful|clear|sense)|"
    r"understood|very \w+|interesting|"
    r"ah|yes|好的|明白了?|了解了?|太好了|原来如此|わかりました|なるほど|알겠습니다|"
    r"네)[\s,.!，。！、]*){0,3}"
    r"(?:thank|thanks|thx|many thanks|i appreciate|much appreciated|cheers|bye|goodbye|"
    r"谢谢|謝謝|感谢|感謝|多谢|多謝|非常感谢|再见|ありがとう|감사|고맙|спасибо|благодарю|до "
    r"свидания|danke|vielen dank|merci|"
    r"gracias|muchas gracias|obrigad|grazie|bedankt|dank|dziękuję|dzięki|teşekkür|شكر|धन्यवाद|"
    r"शुक्रिया|cảm ơn|дякую|tack|tak\b|kiitos|"
    r"תודה|ممنون|متشکر|terima kasih|ขอบคุณ|ευχαριστώ|mulțumesc|köszön|děkuji)"
)
_CONTENT = re.compile(
    r"\b(?:that|this|it|very|really|so) (?:\w+ ){0,2}(?:helps?|helpful|clear|clearer|useful|"
    r"makes sense|interesting|good to know)\b|"
    r"\b(?:got it|understood|i see|makes sense|perfect|good to know|i understand)\b|明白|清楚了|"
    r"了解了|懂了|なるほど|わかりました|알겠"
)
_THANK_WORDS = re.compile(
    r"\bthank you\b|\bthanks\b(?! to\b)|谢谢|謝謝|感谢您|ありがとう|감사합니다|спасибо|"
    r"\bdanke\b|\bmerci\b|\bgracias\b|"
    r"\bobrigad[oa]\b|\bgrazie\b|شكرا"
)
_BADGES = " \t✅✔☑⭐🎉👍📝💡🙂😊🔚ℹ️⚠"
_SENTENCE_ENDS = re.compile(r"[.!。！]+\s*")
_WELCOME = re.compile(
    r"(?:.{0,24}\b(?:welcome|no problem|my pleasure|glad|happy to help|anytime|any time|don't "
    r"mention|bye|pleasure)"
    r"|不客气|不客氣|不用谢|不用謝|没关系|很高兴|很高興|再见|どういたしまして|いえいえ|천만|"
    r"별말씀|пожалуйста|не за что|рад|"
    r"gern|bitte|de rien|je vous en prie|avec plaisir|de nada|no hay de qué|con gusto|por nada|"
    r"disponha|prego|di niente|"
    r"graag gedaan|proszę|nie ma za co|rica ederim|bir şey değil|عفو|على الرحب|आपका स्वागत|không "
    r"có gì|будь ласка)"
)


def _bare(line: str) -> str:
    return line.strip(_SIGNS).replace("’", "'").casefold()


def is_preamble(paragraph: str) -> bool:
    """Whether a paragraph before the dialogue only announces it."""
    stripped = paragraph.strip()
    if stripped.startswith(("```", "~~~")) or stripped.endswith("="):
        return True
    bare = _bare(paragraph)
    if not bare or bare[-1] in ":：":
        return True
    if not _PREAMBLE.match(bare):
        return False
    return len(bare) <= 60 or re.search(_DIALOGUE_WORD, bare[:300]) is not None


def is_heading(line: str) -> bool:
    """Whether a line is a title set as one: a hash heading, or bold alone on its line."""
    stripped = line.strip()
    if stripped.startswith("#"):
        return True
    return (
        len(stripped) <= 90
        and stripped.startswith("**")
        and stripped.endswith("**")
        and stripped[-3:-2] not in ".!?。"
    )


def is_stage_line(line: str) -> bool:
    """Whether a line is a rule, a bare count, or a cue or scene in brackets or italics.

    An unfilled slot ("[question 1]") is none: it must be seen.
    """
    stripped = line.strip()
    if not stripped:
        return False
    first = stripped[0]
    if first not in "[(（【［<{〔*_-=~#•·0123456789ivx—–`\\":
        return False
    if first in "[(（【［" and len(stripped) > 16 and stripped[-1] == _STAGE_PAIRS[first]:
        pass
    elif is_rule(stripped) or _ENUMERATOR.fullmatch(stripped) or _TIME_LINE.fullmatch(stripped):
        return True
    if stripped.startswith("<!--") and stripped.endswith("-->"):
        return True
    inner = stripped.strip("*_~` ") if first in "*_" and not stripped.startswith("* ") else stripped
    starred = inner != stripped and not stripped.startswith("**") and stripped[-1] in "*_"
    if stripped.startswith("* ") and stripped.endswith(" *"):
        inner, starred = stripped[2:-2], True
    if not inner:
        return True
    closer = _STAGE_PAIRS.get(inner[0])
    enclosed = (
        closer is not None
        and len(inner) > 2
        and inner[-1] == closer
        and inner.find(closer, 1) == len(inner) - 1
    )
    if enclosed and inner[0] in "<{":
        return False
    if not (enclosed or (starred and len(inner) <= 80 and "*" not in inner)):
        return False
    content = inner[1:-1] if enclosed else inner
    return (any(map(str.isalpha, content)) and not _SLOT_WORD.search(content)) or bool(
        _OFFER.match(_bare(content))
    )


def is_closing(line: str, *, after_blank: bool) -> bool:
    """Whether a line after the last answer speaks about the dialogue instead of continuing it."""
    bare = _bare(line.lstrip(_BADGES)).strip("()（）[]【】<>/ *¡")
    if not bare:
        return False
    if after_blank and _APPENDIX.match(bare):
        return True
    if _NOTE.match(bare):
        return (
            after_blank
            or re.search(_DIALOGUE_WORD, bare) is not None
            or line.strip()[0] in "(（[*【"
        )
    if _OFFER.match(bare) is None:
        return False
    return after_blank or len(bare) <= 40 or re.search(_DIALOGUE_WORD, bare) is not None


def is_thanks(text: str) -> bool:
    """Whether a person's turn only thanks or says goodbye."""
    if "?" in text or "？" in text or "؟" in text:
        return False
    bare = _bare(text)
    if len(bare) > 160:
        return False
    if len(bare) <= 80 and _THANK_WORDS.search(bare):
        return True
    return any(_THANKS.match(sentence) for sentence in _SENTENCE_ENDS.split(bare)[:4])


def is_content(text: str) -> bool:
    """Whether a person's turn only says that the answer was good."""
    if "?" in text or "？" in text or "؟" in text:
        return False
    bare = _bare(text)
    return len(bare) <= 100 and _CONTENT.search(bare) is not None


def is_welcome(text: str) -> bool:
    """Whether an answer only returns thanks."""
    bare = _bare(text)
    return len(bare) <= 200 and (
        _WELCOME.match(bare) is not None or _THANKS.match(bare) is not None
    )
