"""A model that will not play its part, told from an answer that the text lacks."""

from __future__ import annotations

import re

from parsers.dialogue.model import Speaker
from parsers.dialogue.refusal import is_refusal
from parsers.dialogue.roles import asks
from parsers.text.refusals import is_declining, is_not_enough_information

_HEAD = 400

# Asking for what was in the prompt: the model did not understand that it has it.
_WANTS_INPUT = re.compile(
    r"\b(?:provide|share|paste|upload|attach|send)(?: me)?(?: with)? (?:the|a|your)(?: \w+){0,3}? "
    r"(?:text|article|paper|document|summary|passage)\b|"
    r"\b(?:no|any|the|a) (?:text|article|paper|document|summary|passage|attachment) "
    r"(?:was|were|has been|is|to be) (?:provided|attached|shared|included)|"
    r"\bi (?:do not|don't|cannot|can't) (?:see|have|access) (?:any|the|a|an|your)(?: \w+){0,2} "
    r"(?:text|article|paper|document|summary|passage|attachment)\b|"
    r"请(?:您|你)?先?(?:提供|上传|粘贴|发送|分享)(?:给我)?(?:一下)?(?:相关|具体|完整)?的?"
    r"(?:文本|文章|论文|原文|摘要|内容|文档|材料)|"
    r"(?:您|你)(?:还)?(?:没有|未)(?:提供|上传|给出)(?:任何|具体|相关)?的?(?:文本|文章|论文|摘要|"
    r"内容|文档)",
)
# A cheap look before it: what stands in each of its English wishes.
_SIGNS_OF_A_WISH = (
    "provide",
    "share",
    "paste",
    "upload",
    "attach",
    "send",
    "include",
    "i do",
    "i can",
)


def declines(said: str, speaker: Speaker) -> bool:
    """Whether the model declines its part: "As an AI …", "I cannot help with that", "请提供原文".

    A bot that says the text lacks the answer does what it was asked to. A person must ask, so a
    person who only regrets something declines; an apology before a question does not.
    """
    head = said[:_HEAD].replace("’", "'").casefold()
    if is_declining(said):
        return True
    if _wants_input(head) and not is_not_enough_information(said):
        return True
    return speaker == "person" and not asks(said) and is_refusal(said)


def _wants_input(head: str) -> bool:
    if head.isascii() and not any(sign in head for sign in _SIGNS_OF_A_WISH):
        return False
    return _WANTS_INPUT.search(head) is not None
