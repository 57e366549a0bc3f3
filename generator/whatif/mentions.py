"""Whether a raw text can be read otherwise once the parser's label words have changed.

A word matters only to a text in which it occurs. What the parser undoes before it reads
labels (escapes, entities, tags, thoughts, width, case, marks between letters) is allowed for:
the answer may be yes for a text that reads the same, never no for one that does not.
"""

from __future__ import annotations

import re
import unicodedata

from generator.recipes.parser_words import ParserWords
from parsers.dialogue.patterns import required_text
from parsers.dialogue.thinking import may_hold_thoughts

_BETWEEN = r"(?:\\[abfnrtv]|['’]s|[\W_])*"
"""What the parser may take out between two letters of a label."""

_HIDING = re.compile(r"\\(?:u[0-9a-fA-F]|x[0-9a-fA-F]|U[0-9a-fA-F]|N\{|[0-7])|&[#\w]|<[!/?|\w]")
"""An escape, entity or tag that may stand for letters, or between them."""


class Mentions:
    """Tells which texts a change of the parser's words can concern."""

    def __init__(self, old: ParserWords, new: ParserWords) -> None:
        needles = _changed(old, new)
        self._always = "" in needles
        self._never = not needles
        self._found = re.compile("|".join(_needle(n) for n in sorted(needles)) or r"(?!)")

    @property
    def nowhere(self) -> bool:
        """No word differs, so no text can be read otherwise."""
        return self._never

    def __call__(self, raw: str) -> bool:
        """Whether `raw` may be read otherwise."""
        if self._never or self._always:
            return self._always
        if _HIDING.search(raw) is not None or may_hold_thoughts(raw):
            return True
        return self._found.search(_folded(raw)) is not None


def _changed(old: ParserWords, new: ParserWords) -> set[str]:
    """The letters of each label or pattern that only one of both has."""
    found: set[str] = set()
    for name in ("person_labels", "bot_labels", "summary_labels"):
        found |= {_letters(w) for w in {*getattr(old, name)} ^ {*getattr(new, name)}}
    patterns = {*old.patterns} ^ {*new.patterns}
    if old.patterns != new.patterns:
        # The first pattern that matches decides, so another order may matter to all of them.
        patterns |= {*old.patterns, *new.patterns}
    for pattern in patterns:
        found.add(_letters(required_text(pattern.partition(":")[2].strip())))
    return found


def _folded(text: str) -> str:
    """A text so that two spellings the parser takes for one are one."""
    if text.isascii():
        return text.lower()
    for _ in range(2):
        text = unicodedata.normalize("NFKD", text.casefold())
    return text


def _letters(word: str) -> str:
    # "&" and "and" are one to the parser, so neither is looked for.
    joined = re.sub(r"(?<!\w)and(?!\w)", " ", _folded(word))
    return "".join(sign for sign in joined if sign.isalnum())


def _needle(letters: str) -> str:
    return f"{_BETWEEN}(?:and{_BETWEEN})?".join(map(re.escape, letters))
