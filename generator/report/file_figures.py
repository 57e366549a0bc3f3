"""Figures of any file of records: a published corpus, or what another program wrote."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import WrongUse
from generator.report.record_lengths import Distribution, RecordLengths
from generator.report.shape_table import ShapeTable, shape_table
from generator.shapes import SHAPES, Problem
from generator.shapes.reading import Unreadable, Value, read_values
from generator.shapes.schema import Finding

_FAULTS_KEPT = 5


@dataclass(frozen=True, slots=True)
class FileFigures:
    """The records of a file in figures.

    `left_out` records do not have the shape and are in no figure; `faults` names what is wrong
    with the first five of them.
    """

    path: Path
    shape: str
    records: int
    left_out: int
    faults: tuple[Problem, ...]
    lengths: tuple[Distribution, ...]
    shape_figures: ShapeTable | None


def measure_file(path: Path, shape: str) -> FileFigures:
    """Read a file of records (JSON Lines, a JSON array or one object) one at a time.

    Raises `WrongUse` where it cannot be read, or the shape is not known.
    """
    if shape not in SHAPES:
        raise WrongUse(f"there is no shape {shape!r}; there are: {', '.join(SHAPES)}")
    reading = _Reading(path, shape)
    try:
        table = shape_table(shape, reading)
        # Where there is no such table, nothing was read yet.
        deque(reading, maxlen=0)
    except OSError as error:
        raise WrongUse(f"{path}: cannot be read ({error.strerror})") from None
    return FileFigures(
        path,
        shape,
        reading.lengths.records,
        reading.left_out,
        tuple(reading.faults),
        reading.lengths.distributions(),
        table,
    )


class _Reading(Iterator[Mapping[str, Any]]):
    """The records of a file that have the shape, counted as they go by."""

    def __init__(self, path: Path, shape: str) -> None:
        self._values = read_values(path)
        self._check = SHAPES[shape]
        self.lengths = RecordLengths(shape)
        self.left_out = 0
        self.faults: list[Problem] = []

    def __next__(self) -> Mapping[str, Any]:
        for found in self._values:
            problem = _problem(found, self._check)
            if problem is None and isinstance(found, Value):
                record: Mapping[str, Any] = found.value
                self.lengths.add(record)
                return record
            self.left_out += 1
            if problem is not None and len(self.faults) < _FAULTS_KEPT:
                self.faults.append(problem)
        raise StopIteration


def _problem(
    found: Value | Unreadable, check: Callable[[Any], Iterator[Finding]]
) -> Problem | None:
    """The first thing that is wrong with a record; the order of its keys is none."""
    if isinstance(found, Unreadable):
        return Problem(found.line, "record", found.message)
    for finding in check(found.value):
        if not finding.only_order:
            return Problem(found.line, finding.where or "record", finding.message)
    return None
