"""How many tokens a text is, without its tokenizer: the least, the likely and the most.

Tokenizers cut English prose into pieces of about four letters, digits and signs
into pieces of one to three, a Chinese character into one or two tokens, and what
they have no piece for into single bytes. The three estimates bracket that:

=====================  ========  ======  =====
characters             least     likely  most
=====================  ========  ======  =====
ASCII letters, blanks  1/6       1/4     1/2
other ASCII            1/6       1/4     1
Han, kana, hangul      1/2       1       2
all others, by byte    1/6       1/3     1
=====================  ========  ======  =====

The budget counts the most, so that it errs on the side of stopping early.
"""

from __future__ import annotations

import re
import string
from typing import NamedTuple

from generator.values import Request

_PLAIN = (string.ascii_letters + string.whitespace).encode("ascii")
_ASCII = bytes(range(128))
_CJK = re.compile(
    "[\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)
_PER_MESSAGE = 8
"""Tokens that frame a chat message (role, separators); servers add three to seven."""


class TokenEstimate(NamedTuple):
    """A number of tokens: at the least, likely, at the most."""

    least: int
    likely: int
    most: int


def estimate_tokens(text: str) -> TokenEstimate:
    """The tokens of one text, in any script."""
    if text.isascii():
        signs = len(text.encode("ascii").translate(None, _PLAIN))
        plain = len(text) - signs
        return TokenEstimate(
            least=len(text) // 6, likely=-(-len(text) // 4), most=-(-plain // 2) + signs
        )
    data = text.encode("utf-8", "surrogatepass")
    foreign = len(data.translate(None, _ASCII))
    signs = len(data.translate(None, _PLAIN)) - foreign
    plain = len(data) - foreign - signs
    cjk = sum(map(len, _CJK.findall(text)))
    others = foreign - 3 * cjk
    return TokenEstimate(
        least=(plain + signs + others) // 6 + cjk // 2,
        likely=-(-(plain + signs) // 4) + cjk + -(-others // 3),
        most=-(-plain // 2) + signs + 2 * cjk + others,
    )


def estimate_prompt(request: Request) -> TokenEstimate:
    """The tokens of a request's prompt, or of all its messages."""
    if request.prompt is not None:
        return estimate_tokens(request.prompt)
    frame = _PER_MESSAGE * (len(request.messages) + 1)
    least, likely, most = 0, frame // 2, frame
    for message in request.messages:
        part = estimate_tokens(message.content)
        least += part.least
        likely += part.likely
        most += part.most
    return TokenEstimate(least, likely, most)
