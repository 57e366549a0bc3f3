"""A small language for record shapes: exact keys, exact order, plain types, clear messages.

Written out rather than taken from a schema library because two things matter
here that those leave out: the order of keys, and one sentence a reader can act on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Finding:
    """One departure from a shape. `where` is a path such as `turns[3].speaker` ("" is the record).

    `only_order` says that nothing is wrong but the order of keys, which JSON readers do not see.
    """

    where: str
    message: str
    only_order: bool = False


class Kind(Protocol):
    """What a value must be."""

    def check(self, value: Any, where: str) -> Iterator[Finding]:
        """Every departure of `value`, which stands at `where`."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string. `one_of` names the only values, `filled` forbids blanks.

    `nullable` allows null, `unknown` also NaN, as which tables write a missing text.
    """

    nullable: bool = False
    one_of: tuple[str, ...] = ()
    filled: bool = False
    unknown: bool = False

    def check(self, value: Any, where: str) -> Iterator[Finding]:
        if not isinstance(value, str):
            allowed = value is None and (self.nullable or self.unknown)
            if not allowed and not (self.unknown and value != value):
                wanted = "a string or null" if self.nullable else "a string"
                yield Finding(where, f"expected {wanted}, found {describe(value)}")
            return
        if self.one_of and value not in self.one_of:
            wanted = " or ".join(f'"{choice}"' for choice in self.one_of)
            yield Finding(where, f"expected {wanted}, found {describe(value)}")
        elif self.filled and not value.strip():
            yield Finding(where, "expected a text, found an empty string")
        if not value.isascii() and _LONE_SURROGATE.search(value) is not None:
            yield Finding(where, "holds a lone surrogate, which UTF-8 cannot write")


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    def check(self, value: Any, where: str) -> Iterator[Finding]:
        if not isinstance(value, bool):
            yield Finding(where, f"expected true or false, found {describe(value)}")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number that fits 64 bits."""

    def check(self, value: Any, where: str) -> Iterator[Finding]:
        if isinstance(value, bool) or not isinstance(value, int):
            yield Finding(where, f"expected a whole number, found {describe(value)}")
        elif not -(2**63) <= value < 2**63:
            yield Finding(where, "expected a whole number of at most 64 bits")


@dataclass(frozen=True, slots=True)
class Items:
    """A list of one kind, `at_least` to `at_most` long."""

    kind: Kind
    at_least: int = 0
    at_most: int | None = None

    def check(self, value: Any, where: str) -> Iterator[Finding]:
        if not isinstance(value, list):
            yield Finding(where, f"expected a list, found {describe(value)}")
            return
        if len(value) < self.at_least:
            yield Finding(where, f"expected at least {self.at_least} entries, found {len(value)}")
        if self.at_most is not None and len(value) > self.at_most:
            yield Finding(where, f"expected at most {self.at_most} entries, found {len(value)}")
        for i, entry in enumerate(value):
            yield from self.kind.check(entry, f"{where}[{i}]")


@dataclass(frozen=True, slots=True)
class Record:
    """An object with exactly these keys in this order.

    `tolerated` keys were seen in published or working files; they are passed over.
    """

    fields: tuple[tuple[str, Kind], ...]
    tolerated: tuple[str, ...] = ()

    def check(self, value: Any, where: str) -> Iterator[Finding]:
        if not isinstance(value, dict):
            yield Finding(where, f"expected an object, found {describe(value)}")
            return
        names = [name for name, _ in self.fields]
        found = [name for name in value if name not in self.tolerated]
        if found != names:
            yield from self._keys(found, names, where)
        for name, kind in self.fields:
            if name in value:
                yield from kind.check(value[name], join(where, name))

    def _keys(self, found: list[str], names: list[str], where: str) -> Iterator[Finding]:
        for name in names:
            if name not in found:
                yield Finding(join(where, name), "the key is missing")
        for name in found:
            if name not in names:
                yield Finding(join(where, name), "the shape has no such key")
        shared = [name for name in found if name in names]
        wanted = [name for name in names if name in found]
        if shared != wanted:
            message = (
                f"the keys stand in the order {', '.join(shared)}; expected {', '.join(wanted)}"
            )
            yield Finding(where, message, only_order=True)


def join(where: str, name: str) -> str:
    """The path of a key inside what stands at `where`."""
    return f"{where}.{name}" if where else name


def describe(value: Any) -> str:
    """A value as a message shows it: short, and in JSON's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value != value:
        return "NaN, which is not JSON"
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:40] + "…"
        return f'"{_LONE_SURROGATE.sub(chr(0xFFFD), shown)}"'
    if isinstance(value, Sequence):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    return f"the number {value}"
