"""The source beside the dialogue: its sentences, and which of them a text rests on. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from generator.inspector.traits import shown_documents, source_text
from generator.inspector.visible import visible
from parsers.citations import cited_spans
from parsers.sentences import sentence_spans
from parsers.text.content import content_units

_MARKER = re.compile(r"\[(\d{1,3})\]")
_LEAST_SHARE = 0.34
"""Share of a turn's content words that a sentence must hold to count as what it rests on."""

_LONGEST = 60_000
"""Characters of a source that are cut into sentences; the rest is shown as it is."""

_MOST_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of a source with its number on the page; `units` are its content words."""

    number: int
    markup: Markup
    units: frozenset[str]


@dataclass(frozen=True, slots=True)
class SourcePart:
    """A document, or the segment: its number from 1, a title, and its sentences."""

    number: int
    title: str
    sentences: tuple[Sentence, ...]


def source_parts(payload: Mapping[str, Any]) -> tuple[SourcePart, ...]:
    """What the dialogue was to be about, of an item of any recipe."""
    texts: list[tuple[str, str]] = []
    if text := source_text(payload):
        texts.append((_section_titles(payload), text))
    for document in shown_documents(payload):
        body = document.get("document") or document.get("text")
        if isinstance(body, str):
            title = document.get("title")
            texts.append((title if isinstance(title, str) else "", body))
    parts, number = [], 0
    for place, (title, text) in enumerate(texts, start=1):
        sentences = _sentences(text, number)
        number += len(sentences)
        parts.append(SourcePart(place, title, sentences))
    return tuple(parts)


def _section_titles(payload: Mapping[str, Any]) -> str:
    sections = payload.get("sections")
    if not isinstance(sections, list):
        return ""
    titles = (s.get("title") for s in sections if isinstance(s, dict))
    return " · ".join(title for title in titles if isinstance(title, str) and title)


def _sentences(text: str, first: int) -> tuple[Sentence, ...]:
    pieces: list[str] = []
    end = 0
    for start, stop in sentence_spans(text[:_LONGEST]):
        if pieces and start > end:
            # What stands between two sentences (spaces, line ends) stays with the one before.
            pieces[-1] += text[end:start]
        pieces.append(text[start:stop])
        end = stop
    if end < len(text):
        pieces.append(text[end:])
    return tuple(
        Sentence(first + n, visible(piece), content_units(piece[:2000]))
        for n, piece in enumerate(pieces)
    )


def rests_on(
    text: str, parts: Sequence[SourcePart], cited: Collection[int] = ()
) -> tuple[int, ...]:
    """The numbers of the sentences a text rests on, best match first; of `cited` documents only,
    where it cites any."""
    units = content_units(text[:4000])
    if not units:
        return ()
    wanted = [part for part in parts if part.number in cited] or list(parts)
    shares = [
        (len(units & sentence.units) / len(units), sentence.number)
        for part in wanted
        for sentence in part.sentences
    ]
    best = sorted(((s, n) for s, n in shares if s >= _LEAST_SHARE), key=lambda e: (-e[0], e[1]))
    return tuple(number for _, number in best[:_MOST_SENTENCES])


def cites(text: str) -> bool:
    """Whether a text cites documents as `[n]`."""
    return _MARKER.search(text) is not None


def with_citations(text: str, parts: Sequence[SourcePart]) -> Markup:
    """The text with each cited span naming the sentences it rests on, and each `[n]` that names a
    document as a link to it."""
    pieces: list[Markup] = []
    end = 0
    for span in cited_spans(text):
        sentences = " ".join(map(str, rests_on(span.text, parts, span.numbers)))
        pieces += [
            _with_links(text[end : span.start], len(parts)),
            Markup(
                '<span class="cited" tabindex="0" data-span data-sentences="{}" data-cites="{}">'
                "{}</span>"
            ).format(sentences, " ".join(map(str, span.numbers)), visible(span.text)),
        ]
        end = span.end
    pieces.append(_with_links(text[end:], len(parts)))
    return Markup("").join(pieces)


def _with_links(text: str, documents: int) -> Markup:
    pieces: list[Markup] = []
    end = 0
    for met in _MARKER.finditer(text):
        number = int(met.group(1))
        pieces.append(visible(text[end : met.start()]))
        if 1 <= number <= documents:
            link = Markup('<a class="cite" href="#source-{}">[{}]</a>').format(number, number)
        else:
            link = Markup('<span class="cite nowhere">[{}]</span>').format(number)
        pieces.append(link)
        end = met.end()
    pieces.append(visible(text[end:]))
    return Markup("").join(pieces)
