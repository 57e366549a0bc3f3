"""Whether an utterance asks something."""

from __future__ import annotations

import re

# Question marks of Latin, CJK, Arabic, Armenian, Ethiopic, Greek and Spanish writing.
_MARK = re.compile("[؟՞፧⁇⁈⁉﹖¿\u037e]")
_ENGLISH_OPENING = re.compile(
    r"\W*(?:and |but |so |then |also |ok(?:ay)?,? |well,? )*"
    r"(?:what|how|why|which|who|whom|whose|when|where|is|are|was|were|do|does|did|can|could|"
    r"will|would|should|may|might|has|have|had|tell me|explain|describe|"
    r"in (?:what|which)|to what|by what|for (?:what|which))\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "什么|为何|如何|怎么|怎样|哪|是否|多少|多大|多长|多久|几[个种项次年条篇层]|谁|何时|何种|"
    "有没有|能否|可否|是不是|能不能|会不会|请[问解介说谈描]|吗|呢"
)


def is_question(text: str) -> bool:
    """True when the text has a question mark of any script, or opens or asks like a question.

    >>> is_question("那它有什么局限"), is_question("Thanks, that helps.")
    (True, False)
    """
    if "?" in text or "？" in text:
        return True
    if _MARK.search(text) is not None or _ENGLISH_OPENING.match(text) is not None:
        return True
    return not text.isascii() and _CHINESE.search(text) is not None
