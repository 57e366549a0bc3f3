"""Cutting a long document into passages of about equal size, at the ends of sentences."""

from __future__ import annotations

from itertools import pairwise

from parsers.sentences import sentence_spans
from parsers.text.tokens import tokens

CHARACTERS_PER_TOKEN = 12
"""A text counts as having at least one token for so many characters: a word is hardly longer, and
a block of encoded data or a table without spaces must not pass as a single one."""


def passages(text: str, most_tokens: int) -> tuple[str, ...]:
    """The text whole where it has at most `most_tokens` tokens, else in parts that do.

    A token is a word or an unspaced character (`parsers.text.tokens`), or twelve
    characters where words are longer than that. The parts
    are of about equal size, so that no stump is left at the end; joined they
    are the text again but for the white space between sentences. Only a
    sentence that is itself longer than the bound is cut inside.
    """
    whole = text.strip()
    size = _size(whole)
    if size <= most_tokens:
        return (whole,) if whole else ()
    pieces = [
        piece for span in sentence_spans(whole) for piece in _bounded(whole, span, most_tokens)
    ]
    sizes = [_size(whole[start:end]) for start, end in pieces]
    wanted = size / -(-size // most_tokens)
    starts = [0]
    held = 0
    for number, length in enumerate(sizes):
        full = held + length > most_tokens or held + length / 2 > wanted
        if held and full:
            starts.append(number)
            held = 0
        held += length
    edges = [pieces[number][0] for number in starts] + [len(whole)]
    return tuple(whole[start:end].strip() for start, end in pairwise(edges))


def _size(text: str) -> int:
    return max(len(tokens(text)), len(text) // CHARACTERS_PER_TOKEN)


def _bounded(text: str, span: tuple[int, int], most_tokens: int) -> list[tuple[int, int]]:
    """A sentence, in halves (of halves) while it is longer than the bound."""
    start, end = span
    if end - start <= most_tokens or _size(text[start:end]) <= most_tokens:
        return [span]
    middle = (start + end) // 2
    space = text.find(" ", middle, end)
    cut = space if 0 < space < end - 1 and space - middle < (end - start) // 4 else middle
    return [
        *_bounded(text, (start, cut), most_tokens),
        *_bounded(text, (cut, end), most_tokens),
    ]
