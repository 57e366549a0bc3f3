"""An answer in the published form, read: its markers, what each vouches for, its sentences."""

from __future__ import annotations

from parsers.citations.judging import citations
from parsers.citations.model import AnswerSentence, CitationGroup, CitedSpan
from parsers.sentences import sentence_spans

_LONGEST_QUOTATION = 5
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("«", "»"))


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
    """The sentences, each with the numbers cited in it, once each in order.

    A quotation is not taken apart: the sentence goes on until the quotation ends.
    """
    groups = citation_groups(text)
    sentences: list[AnswerSentence] = []
    at = 0
    for start, end in answer_spans(text):
        numbers: dict[int, None] = {}
        while at < len(groups) and groups[at].start < end:
            numbers.update(dict.fromkeys(groups[at].numbers))
            at += 1
        sentences.append(AnswerSentence(text[start:end], start, end, tuple(numbers)))
    return tuple(sentences)


def answer_spans(text: str) -> tuple[tuple[int, int], ...]:
    """`sentence_spans`, with those joined that one quotation of up to five sentences spans."""
    spans = sentence_spans(text)
    joined: list[tuple[int, int]] = []
    at = 0
    while at < len(spans):
        start, end = spans[at]
        at += 1
        opened = _open(text[start:end])
        if opened:
            for further in range(at, min(at + _LONGEST_QUOTATION - 1, len(spans))):
                between = text[end : spans[further][1]]
                if "\n\n" in between:
                    break
                if opened in between:
                    end = spans[further][1]
                    at = further + 1
                    break
        joined.append((start, end))
    return tuple(joined)


def _open(sentence: str) -> str | None:
    """The mark that closes the quotation which is open at the end of a sentence."""
    for opening, closing in _QUOTES:
        if sentence.rfind(opening) > sentence.rfind(closing):
            return closing
    return '"' if sentence.count('"') % 2 else None


def _words(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and not text[start].isalnum() and text[start] not in "“\"'‘《「『([（【":
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
