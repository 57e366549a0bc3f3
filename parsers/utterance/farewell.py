"""Thanks, goodbyes and their answers: what two models say to each other without end."""

from __future__ import annotations

import re

_LONGEST = 400
"""Characters; a longer text says something else as well."""

_CLAUSES = re.compile(
    r"[.!?,;:…。！？，；：、~～\n\u2014–]+|\s+-\s+|[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?"
)
_LEAD = re.compile(
    r"(?:and|so|well|but|oh|ah|again|then|now|once again|it['’]s|that['’]s|thats|no|yes|i|we|也|"
    r"那|那么|好|再次)\s*"
)
# A clause that ends a conversation by itself.
_FINAL = re.compile(
    r"(?:(?:many |so many |ok(?:ay)? )?thank(?:s| you)\b.*|thx|cheers|ty|much appreciated|"
    r"(?:really |do |would |so )?appreciate .*|"
    r"(?:good)?bye(?:[- ]?bye)?(?: .*)?|good night|see you.*|farewell|take care.*|"
    r"have a (?:\w+ ){0,3}(?:day|one|time|evening|weekend|week|night)\b.*|"
    r"(?:you(?:['’]re| are) )?(?:very |most |always )?welcome(?: .*)?|my pleasure|(?:it was |"
    r"it['’]s )?(?:a |my )?pleasure\b.*|"
    r"don['’]t mention it|no problem(?: at all)?|any ?time|(?:have |i have |i['’]ve )?no (?:more|"
    r"further|other|additional) questions\b.*|"
    r"(?:don['’]t|do not) have (?:any )?(?:more|further|other) questions\b.*|that['’]?s (?:all|"
    r"everything|it)\b.*|(?:this|that) (?:concludes|ends)\b.*|"
    r"(?:it was |it has been |was )?(?:nice|great|lovely|good) (?:talking|chatting|speaking)\b.*|"
    r"best of luck.*|good luck.*|all the best|"
    r"(?:非常|十分|太|多|真的?)?(?:感谢|谢谢|多谢|謝謝|感謝|谢啦|谢了)(?:您|你|大家)?.{0,24}|再见|"
    r"再見|拜拜|下次见|回头见|晚安|"
    r"不客气|不客氣|不用谢|不谢|别客气|不用客气|(?:我)?(?:暂时)?没有(?:其他|别的|更多|任何|"
    r"什么)?的?(?:问题|疑问)了?|没问题了|"
    r"祝(?:您|你).{1,20}|"
    r"gracias.*|muchas gracias.*|de nada|adiós|hasta (?:luego|pronto)|merci.*|de rien|au revoir|"
    r"à bientôt|"
    r"(?:vielen |herzlichen )?dank.*|danke.*|gern(?:e)?(?: geschehen)?|bitte(?: sehr| schön)?|"
    r"auf wiedersehen|tschüss|"
    r"obrigad[oa].*|por nada|tchau|adeus|grazie.*|prego|arrivederci|ciao|"
    r"(?:большое )?спасибо.*|пожалуйста|не за что|до свидания|пока|благодарю.*|"
    r"(?:どうも)?ありがとう.*|どういたしまして|さようなら|では(?:また)?|감사합니다.*|고맙습니다.*|"
    r"천만에요|안녕히 .*|"
    r"dank (?:je|u)( wel)?.*|bedankt.*|graag gedaan|tot ziens|dziękuję.*|proszę|do widzenia|"
    r"teşekkür.*|rica ederim|hoşça kal.*|"
    r"شكرا.*|شكرًا.*|عفوا|مع السلامة|धन्यवाद.*|cảm ơn.*|tạm biệt|ขอบคุณ.*|terima kasih.*|sama-sama)"
)
# A clause that may stand beside one.
_POLITE = re.compile(
    r"(?:ok(?:ay)?|great|perfect|wonderful|excellent|awesome|cool|nice|good|fantastic|got it|"
    r"i see|understood|"
    r"alright|all right|sounds good|makes sense|of course|sure|absolutely|certainly|likewise|"
    r"you too|same to you|"
    r"(?:i )?understand(?: now)?|(?:very |really |quite |so )?(?:helpful|interesting|clear|"
    r"informative|useful)|"
    r"(?:that|this|it|which) (?:was|is|has been|['’]s)? ?(?:very |really |quite |all |"
    r"so )?(?:helpful|helps|clear|great|useful|informative|interesting|makes sense).*|"
    r"(?:very |really |quite |so )?(?:helpful|clear|useful|informative)(?: .{0,30})?|"
    r"(?:that|this) answers? .{0,40}|(?:that|this) helps?.{0,30}|(?:i['’]m |i am |am )?(?:so |"
    r"very |always )?(?:glad|happy|pleased|delighted) .{0,60}|"
    r"feel free .{0,60}|(?:please )?let me know .{0,80}|(?:please )?don['’]t hesitate .{0,60}|"
    r"if you (?:ever )?(?:have|need|want) .{0,60}|"
    r"is there anything else.{0,50}|anything else.{0,40}|(?:i )?hope .{0,60}|enjoy .{0,40}|"
    r"until next time|"
    r"for (?:your|the|all|answering|explaining|taking) .{0,50}|just ask|reach out.{0,40}|"
    r"ask (?:away|anytime)|wish you .{0,30}|"
    r"好的?|明白了?|了解了?|懂了|知道了|清楚了|原来如此|太好了|我(?:明白|懂|了解|知道)了|没关系|"
    r"当然|嗯|"
    r"很高兴.{1,20}|希望.{1,24}|(?:如果|若|如)(?:您|你)?.{0,24}|(?:请|欢迎)?随时.{0,16}|"
    r"欢迎.{0,16}|还有(?:什么|其他).{0,16}|"
    r"(?:您|你)的?(?:回答|解答|解释|讲解|帮助).{0,12}|这(?:很|非常|对我).{0,16}|(?:很|"
    r"非常)(?:有帮助|清楚|详细).{0,8}|我会.{0,16})"
)


def is_farewell(text: str) -> bool:
    """Whether a turn only thanks, says goodbye, returns thanks or says that it has no questions.

    Every clause must be of that kind, so thanks before a question or a statement are no farewell.
    Knows English and Chinese well, and the words for thanks and goodbye of some twenty more
    languages. The loop of "Thank you!" and "You're welcome!" is how two models fail to stop.

    >>> is_farewell("Thank you, goodbye!"), is_farewell("Thanks. How large is it?")
    (True, False)
    """
    bare = text.strip(" \t\n\"”“'’*_()（）")
    if not bare or len(bare) > _LONGEST:
        return False
    final = False
    for clause in _CLAUSES.split(bare.replace("’", "'").casefold()):
        words = clause.strip(" \t\"”“'*_()（）¡")
        if not words:
            continue
        if _is(_FINAL, words):
            final = True
        elif not _is(_POLITE, words) and _LEAD.sub("", words, count=1):
            return False
    return final


def _is(pattern: re.Pattern[str], words: str) -> bool:
    if pattern.fullmatch(words) is not None:
        return True
    lead = _LEAD.match(words)
    return lead is not None and pattern.fullmatch(words, lead.end()) is not None
