"""The server's token count: one rule for usage, context limit, token windows and `max_tokens`.

One token for each Chinese, Japanese or Korean character, and one for every four
bytes (UTF-8) of the rest, rounded up. No real tokenizer counts like this; it is
near enough to theirs for limits to bite where they would, and it can be
reckoned by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CJK_CLASS = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK = re.compile(f"[{_CJK_CLASS}]")
_PER_MESSAGE = 4
"""Tokens that a chat message costs beside its content."""


def count_tokens(text: str) -> int:
    """Tokens of one text."""
    if text.isascii():
        return -(-len(text) // 4)
    rest, cjk = _CJK.subn("", text)
    return cjk + -(-len(rest.encode("utf-8", "surrogatepass")) // 4)


def count_messages(contents: Iterable[str]) -> int:
    """Tokens of a chat prompt, given the contents of its messages."""
    return sum(count_tokens(content) + _PER_MESSAGE for content in contents)


def cut_to(text: str, tokens: int) -> str:
    """The longest beginning of the text with at most so many tokens."""
    room = 4 * tokens
    for end, character in enumerate(text):
        size = len(character.encode("utf-8", "surrogatepass"))
        room -= 4 if _CJK.match(character) else size
        if room < 0:
            return text[:end]
    return text
