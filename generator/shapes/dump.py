"""One record as one line of JSON."""

from __future__ import annotations

import json
from typing import Any

import orjson

from generator.json_text import JsonText


def dump_record(record: Any) -> str:
    """A record as compact-enough JSON in one line, without the line end.

    Characters are written as themselves, NaN is never written, and what UTF-8
    cannot hold is replaced: surrogate pairs are joined, lone surrogates become
    U+FFFD. Spacing is that of `jsonlines`. U+2028 and U+2029 stay as they are:
    they are valid in JSON, and only "\\n" ends a line.

    Raises `ValueError` for NaN or infinity, `TypeError` for what JSON has no form of.
    """
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=_opened)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def dump_line(record: Any) -> bytes:
    """The line of `dump_record` in UTF-8, with its end, for what came out of a store.

    The same bytes in a fraction of the time, since a `JsonText` is not decoded. The record
    must hold no NaN (a store never does): here it would be written as null.
    """
    try:
        compact = orjson.dumps(record, default=_passed_on)
    except orjson.JSONEncodeError:
        # Lone surrogates, integers beyond 64 bits, keys that are no text.
        line = None
    else:
        line = spaced(compact)
    return (dump_record(record).encode() if line is None else line) + b"\n"


def spaced(compact: bytes) -> bytes | None:
    """Compact JSON with a space behind each comma and colon; None where that is not all
    that tells it from what `dump_record` would write.

    No control character stands in JSON as itself, so that they can stand for other things here.
    """
    escapes = b'\\"' in compact
    if escapes:
        compact = compact.replace(b"\\\\", b"\1").replace(b'\\"', b"\2")
    parts = compact.split(b'"')
    outside = b"\0".join(parts[::2])
    if _is_written_otherwise(outside):
        return None
    parts[::2] = outside.replace(b",", b", ").replace(b":", b": ").split(b"\0")
    line = b'"'.join(parts)
    return line.replace(b"\2", b'\\"').replace(b"\1", b"\\\\") if escapes else line


def _is_written_otherwise(outside: bytes) -> bool:
    """Whether the text outside of strings may hold a float that Python writes in another way.

    It uses an exponent below 1e-4 and from 1e16 on, and spells it with two digits or a sign;
    between them all write the fewest digits that give the number again. Text that is not
    compact is written otherwise too.
    """
    words = outside.count(b"true") + outside.count(b"false")
    return (
        outside.count(b"e") != words or b"0.0000" in outside or b"E" in outside
        or b" " in outside or b"\n" in outside
    )  # fmt: skip


def _passed_on(value: Any) -> orjson.Fragment:
    if isinstance(value, JsonText):
        return orjson.Fragment(value.text)
    raise TypeError(f"JSON has no form of {type(value).__name__}")


def _opened(value: Any) -> dict[str, Any]:
    if isinstance(value, JsonText):
        return value.opened()
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
