"""Writing GBNF, the grammar notation of llama.cpp (`grammars/README.md` of that project)."""

from __future__ import annotations

from collections.abc import Iterable


def literal(text: str) -> str:
    """`text` as a quoted GBNF literal. Raises `ValueError` for lone surrogates.

    Quotes, backslashes and everything invisible are escaped, so that neither a
    text nor an editor can end the literal early.
    """
    return '"' + "".join(map(_escaped, text)) + '"'


def one_of(expressions: Iterable[str]) -> str:
    """A group of alternatives, each already GBNF."""
    return "(" + " | ".join(expressions) + ")"


def one_of_texts(texts: Iterable[str]) -> str:
    """A group of literal alternatives."""
    return one_of(map(literal, texts))


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise ValueError(f"a lone surrogate (U+{code:04X}) cannot be part of a grammar")
    if character == " " or (code > 0x20 and character.isprintable()):
        return character
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
