"""Text as the words of the full-text index, for any script; and a person's query in its language.

SQLite's tokenizer splits at spaces and punctuation, which Chinese, Japanese, Thai and others do
not write. Runs of such scripts are cut into overlapping pairs of characters, so that every part of
them can be found. Pure.
"""

from __future__ import annotations

import re

TOKENIZER = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\uac00-\ud7af"
)
_RUN = re.compile(f"[{_UNSPACED}]+")
_WORD = re.compile(r"[^\W_]+")
_QUERY_PART = re.compile(r'(-?)"([^"]*)"?|(\S+)')


def indexed(text: str) -> str:
    """The text with runs of unspaced scripts as pairs: "缓存策略" → "缓存 存策 策略 略"."""
    if text.isascii():
        return text
    return _RUN.sub(lambda run: f" {_pairs(run.group())} ", text)


def _pairs(run: str) -> str:
    # The last character stands alone too, so that one character can be searched as a beginning.
    return " ".join([*(run[i : i + 2] for i in range(len(run) - 1)), run[-1]])


def match_expression(query: str) -> str | None:
    """A query as FTS5 takes it; None when it holds no word.

    All words must occur; "in quotes" side by side; `word*` is a beginning; `-word` must not
    occur. Nothing a person types is read as FTS5's own syntax.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    for minus, quoted, bare in _QUERY_PART.findall(query):
        text = bare or quoted
        negated = minus == "-" or (bool(bare) and len(bare) > 1 and bare.startswith("-"))
        phrase = _phrase(text, beginning=bool(bare) and bare.endswith("*"))
        if phrase is not None:
            (unwanted if negated else wanted).append(phrase)
    if not wanted:
        return None
    expression = " AND ".join(wanted)
    for phrase in unwanted:
        expression = f"({expression}) NOT {phrase}"
    return expression


def _phrase(text: str, *, beginning: bool) -> str | None:
    tokens: list[str] = []
    open_end = beginning
    for piece in re.split(f"([{_UNSPACED}]+)", text):
        if _RUN.fullmatch(piece):
            tokens += [piece] if len(piece) == 1 else [
                piece[i : i + 2] for i in range(len(piece) - 1)
            ]  # fmt: skip
            open_end = len(piece) == 1 or open_end
        elif words := _WORD.findall(piece):
            tokens += words
            open_end = beginning
    if not tokens:
        return None
    return '"' + " ".join(tokens) + '"' + ("*" if open_end else "")
