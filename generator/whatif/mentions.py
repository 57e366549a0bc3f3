"""Whether a raw text can be read otherwise once the parser's label words have changed.

A word matters only to a text in which it occurs. What the parser undoes before it reads
labels (escapes, entities, tags, thoughts, width, case, marks between letters) is allowed for:
the answer may be yes for a text that reads the same, never no for one that does not.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

from generator.recipes.parser_words import ParserWords
from generator.store import RunStore
from parsers.dialogue.patterns import required_text
from parsers.dialogue.thinking import may_hold_thoughts

_OPENING, _NO_OPENING = '"opening":', '"opening":""'
_TELL_EVERY = 5_000

_ESCAPED_GAP = re.compile(r"\\[abfnrtv]")
_HIDING = re.compile(r"\\(?:u[0-9a-fA-F]|x[0-9a-fA-F]|U[0-9a-fA-F]|N\{|[0-7])|&[#\w]|<[!/?|\w]")
"""An escape, entity or tag that may stand for letters, or between them."""

_NO_LETTERS = re.compile(r"[\W_]+")
_LOWER = bytes(range(256)).lower()
_ASCII_REST = bytes(code for code in range(256) if not chr(code).isalnum() or code > 127)


class Mentions:
    """Tells which texts a change of the parser's words can concern."""

    def __init__(self, old: ParserWords, new: ParserWords) -> None:
        self._needles = tuple(sorted(_changed(old, new)))
        self._ascii = tuple(n.encode() for n in self._needles if n.isascii())

    def __call__(self, raw: str) -> bool:
        """Whether `raw` may be read otherwise."""
        if not self._needles or not self._needles[0]:
            return bool(self._needles)
        if "\\" in raw or "&" in raw or "<" in raw:
            if _HIDING.search(raw) is not None:
                return True
            raw = _ESCAPED_GAP.sub(" ", raw)
        return self._holds(raw) or ("s" in raw and self._possessive(raw)) or may_hold_thoughts(raw)

    def _possessive(self, raw: str) -> bool:
        """ "Reader's question" is "reader question" to the parser."""
        bare = raw.replace("'s", "").replace("’s", "")
        return len(bare) < len(raw) and self._holds(bare)

    def _holds(self, raw: str) -> bool:
        if raw.isascii():
            letters = raw.encode("ascii").translate(_LOWER, _ASCII_REST)
            return any(needle in letters for needle in self._ascii)
        folded = _letters(raw)
        return any(needle in folded for needle in self._needles)


def mentioning(store: RunStore, mentions: Mentions, tell: Callable[[int], None]) -> set[int]:
    """The places of the samples with an answer that may be read otherwise.

    `tell` is told now and then how many answers were looked at. They are read as they lie in
    the store, whichever sample they belong to, which is many times as quick as in order.
    """
    keys: set[str] = set()
    found: set[int] = set()
    for number, (item, text) in enumerate(store.answer_texts()):
        if mentions(text):
            keys.add(item)
        if number % _TELL_EVERY == 0:
            tell(number)
    openings: dict[str, bool] = {}
    for seq, item, candidate in store.candidates():
        if item in keys or _asks_elsewhere(item, candidate):
            found.add(seq)
        elif candidate.count(_OPENING) != candidate.count(_NO_OPENING):
            for answer in json.loads(candidate)["answers"]:
                opening = answer["opening"]
                if opening not in openings:
                    openings[opening] = mentions(opening) or opening[-1:].isalnum()
                if openings[opening]:
                    found.add(seq)
    return found


def _asks_elsewhere(item: str, candidate: str) -> bool:
    """Whether an answer was stored under another item."""
    return candidate.count('"item":') != candidate.count(f'"item":"{item}"')


def _changed(old: ParserWords, new: ParserWords) -> set[str]:
    """The letters of each label or pattern that only one of both has; "" is in every text."""
    texts: set[str] = set()
    for name in ("person_labels", "bot_labels", "summary_labels"):
        texts |= {*getattr(old, name)} ^ {*getattr(new, name)}
    if old.patterns != new.patterns:
        # The first pattern that matches decides, so another order may matter to all of them.
        expressions = [p.partition(":")[2].strip() for p in (*old.patterns, *new.patterns)]
        texts |= {required_text(expression) for expression in expressions}
    return {needle for text in texts for needle in _spellings(text)}


def _spellings(text: str) -> set[str]:
    # "Q & A" and "Q and A" are one label to the parser.
    folded = text.casefold().replace(" & ", " and ")
    return {_letters(folded), _letters(folded.replace(" and ", " "))}


def _letters(text: str) -> str:
    """The letters and digits of a text, so that two spellings the parser takes for one are one."""
    if not text.isascii():
        for _ in range(2):
            text = unicodedata.normalize("NFKD", text.casefold())
    return _NO_LETTERS.sub("", text.casefold())
