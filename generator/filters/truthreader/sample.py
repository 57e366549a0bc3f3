"""What the filters look at: one question with its documents and its answer, read once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from generator.filters.model import Span
from generator.filters.once import once
from parsers.citations import (
    AnswerSentence,
    CitationGroup,
    Rewritten,
    answer_sentences,
    citation_groups,
    cited_spans,
    is_refusal,
)
from parsers.citations.support import Document, token_support, unit_support
from parsers.text.content import content_units
from parsers.text.tokens import tokens

ALIKE = 0.6
"""Share of one document's content units in another from which on both say the same."""

_MARKER = re.compile(r"\[\d{1,3}\]")


class SpanSupport(NamedTuple):
    """One cited span: its place in the answer, its markers, and what the documents have of it.

    `support` is ROUGE-1 precision against the cited documents together, `uncited` the same against
    the best of the others (None when every document is cited). `content` is the share of its
    content units, `each` that share for every document in their order, and `content_uncited` that
    of the best document that is not cited and does not say the same as a cited one (None without
    such). Numbers that no document has count as nothing.
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    length: int
    support: float
    uncited: float | None
    content: float
    content_uncited: float | None
    each: tuple[float, ...]


@dataclass(frozen=True)
class TruthReaderSample:
    """A question, the strings before it, the (title, text) of its documents, and the answer.

    `gold` holds the positions, from 0, of the documents the question was made from: empty when they
    are withheld, or unknown. `answerable` tells which: an answer is wanted, or a refusal. `answer`
    is the text that goes into the record; `rewritings` are the steps that made it from the raw one,
    first step first (`normalise_citations`, `repair_citations`), and `raw_start` is where the first
    step's text began in the raw output, so that places are told in the raw output.
    """

    question: str
    history: tuple[str, ...]
    documents: tuple[tuple[str, str], ...]
    answer: str
    gold: frozenset[int] = frozenset()
    answerable: bool = True
    lang: str = "en"
    rewritings: tuple[Rewritten, ...] = ()
    raw_start: int = 0

    @once
    def groups(self) -> tuple[CitationGroup, ...]:
        """The markers of the answer."""
        return citation_groups(self.answer)

    @once
    def sentences(self) -> tuple[AnswerSentence, ...]:
        """The sentences of the answer with the numbers cited in them."""
        return answer_sentences(self.answer)

    @once
    def refuses(self) -> bool:
        """Whether the answer says that the documents lack what was asked for."""
        return is_refusal(self.answer)

    @once
    def plain_answer(self) -> str:
        """The answer without markers."""
        return _MARKER.sub("", self.answer)

    @once
    def question_tokens(self) -> list[str]:
        """The tokens of the question."""
        return tokens(self.question)

    @once
    def answer_tokens(self) -> list[str]:
        """The tokens of the answer without its markers."""
        return tokens(self.plain_answer)

    @once
    def read_documents(self) -> list[Document]:
        """The documents, tokenised."""
        return [Document(title, text) for title, text in self.documents]

    @once
    def cited(self) -> frozenset[int]:
        """Positions, from 0, of the documents that the answer cites."""
        numbers = {number for group in self.groups for number in group.numbers}
        return frozenset(n - 1 for n in numbers if 1 <= n <= len(self.documents))

    @once
    def doubles(self) -> frozenset[tuple[int, int]]:
        """Pairs of documents, from 0, of which the first says most of what the second says."""
        read = self.read_documents
        units = [content_units(f"{title}\n{text}") for title, text in self.documents]
        return frozenset(
            (one, other)
            for one in range(len(read))
            for other in range(len(read))
            if one != other and units[other] and unit_support(units[other], [read[one]]) >= ALIKE
        )

    @once
    def spans(self) -> list[SpanSupport]:
        """What the documents have of every cited span."""
        return [
            _support(self, span.text, span.start, span.end, span.numbers)
            for span in cited_spans(self.answer)
        ]

    def place(self, start: int, end: int) -> Span:
        """Where `answer[start:end]` stands in the raw output."""
        for step in reversed(self.rewritings):
            start, end = step.old_span(start, end)
        return self.raw_start + start, self.raw_start + end


def _support(
    sample: TruthReaderSample, text: str, start: int, end: int, numbers: tuple[int, ...]
) -> SpanSupport:
    documents = sample.read_documents
    within = {number - 1 for number in numbers if 1 <= number <= len(documents)}
    cited = [documents[index] for index in sorted(within)]
    others = [documents[index] for index in range(len(documents)) if index not in within]
    units = content_units(text)
    each = tuple(unit_support(units, [document]) for document in documents)
    return SpanSupport(
        start,
        end,
        numbers,
        len(tokens(text)),
        token_support(text, cited),
        max((token_support(text, [document]) for document in others), default=None),
        unit_support(units, cited),
        max((each[index] for index in _different(sample, within)), default=None),
        each,
    )


def _different(sample: TruthReaderSample, within: set[int]) -> list[int]:
    """The documents that are not cited and are no double of a cited one."""
    doubles = sample.doubles
    return [
        index
        for index in range(len(sample.documents))
        if index not in within
        and not any((index, one) in doubles or (one, index) in doubles for one in within)
    ]
