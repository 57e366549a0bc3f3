"""Changing a few lines of a large line file: the rest is copied as bytes, nothing is parsed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class LineEdit:
    """At line `number` (from 0, of the file as it was): take the line out, put `text` in, or both.

    `text` comes without its line end. Several edits at one place stand in the order given.
    """

    number: int
    remove: bool = False
    text: str | None = None


def copy_edited(source: Path, target: IO[bytes], edits: Sequence[LineEdit]) -> None:
    """Write `source` to `target` with the edits made; they are sorted by `number`.

    Raises `ValueError` when the file has fewer lines than the edits name.
    """
    with source.open("rb") as file:
        lines = _Lines(file, target)
        for edit in edits:
            lines.copy_to(edit.number)
            if edit.remove:
                lines.skip_one()
            if edit.text is not None:
                target.write(edit.text.encode("utf-8", "replace") + b"\n")
        lines.copy_rest()


class _Lines:
    """A position in a line file, moved forward line by line or in whole chunks."""

    def __init__(self, file: IO[bytes], target: IO[bytes]) -> None:
        self._file = file
        self._target = target
        self._number = 0
        self._chunk = b""

    def copy_to(self, number: int) -> None:
        while self._number < number:
            self._fill()
            found = self._chunk.count(b"\n")
            if found < number - self._number:
                self._target.write(self._chunk)
                self._number += found
                self._chunk = b""
            else:
                end = 0
                for _ in range(number - self._number):
                    end = self._chunk.index(b"\n", end) + 1
                self._target.write(self._chunk[:end])
                self._chunk = self._chunk[end:]
                self._number = number

    def skip_one(self) -> None:
        while True:
            self._fill()
            end = self._chunk.find(b"\n")
            if end >= 0:
                self._chunk = self._chunk[end + 1 :]
                self._number += 1
                return
            self._chunk = b""

    def copy_rest(self) -> None:
        self._target.write(self._chunk)
        while chunk := self._file.read(_CHUNK):
            self._target.write(chunk)

    def _fill(self) -> None:
        if not self._chunk:
            self._chunk = self._file.read(_CHUNK)
            if not self._chunk:
                raise ValueError("the file has fewer lines than expected")
