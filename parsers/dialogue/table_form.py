"""Reads a dialogue set as a Markdown table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .edges import tidy_text
from .labels import SPEAKING, Label, LabelReader
from .plain import read_lead
from .vocabulary import fold_label
from .utterance import Reading, Utterance

_SEPARATOR = re.compile(r"\s*\|?(?:\s*:?-{1,}:?\s*\|)*\s*:?-{1,}:?\s*\|?\s*")
_CELL_END = re.compile(r"(?<!\\)\|")
_SPEAKER_HEADS = frozenset(
    "speaker role name who from 说话人 角色 发言人 說話者 话者 話者 화자 говорящий sprecher locuteur hablante".split()
)
_MOST_COLUMNS = 8


def read_table(text: str, reader: LabelReader) -> Reading | None:
    """The rows of the first table as utterances, or None when no table carries the dialogue.

    A table has a speaker column and a text column, or one column a speaker. Loose text before it
    may hold the summary.
    """
    if "|" not in text or "--" not in text:
        return None
    lines = text.split("\n")
    separator = next(
        (
            at
            for at, line in enumerate(lines)
            if "--" in line and "|" in line and at and _SEPARATOR.fullmatch(line)
        ),
        None,
    )
    if separator is None or "|" not in lines[separator - 1]:
        return None
    head = _cells(lines[separator - 1])
    rows: list[list[str]] = []
    position = sum(len(line) + 1 for line in lines[: separator + 1])
    places: list[tuple[int, int]] = []
    for line in lines[separator + 1 :]:
        if "|" not in line:
            break
        if not _SEPARATOR.fullmatch(line):
            rows.append(_cells(line))
            places.append((position, position + len(line)))
        position += len(line) + 1
    before = "\n".join(lines[: separator - 1])
    speakers = _speaker_column(head, rows, reader)
    made = (
        _by_speaker(head, rows, places, speakers, reader)
        if speakers is not None
        else _by_column(head, rows, places, reader)
    )
    if len(made) < 2:
        return None
    lead = read_lead(before, len(before), reader)
    return Reading((*lead, *made))


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(bare, _MOST_COLUMNS)]


def _speaker_column(
    head: Sequence[str], rows: Sequence[Sequence[str]], reader: LabelReader
) -> int | None:
    for column, title in enumerate(head):
        if fold_label(title.strip("*_ ")) in _SPEAKER_HEADS:
            return column
    for column in range(len(head)):
        labels = [reader.read(row[column]) for row in rows if column < len(row)]
        known = [one for one in labels if one is not None and (one.kind in SPEAKING or one.summary)]
        if (
            labels
            and len(known) == len(labels)
            and len({one.base for one in known}) < len(known)
            and len(known) > 2
        ):
            return column
    return None


def _by_speaker(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    places: Sequence[tuple[int, int]],
    column: int,
    reader: LabelReader,
) -> list[Utterance]:
    widths = [0] * (len(head) + _MOST_COLUMNS + 1)
    for row in rows:
        for at, cell in enumerate(row):
            if at != column:
                widths[at] += len(cell)
    said = max(range(len(widths)), key=lambda at: widths[at])
    made: list[Utterance] = []
    for row, place in zip(rows, places, strict=True):
        if column >= len(row):
            continue
        label = reader.read(row[column]) or (
            Label(fold_label(row[column]), "name") if row[column] else None
        )
        if label is not None:
            made.append(
                Utterance(label, tidy_text(row[said]) if said < len(row) else "", None, place)
            )
    return made


def _by_column(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    places: Sequence[tuple[int, int]],
    reader: LabelReader,
) -> list[Utterance]:
    labels = [reader.read(title) for title in head]
    columns = [
        at
        for at, label in enumerate(labels)
        if label is not None
        and (label.kind in SPEAKING or label.summary)
        and not (label.kind == "name" and label.faint)
    ]
    if len(columns) < 2 or all(labels[at].kind == "name" for at in columns):  # type: ignore[union-attr]
        return []
    return [
        Utterance(labels[at], tidy_text(row[at]), None, place)
        for row, place in zip(rows, places, strict=True)
        for at in columns
        if at < len(row) and not (labels[at].summary and not row[at])  # type: ignore[union-attr]
    ]
