"""What every paper reader gives: papers, and the records that were none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SectionType = Literal[
    "abstract",
    "introduction",
    "background",
    "methodology",
    "experiments",
    "results",
    "acknowledgement",
]


@dataclass(frozen=True, slots=True)
class Section:
    """One section, in reading order. `id` is `<paper_id>_<n>`, n from 0 and with gaps allowed."""

    id: str
    title: str
    text: str
    section_type: SectionType


@dataclass(frozen=True, slots=True)
class Paper:
    """A parsed document. `format` names the reader that understood it."""

    paper_id: str
    title: str
    sections: tuple[Section, ...]
    format: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that gave no paper: why, and where (`line` is 1-based, None for a whole file)."""

    code: str
    detail: str
    line: int | None = None
