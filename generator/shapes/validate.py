"""Checking a whole file against a shape, record by record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from generator.shapes.averitec import check_averitec
from generator.shapes.paperpersichat import check_paperpersichat
from generator.shapes.reading import Unreadable, read_values
from generator.shapes.schema import Finding
from generator.shapes.truthreader import check_truthreader

SHAPES: Mapping[str, Callable[[Any], Iterator[Finding]]] = MappingProxyType(
    {
        "paperpersichat": check_paperpersichat,
        "truthreader": check_truthreader,
        "averitec": check_averitec,
    }
)
"""The check of each shape, by name."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong: the 1-based line the record starts on, the path in it, and one sentence.

    `where` is a path such as `parsed_dialogue.turns[3].speaker`, "record" for the whole record
    and "file" for the file.
    """

    line: int
    where: str
    message: str


def validate_file(source: Path | BinaryIO, shape: str, *, strict: bool = True) -> Iterator[Problem]:
    """Every problem of a file of records: JSON Lines, a JSON array, or one object.

    What published files have beside the shape is passed over: a title that is
    null or NaN, `correct_order` and `used_summary`. Without `strict`, so is
    another order of keys.

    Raises `KeyError` for an unknown shape, `OSError` when the file cannot be read.
    """
    check = SHAPES[shape]
    met = False
    for found in read_values(source):
        met = True
        if isinstance(found, Unreadable):
            yield Problem(found.line, "record", found.message)
            continue
        for name in found.repeated:
            yield Problem(found.line, "record", f'the key "{name}" stands twice in one object')
        for finding in check(found.value):
            if strict or not finding.only_order:
                yield Problem(found.line, finding.where or "record", finding.message)
    if not met:
        yield Problem(1, "file", "holds no record")
