"""An answer in the published form, read: its markers, what each vouches for, its sentences."""

from __future__ import annotations

from parsers.citations.judging import citations
from parsers.citations.model import AnswerSentence, CitationGroup, CitedSpan
from parsers.sentences import sentence_spans


def citation_groups(text: str) -> tuple[CitationGroup, ...]:
    """The groups of adjacent markers `[1][2]`, in order.

    Counted as published: `[n]` in ASCII, nothing else. Indices, code, links and enumerations that
    look like it are none, as in `normalise_citations`.
    """
    groups: list[CitationGroup] = []
    for written in citations(text, None):
        if groups and groups[-1].end == written.start:
            last = groups[-1]
            groups[-1] = CitationGroup(last.start, written.end, last.numbers + written.numbers)
        else:
            groups.append(CitationGroup(written.start, written.end, written.numbers))
    return tuple(groups)


def cited_spans(text: str) -> tuple[CitedSpan, ...]:
    """What each group vouches for: the text since the group before it, as TruthReader's
    application reads it. A closing mark at its beginning is the sentence's before it and left out.
    """
    spans: list[CitedSpan] = []
    position = 0
    for group in citation_groups(text):
        start, end = _words(text, position, group.start)
        spans.append(CitedSpan(text[start:end], start, end, group.numbers))
        position = group.end
    return tuple(spans)


def answer_sentences(text: str) -> tuple[AnswerSentence, ...]:
    """The sentences, each with the numbers cited in it, once each in order."""
    groups = citation_groups(text)
    sentences: list[AnswerSentence] = []
    at = 0
    for start, end in sentence_spans(text):
        numbers: dict[int, None] = {}
        while at < len(groups) and groups[at].start < end:
            numbers.update(dict.fromkeys(groups[at].numbers))
            at += 1
        sentences.append(AnswerSentence(text[start:end], start, end, tuple(numbers)))
    return tuple(sentences)


def _words(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and not text[start].isalnum() and text[start] not in "“\"'‘《「『([（【":
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
