"""Tokens of a text in any script: a word, or one character where words are not spaced.

A token is an alphanumeric run, case-folded; in scripts written without spaces
(Han, Kana, Thai, Lao, Khmer, Burmese) it is one character. Punctuation, symbols
and emoji are no tokens. This is the unit in which lengths of the TruthReader
sample are commonly given (a CJK character or an alphanumeric word).
"""

from __future__ import annotations

import re
import unicodedata

UNSPACED_CLASS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Regular-expression class body of the characters that are a token each."""

# Marks are no word characters to `re`, yet they belong inside the words of these scripts.
_MARKS_CLASS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u08ca-\u08ff"
    "\u0900-\u0963\u0966-\u0dff\u0f71-\u0f84"
)
_RUN = re.compile(f"([{UNSPACED_CLASS}]+)|((?:[^\\W_{UNSPACED_CLASS}]|[{_MARKS_CLASS}])+)")
_IN_WORD = re.compile(f"[^\\W_]|[{_MARKS_CLASS}]")
_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_NEEDS_RUNS = re.compile(f"[{UNSPACED_CLASS}\uff01-\uffee]")
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]")

SEPARATOR = "\x1e"
"""White space that `spaced_words` leaves as it is, so that texts can be read joined."""

# Control characters never belong to a word, so they can stand in for the few
# letters outside ASCII that an otherwise ASCII text has: the whole text then
# takes the fast path, one table over its bytes.
_STAND_INS = "".join(map(chr, [*range(0x01, 0x09), *range(0x0E, 0x1C)]))
_HAS_STAND_IN = re.compile(f"[{_STAND_INS}]")


def _byte_table(kept: str) -> bytes:
    """Bytes to bytes: capitals to small letters, what is in no word (and not `kept`) to a space."""
    table = bytearray(range(256))
    for code in range(128):
        char = chr(code)
        table[code] = ord(char.lower()) if char.isalnum() or char in kept else ord(" ")
    return bytes(table)


_WORD_BYTES = _byte_table(kept=SEPARATOR)
_IN_NO_WORD = bytes(code for code in range(128) if not chr(code).isalnum())
_WORD_AND_STAND_IN_BYTES = _byte_table(kept=SEPARATOR + _STAND_INS)


def tokens(text: str) -> list[str]:
    """The tokens of `text`, in order.

    >>> tokens("BERT reaches 61 %, 很高。")
    ['bert', 'reaches', '61', '很', '高']
    """
    found = spaced_tokens(text)
    if found is not None:
        return found
    found = []
    for unspaced, word in runs(fold(text)):
        if unspaced:
            found.extend(unspaced)
        else:
            found.append(word)
    return found


def joined_tokens(text: str) -> str:
    """The tokens of `text` with nothing between them.

    >>> joined_tokens("BERT reaches 61 %, 很高。")
    'bertreaches61很高'
    """
    if text.isascii():
        return text.encode("ascii").translate(_WORD_BYTES, _IN_NO_WORD).decode("ascii")
    return "".join(tokens(text))


def spaced_tokens(text: str) -> list[str] | None:
    """The tokens of `text`, or None when it has characters that are a token each."""
    words = spaced_words(text)
    if words is not None:
        return words.split()
    if _NEEDS_RUNS.search(text) is not None:
        return None
    return [word for _, word in runs(fold(text))]


def spaced_words(text: str) -> str | None:
    """The tokens of `text` with white space between them, or None.

    None when the text has characters that are a token each, or so many letters
    outside ASCII that the general way is the quicker one.
    """
    if text.isascii():
        return text.encode("ascii").translate(_WORD_BYTES).decode("ascii")
    # Looking at the start first: one match there spares reading all of a Chinese text.
    if _NEEDS_RUNS.search(text[:64]) is not None:
        return None
    others = "".join(sorted(set(_NON_ASCII.findall(text))))
    if _NEEDS_RUNS.search(others) is not None:
        return None
    letters = _IN_WORD.findall(others)
    if not letters:
        # "replace" makes "?" of all other characters, which is in no word.
        return text.encode("ascii", "replace").translate(_WORD_BYTES).decode("ascii")
    if len(letters) > len(_STAND_INS) or _HAS_STAND_IN.search(text) is not None:
        return None
    for char, stand_in in zip(letters, _STAND_INS, strict=False):
        text = text.replace(char, stand_in)
    words = text.encode("ascii", "replace").translate(_WORD_AND_STAND_IN_BYTES).decode("ascii")
    for char, stand_in in zip(letters, _STAND_INS, strict=False):
        words = words.replace(stand_in, char.casefold())
    return words


def fold(text: str) -> str:
    """Case-folded text, with full-width letters and digits made ordinary ones."""
    if has_full_width(text):
        text = unicodedata.normalize("NFKC", text)
    return text.casefold()


def has_full_width(text: str) -> bool:
    """Whether `text` has full-width letters or digits, or half-width Kana."""
    return _FULL_WIDTH.search(text) is not None


def runs(folded: str) -> list[tuple[str, str]]:
    """Runs of a text that went through `fold`: (unspaced characters, "") or ("", word)."""
    return _RUN.findall(folded)
