"""Reads the numbers in labels, whatever way they are written."""

from __future__ import annotations

CHINESE_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九十", start=1)}
NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten".split(), start=1
    )
} | {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
ROMAN = {word: value for value, word in enumerate("i ii iii iv v vi vii viii ix x".split(), 1)}


def read_number(mark: str) -> int | None:
    """The number a mark stands for: digits, an English or Chinese number word, a Roman numeral."""
    if mark.isascii() and mark.isdigit():
        return int(mark)
    if mark in NUMBER_WORDS:
        return NUMBER_WORDS[mark]
    if mark and all(digit in CHINESE_DIGITS for digit in mark):
        if len(mark) == 1:
            return CHINESE_DIGITS[mark]
        tens, _, ones = mark.partition("十")
        return 10 * CHINESE_DIGITS.get(tens, 1) + CHINESE_DIGITS.get(ones, 0)
    return ROMAN.get(mark) if len(mark) > 1 else None
