"""Readers of papers: many formats in, `Paper` out, told apart by content alone.

    with open("papers.jsonl", "rb") as stream:
        for one in read_papers(stream):
            ...  # a Paper, or an Unread that says what was wrong and where

Every reader is pure: bytes in, values out. Files and folders are walked by
`generator.inputs`.
"""

from __future__ import annotations

from .codes import READ_CODES
from .model import Paper, Section, SectionType, Unread
from .reading import FORMATS, LocatedPaper, read_located_papers, read_papers
from .section_types import Heading, carry_forward, classify_heading

__all__ = [
    "FORMATS",
    "READ_CODES",
    "Heading",
    "LocatedPaper",
    "Paper",
    "Section",
    "SectionType",
    "Unread",
    "carry_forward",
    "classify_heading",
    "read_located_papers",
    "read_papers",
]
