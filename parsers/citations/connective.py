"""Sentences of an answer that claim nothing, so that no document need vouch for them."""

from __future__ import annotations

import re

from parsers.text.tokens import UNSPACED_CLASS, tokens

_MARKER = re.compile(r"\[\d{1,3}\]")
_UNSPACED = re.compile(f"[{UNSPACED_CLASS}]")
_SHORT = 5
"""Tokens under which WebGLM leaves a sentence without a citation; CJK characters count half."""

_COURTESY = re.compile(
    r"\W*(?:(?:i )?hope (?:this|that) (?:helps|answers|information)|let me know if|feel free to|"
    r"please (?:let me know|feel free|note that this answer)|"
    r"if you have (?:any )?(?:more|further|other|additional)? ?questions|is there anything else|"
    r"certainly\b|of course\b|sure\b|"
    r"(?:here|these|below|the following) (?:is|are)\b[^.!?]{0,60}[:.]?\W*$|"
    r"(?:in|to) (?:summary|conclusion|summari[sz]e|conclude)\W*$|"
    r"(?:希望|但愿)[^。！？]{0,20}(?:帮助|幫助|帮到|幫到|有用)|如果?(?:你|您)?(?:还)?有(?:其他|更多|任何)[^。！？]{0,12}"
    r"(?:问题|問題|疑问|疑問)|如需[^。！？]{0,20}(?:告诉|告訴|联系|聯繫|随时|隨時)|当然|當然|好的|"
    r"以下(?:是|为|為)[^。！？]{0,24}[：:。]?\W*$)",
    re.IGNORECASE,
)


def is_connective(sentence: str) -> bool:
    """True when a sentence only leads on: "In summary:", "Certainly!", "具体如下：", "1.".

    Such are sentences that end in a colon, courtesies, and those with fewer than five words (ten
    CJK characters) that hold no number.

    >>> is_connective("There are three of them:"), is_connective("It was built in 1931.")
    (True, False)
    """
    said = _MARKER.sub("", sentence).strip(" \t\n*_#>-•")
    if not said:
        return True
    if said.endswith((":", "：")):
        return True
    found = tokens(said[:400])
    if not found:
        return True
    unspaced = sum(_UNSPACED.match(token) is not None for token in found)
    length = len(found) - unspaced / 2
    digits = any(token.isdigit() for token in found)
    if length < _SHORT and (not digits or len(found) == 1):
        return True
    return length < 4 * _SHORT and _COURTESY.match(said) is not None
