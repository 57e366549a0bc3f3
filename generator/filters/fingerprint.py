"""When two dialogues are the same."""

from __future__ import annotations

import hashlib
import unicodedata

from parsers.dialogue.model import Dialogue
from parsers.text.tokens import joined_tokens


def fingerprint(dialogue: Dialogue) -> str:
    """SHA-256 (hex) of the words of a dialogue, for exact duplicates.

    Case, white space, punctuation and compatibility forms (full-width letters)
    make no difference; who speaks, the order and the borders of turns do.
    """
    parts = [f"summary\x1f{_normal(dialogue.summary)}"]
    parts += [f"{turn.speaker}\x1f{_normal(turn.text)}" for turn in dialogue.turns]
    return hashlib.sha256("\x1e".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _normal(text: str) -> str:
    return joined_tokens(unicodedata.normalize("NFKC", text))
