"""Reads a dialogue set as a Markdown table."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from .edges import tidy_text
from .labels import SPEAKING, Label, LabelReader
from .model import Span
from .plain import read_lead
from .utterance import Reading, Utterance
from .vocabulary import fold_label

_SEPARATOR = re.compile(r"\s*\|?(?:\s*:?-{1,}:?\s*\|)*\s*:?-{1,}:?\s*\|?\s*")
_CELL_END = re.compile(r"(?<!\\)\|")
_Table = tuple[int, list[str], list[list[str]], list[Span]]
"""Where the table begins, its head, its rows, and where each row stands."""

_TEXT_HEADS = frozenset("text utterance content message line dialogue 内容 文本 发言".split())
_SPEAKER_HEADS = frozenset(
    "speaker role name who from 说话人 角色 发言人 說話者 话者 話者 화자 "
    "говорящий sprecher locuteur hablante".split()
)
_MOST_COLUMNS = 8


def read_table(text: str, reader: LabelReader) -> Reading | None:
    """The rows of the first table as utterances, or None when no table carries the dialogue.

    A table has a speaker column and a text column, or one column a speaker. Its cells are parted
    by "|" (with or without the rule under the head), or by commas under a head that names them.
    Loose text before it may hold the summary.
    """
    table = _piped(text) if "|" in text else _commas(text) if "," in text else None
    if table is None:
        return None
    start, head, rows, places = table
    speakers = _speaker_column(head, rows, reader)
    if speakers is None:
        made = _by_column(head, rows, places, reader)
    else:
        own = reader.read(head[speakers]) if speakers < len(head) else None
        if (
            own is not None
            and (own.summary or own.kind in SPEAKING)
            and not _is_speaker_head(head[speakers])
        ):
            rows, places = [head, *rows], [(start, start), *places]
        made = _by_speaker(head, rows, places, speakers, reader)
    if len(made) < 2:
        return None
    return Reading((*read_lead(text, start, reader), *made), place=(start, len(text)))


def _piped(text: str) -> _Table | None:
    """The first run of lines that are rows: under a rule, or three that begin and end with "|"."""
    rows: list[list[str]] = []
    places: list[Span] = []
    ruled = False
    position = 0
    for line in text.split("\n"):
        place = (position, position + len(line))
        position += len(line) + 1
        if "|" not in line:
            if rows and (ruled or len(rows) > 2):
                break
            rows, places, ruled = [], [], False
        elif _SEPARATOR.fullmatch(line) and "-" in line:
            if len(rows) > 1 and not ruled:
                # what stood above the head is no part of the table
                rows, places = rows[-1:], places[-1:]
            ruled = bool(rows)
        else:
            bare = line.strip()
            if not ruled and not (bare.startswith("|") and bare.endswith("|")) and rows:
                rows, places = [], []
            rows.append(_cells(line))
            places.append(place)
    if len(rows) < 2 or not (ruled or (len(rows) > 2 and all(len(row) > 1 for row in rows))):
        return None
    return places[0][0], rows[0], rows[1:], places[1:]


def _commas(text: str) -> _Table | None:
    """Comma-separated values under a head with a speaker and a text column."""
    first = text[: text.find("\n", len(text) - len(text.lstrip()))].lstrip()
    if "," not in first:
        return None
    titles = [fold_label(title.strip("\"' ")) for title in first.split(",")]
    if len(titles) < 2 or _SPEAKER_HEADS.isdisjoint(titles) or _TEXT_HEADS.isdisjoint(titles):
        return None
    try:
        rows = [row for row in csv.reader(text.strip().split("\n")) if row]
    except csv.Error:
        return None
    start = len(text) - len(text.lstrip())
    return start, rows[0], rows[1:], [(start, len(text))] * (len(rows) - 1)


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(bare, _MOST_COLUMNS)]


def _speaker_column(
    head: Sequence[str], rows: Sequence[Sequence[str]], reader: LabelReader
) -> int | None:
    for column, title in enumerate(head):
        if _is_speaker_head(title):
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


def _is_speaker_head(title: str) -> bool:
    return fold_label(title.strip("*_ ")) in _SPEAKER_HEADS


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
        if at < len(row)
        and not (not row[at] and row is rows[0])
        and not (labels[at].summary and not row[at])  # type: ignore[union-attr]
    ]
