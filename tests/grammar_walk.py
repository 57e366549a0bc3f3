"""A small reader of GBNF that derives texts from a grammar: what the engine may generate."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<chars>\[(?:[^\]\\]|\\.)*\])|(?P<name>[a-z][a-z0-9]*)'
    r"|(?P<times>\{\d+(?:,\d+)?\})|(?P<sign>[()|?]))"
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|U([0-9A-F]{8})|([\"\\nrt\[\]]))")
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}

Derive = Callable[[random.Random], str]


def unescape(body: str) -> str:
    """The text that the inside of a GBNF literal stands for."""

    def one(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        return chr(int(code, 16)) if code else _PLAIN.get(match[4], match[4])

    assert "\\" not in _ESCAPE.sub("", body), f"an escape that GBNF does not know: {body!r}"
    return _ESCAPE.sub(one, body)


class Grammar:
    """The rules of a grammar; `derive` makes one text that it allows."""

    def __init__(self, body: str) -> None:
        self._rules: dict[str, Derive] = {}
        for line in filter(None, body.split("\n")):
            name, _, expression = line.partition(" ::= ")
            assert name not in self._rules, f"two rules {name}"
            tokens = self._tokens(expression)
            self._rules[name] = self._alternatives(tokens)
            assert not tokens, f"left over in {name}: {tokens[-1]}"

    def derive(self, seed: int) -> str:
        return self._rules["root"](random.Random(seed))

    @staticmethod
    def _tokens(expression: str) -> list[tuple[str, str]]:
        tokens, position = [], 0
        while expression[position:].strip():
            match = _TOKEN.match(expression, position)
            assert match is not None, f"not GBNF: {expression[position : position + 40]!r}"
            assert match.lastgroup is not None
            tokens.append((match.lastgroup, match[match.lastgroup]))
            position = match.end()
        return tokens[::-1]

    def _alternatives(self, tokens: list[tuple[str, str]]) -> Derive:
        choices = [self._sequence(tokens)]
        while tokens and tokens[-1] == ("sign", "|"):
            tokens.pop()
            choices.append(self._sequence(tokens))
        return lambda draw: draw.choice(choices)(draw)

    def _sequence(self, tokens: list[tuple[str, str]]) -> Derive:
        parts: list[Derive] = []
        while tokens and tokens[-1][1] not in ("|", ")"):
            parts.append(self._repeated(self._item(tokens), tokens))
        assert parts, "an empty alternative"
        return lambda draw: "".join(part(draw) for part in parts)

    def _item(self, tokens: list[tuple[str, str]]) -> Derive:
        kind, value = tokens.pop()
        if kind == "text":
            text = unescape(value[1:-1])
            return lambda draw: text
        if kind == "chars":
            letters = "控制器读取湿度并发送消息" if "一" in value else "etaoinshrdlu"
            return lambda draw: draw.choice(letters)
        if kind == "name":
            return lambda draw: self._rules[value](draw)
        assert value == "(", f"unexpected {value}"
        inside = self._alternatives(tokens)
        assert tokens.pop() == ("sign", ")")
        return inside

    @staticmethod
    def _repeated(item: Derive, tokens: list[tuple[str, str]]) -> Derive:
        if not tokens or tokens[-1][0] not in ("times", "sign") or tokens[-1][1] in ("(", ")", "|"):
            return item
        low, _, high = tokens.pop()[1].strip("{}").replace("?", "0,1").partition(",")
        least, most = int(low), int(high or low)
        return lambda draw: "".join(item(draw) for _ in range(draw.randint(least, most)))
