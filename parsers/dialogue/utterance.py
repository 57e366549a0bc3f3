"""What every reader of a form hands on: utterances, as they were written, before any roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .labels import Label
from .model import Span


class Utterance(NamedTuple):
    """One stretch of text under one label (None: it has none).

    `span` is where the text stands in the text that was read, None when it is decoded or
    joined; `at` is where label and text stand together, the place to point at, or None.
    """

    label: Label | None
    text: str
    span: Span | None = None
    at: Span | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of the text: utterances in order, or the fault that stopped it.

    `fault` is a code of `PARSER_CODES` with a detail and a place; utterances read before it are
    kept for inspection. `doubtful_end` tells that the text stops where it should not (an open
    tag, an open string, half a label). `exact` utterances are taken verbatim.
    """

    utterances: tuple[Utterance, ...]
    fault: str | None = None
    detail: str = ""
    place: Span | None = None
    doubtful_end: bool = False
    exact: bool = False
