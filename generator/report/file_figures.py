"""Figures of any file of records: a published corpus, or what another program wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import WrongUse
from generator.report.record_lengths import Distribution, RecordLengths
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


def measure_file(path: Path, shape: str) -> FileFigures:
    """Read a file of records (JSON Lines, a JSON array or one object) one at a time.

    Raises `WrongUse` where it cannot be read, or the shape is not known.
    """
    if shape not in SHAPES:
        raise WrongUse(f"there is no shape {shape!r}; there are: {', '.join(SHAPES)}")
    check, lengths = SHAPES[shape], RecordLengths(shape)
    left_out = 0
    faults: list[Problem] = []
    try:
        for found in read_values(path):
            problem = _problem(found, check)
            if problem is None and isinstance(found, Value):
                lengths.add(found.value)
                continue
            left_out += 1
            if problem is not None and len(faults) < _FAULTS_KEPT:
                faults.append(problem)
    except OSError as error:
        raise WrongUse(f"{path}: cannot be read ({error.strerror})") from None
    return FileFigures(
        path, shape, lengths.records, left_out, tuple(faults), lengths.distributions()
    )


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
