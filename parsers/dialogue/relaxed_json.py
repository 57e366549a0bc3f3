"""Reads JSON as models write it: also trailing commas, single quotes, tuples, Python constants.

The standard parser is tried first. The relaxed one never recurses, so depth is no trap, and goes
over the text once.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

Pairs = tuple[tuple[str, Any], ...]
"""An object: its members in order, repeated keys and all."""

DEEPEST = 40
"""Values nested deeper than this are no dialogue."""


MOST_TOKENS = 200_000
"""A value of more tokens than this is given up."""


class Members(tuple[tuple[str, Any], ...]):
    """The members of a JSON object in order. A tuple of its own, to be told from a list."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value and where it ends; `cut` when the text stopped before it did, `bad` when it is "
    "no value."""

    value: Any
    end: int
    cut: bool = False
    bad: bool = False


def _members(pairs: list[tuple[str, Any]]) -> Members:
    return Members(pairs)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=str,
    parse_float=str,
    parse_constant=str,
    strict=False,
)
_TOKEN = re.compile(
    r"[ \t\r\n\u00a0\u3000\ufeff]*+(?:(?P<open>[\[{(])|(?P<close>[\]})])|(?P<comma>[,，])|"
    r"(?P<colon>[:：])"
    r'|(?P<quoted>[rbuf]?"""|[rbuf]?\'\'\'|[rbuf]?["\'])|(?P<curly>[“])'
    r"|(?P<word>[^\W\d]\w{0,60}|-?\d[\d.eE+-]{0,40})|(?P<comment>//[^\n]*+|\#[^\n]*+|/\*)|"
    r"(?P<end>\Z))"
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_CONSTANTS = {"null": None, "none": None, "nil": None, "undefined": None}
_CLOSE = {"[": "]", "{": "}", "(": ")"}


def read_value(text: str, start: int) -> Parsed:
    """The value that begins at `start`, strictly or relaxed. Never raises."""
    try:
        value, end = _DECODER.raw_decode(text, start)
        return Parsed(value, end)
    except (ValueError, RecursionError):
        return _relaxed(text, start)


def _relaxed(text: str, start: int) -> Parsed:
    # every open container is a list of the things read so far; a key waits in `keys`
    stack: list[tuple[str, list[Any]]] = []
    position = start
    pending: Any = _NOTHING
    for _ in range(MOST_TOKENS):
        token = _TOKEN.match(text, position)
        if token is None:
            return Parsed(_close_all(stack, pending), position, bad=True)
        position = token.end()
        if token["comment"] is not None:
            if token["comment"] == "/*":
                stop = text.find("*/", position)
                if stop < 0:
                    return Parsed(_close_all(stack, pending), position, cut=True)
                position = stop + 2
            continue
        if token["end"] is not None:
            return Parsed(_close_all(stack, pending), position, cut=True)
        if token["open"]:
            if pending is not _NOTHING or len(stack) >= DEEPEST:
                return Parsed(_close_all(stack, pending), position, bad=True)
            stack.append((token["open"], []))
        elif token["close"]:
            if not stack or _CLOSE[stack[-1][0]] != token["close"]:
                return Parsed(_close_all(stack, pending), position, bad=True)
            opener, items = stack.pop()
            if pending is not _NOTHING:
                items.append(pending)
            pending = _finished(opener, items)
            if pending is _NOTHING:
                return Parsed(_close_all(stack, pending), position, bad=True)
            if not stack:
                return Parsed(pending, position)
        elif token["comma"]:
            if stack and pending is not _NOTHING:
                stack[-1][1].append(pending)
                pending = _NOTHING
            elif not stack:
                return Parsed(pending, position, bad=True)
        elif token["colon"]:
            if not stack or stack[-1][0] != "{" or not isinstance(pending, str):
                return Parsed(_close_all(stack, pending), position, bad=True)
            stack[-1][1].append(_Key(pending))
            pending = _NOTHING
        else:
            if token["word"]:
                word = token["word"]
                value: Any = _CONSTANTS.get(word.lower(), word)
            else:
                read = _string(text, position, token["quoted"] or token["curly"])
                if read is None:
                    return Parsed(_close_all(stack, _NOTHING), len(text), cut=True)
                value, position = read
                if isinstance(pending, str) and token["quoted"]:
                    # Python joins strings that stand side by side
                    value, pending = pending + value, _NOTHING
            if pending is not _NOTHING or not stack:
                return Parsed(_close_all(stack, pending), position, bad=True)
            pending = value
    return Parsed(None, position, bad=True)


class _Nothing:
    __slots__ = ()


_NOTHING = _Nothing()


class _Key(str):
    __slots__ = ()


def _finished(opener: str, items: list[Any]) -> Any:
    if opener != "{":
        return _NOTHING if any(isinstance(item, _Key) for item in items) else list(items)
    members: list[tuple[str, Any]] = []
    at = 0
    while at < len(items):
        key = items[at]
        if not isinstance(key, _Key) or at + 1 >= len(items) or isinstance(items[at + 1], _Key):
            return _NOTHING
        members.append((str(key), items[at + 1]))
        at += 2
    return Members(members)


def _close_all(stack: list[tuple[str, list[Any]]], pending: Any) -> Any:
    """What was read of containers that never closed, for inspection."""
    value = pending
    while stack:
        opener, items = stack.pop()
        if value is not _NOTHING:
            items.append(value)
        if items and isinstance(items[-1], _Key):
            items.pop()
        value = _finished(opener, items)
    return None if value is _NOTHING else value


def _string(text: str, start: int, quote: str) -> tuple[str, int] | None:
    """The string after its opening quote, or None when it never closes."""
    raw = quote[0] in "rR"
    mark = quote.lstrip("rbufRBUF")
    closer = "”" if mark == "“" else mark
    position = start
    while True:
        stop = text.find(closer, position)
        if stop < 0:
            return None
        slashes = 0
        while stop - slashes - 1 >= start and text[stop - slashes - 1] == "\\":
            slashes += 1
        if slashes % 2 == 0:
            content = text[start:stop]
            return (
                content if raw or "\\" not in content else _ESCAPE.sub(_unescape, content)
            ), stop + len(closer)
        position = stop + 1


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] in "ux" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _SIMPLE.get(code, code)
