"""From input paths to a collection: reading, cutting, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from generator.collection.index import Collection
from generator.inputs import read_inputs
from generator.recipes.model import Skipped, StillReading
from parsers.documents import DocumentSkip, TitledDocument, passages, read_documents
from parsers.papers import Unread
from parsers.segments import SegmentRule
from parsers.text.tokens import tokens

__all__ = ["PassageRule", "collect"]

_SAY_EVERY = 200


@dataclass(frozen=True, slots=True)
class PassageRule:
    """How documents are cut: `passage_tokens` at most; texts below `min_tokens` are passed over.

    `segments` is the rule for papers, whose segments are their documents.
    """

    passage_tokens: int
    min_tokens: int
    segments: SegmentRule


def collect(
    inputs: Sequence[str], rule: PassageRule, collection: Collection
) -> Iterator[Skipped | StillReading]:
    """Read all inputs into the collection; gives what is left out, and a sign of life at times.

    Raises `WrongUse` when an input does not exist, before anything is read.
    """

    def read(stream: BinaryIO, name: str) -> Iterator[TitledDocument | DocumentSkip]:
        return read_documents(stream, name=name, rule=rule.segments)

    for met, (found, source) in enumerate(read_inputs(inputs, read), start=1):
        if met % _SAY_EVERY == 0:
            yield StillReading(len(collection))
        if isinstance(found, Unread):
            yield Skipped(source, found.line, None, found.code, found.detail)
        elif isinstance(found, DocumentSkip):
            yield Skipped(source, found.line, found.id, found.code, found.detail)
        else:
            yield from _take(found, source, rule, collection)


def _take(
    found: TitledDocument, source: str, rule: PassageRule, collection: Collection
) -> Iterator[Skipped]:
    parts = passages(found.text, rule.passage_tokens)
    for number, part in enumerate(parts, start=1):
        named = f"“{found.title[:80]}”" + (f", passage {number}" if len(parts) > 1 else "")
        size = len(tokens(part))
        if size < rule.min_tokens:
            detail = f"{named} has {size} tokens, at least {rule.min_tokens} are needed"
            yield Skipped(source, found.line, None, "short_document", detail)
            continue
        origin = found.origin
        if not origin and len(parts) > 1:
            origin = f"{source}:{found.line or 0}:{found.title}"
        stored = collection.add(found.title, part, origin=origin, source=source, line=found.line)
        if stored is None:
            first = collection.first_with_text_of(part)
            place = first.source if first.line is None else f"{first.source}:{first.line}"
            detail = f"{named} has the text of “{first.title[:80]}” ({place})"
            yield Skipped(source, found.line, first.id, "duplicate_document", detail)
