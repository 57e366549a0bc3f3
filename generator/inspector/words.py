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
_PIECES = re.compile(f"([{_UNSPACED}]+)")
_WORD = re.compile(r"[^\W_]+")
_QUERY_PART = re.compile(r'(-?)"([^"]*)"?|(\S+)')


def indexed(text: str) -> tuple[str, str]:
    """The text with runs of unspaced scripts as pairs, and the last characters of these runs.

    "缓存策略 2" → ("缓存 存策 策略  2", "略"): a single character is looked for as the beginning
    of a pair, and those that end a run begin none.
    """
    if text.isascii():
        return text, ""
    ends: list[str] = []

    def pairs(run: re.Match[str]) -> str:
        characters = run.group()
        ends.append(characters[-1])
        return f" {' '.join(_pairs(characters))} "

    return _RUN.sub(pairs, text), " ".join(dict.fromkeys(ends))


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def match_expression(query: str) -> str | None:
    """A query as FTS5 takes it; None when it holds no word.

    All words must occur; "in quotes" side by side; `word*` is a beginning; `-word` must not
    occur. Nothing a person types is read as FTS5's own syntax.
    """
    wanted: list[str] = []
    unwanted: list[str] = []
    for minus, quoted, bare in _QUERY_PART.findall(query):
        negated = minus == "-" or (len(bare) > 1 and bare.startswith("-"))
        phrases = _phrases(bare or quoted, beginning=bare.endswith("*"))
        if phrases:
            (unwanted if negated else wanted).append(f"({' AND '.join(phrases)})")
    if not wanted:
        return None
    return " NOT ".join([f"({' AND '.join(wanted)})", *unwanted])


def _phrases(text: str, *, beginning: bool) -> list[str]:
    """The words of one term side by side; a lone unspaced character is looked for by itself."""
    phrases: list[str] = []
    side_by_side: list[str] = []
    for piece in _PIECES.split(text):
        if len(piece) == 1 and _RUN.fullmatch(piece):
            if side_by_side:
                phrases.append(_quoted(side_by_side))
                side_by_side = []
            phrases.append(_quoted([piece]) + "*")
        elif _RUN.fullmatch(piece):
            side_by_side += _pairs(piece)
        else:
            side_by_side += _WORD.findall(piece)
    if side_by_side:
        phrases.append(_quoted(side_by_side) + ("*" if beginning else ""))
    return phrases


def _quoted(words: list[str]) -> str:
    return '"' + " ".join(words) + '"'
