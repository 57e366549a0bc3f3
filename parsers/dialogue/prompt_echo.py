"""Knows instructions to write or to hold a dialogue, where a model repeats its prompt."""

from __future__ import annotations

import re

_PROMPT = re.compile(
    r"(?:^|[.!:\n]\s*|please |to )(?:generate|write|create|produce|compose|simulate) "
    r"(?:\w+ ){0,4}(?:dialogue|dialog|"
    r"conversation)\b"
    r"|you (?:have access to the paper|should (?:be asking|briefly answer|write))|"
    r"the other person sees only your|in the first utterance,? (?:you|write)|you only see the "
    r"following summary|"
    r"(?:请|請)?(?:根据|根據|基于|基於|按照)?.{0,20}(?:生成|编写|撰写|写|創作|创作)(?:一段|一个|"
    r"一篇|一組|一组)?.{0,12}(?:对话|對話)(?!如下)|"
    r"你(?:可以看到|能看到|只能看到|應該|应该)(?:论文|這|这|摘要|简要|用|提)"
)
# A cheap look before the pattern: without one of these there is nothing to find.
_SIGNS_OF_A_PROMPT = (
    "dialog",
    "conversation",
    "you have access to the paper",
    "you should ",
    "the other person sees only your",
    "in the first utterance",
    "you only see the following summary",
    "对话",
    "對話",
    "你",
)


def is_prompt_echo(text: str) -> bool:
    """Whether the text repeats an instruction to write or to hold a dialogue."""
    head = text[:1200].replace("’", "'").casefold()
    for sign in _SIGNS_OF_A_PROMPT:
        if sign in head:
            return _PROMPT.search(head) is not None
    return False
