"""A JSON object that stays text until somebody looks into it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


class JsonText(Mapping[str, Any]):
    """The object that `text` is: compact UTF-8 JSON, as the store keeps it.

    Most of what a store holds is only passed on. Decoding it to encode it again
    would be most of the work of writing the files of a run.
    """

    __slots__ = ("_value", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._value: dict[str, Any] | None = None

    def opened(self) -> dict[str, Any]:
        """The object, decoded once."""
        if self._value is None:
            self._value = json.loads(self.text.decode())
        return self._value

    def __getitem__(self, name: str) -> Any:
        return self.opened()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.opened())

    def __len__(self) -> int:
        return len(self.opened())

    def get(self, name: str, default: Any = None) -> Any:
        """As of any mapping; a text without the name in it needs no decoding."""
        if self._value is None and _quoted(name) not in self.text:
            return default
        return self.opened().get(name, default)


def _quoted(name: str) -> bytes:
    """A name as it stands in compact JSON; what UTF-8 cannot hold stands in none."""
    return json.dumps(name, ensure_ascii=False).encode("utf-8", "replace")
