"""The course of one item as a pure function of its answers so far.

A run asks what is wanted next and hands in the raw answer; reading a stored item
hands in the same answers again. Both end in the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from generator.filters.model import Reason
from generator.recipes.model import Answer
from generator.recipes.truthreader.content import Assignment, Source
from parsers.citations import citation_groups, normalise_citations
from parsers.sentences import one_line
from parsers.utterance import Utterance, UtteranceFault, parse_utterance

ASKER, ANSWERER, JUDGE = "asker", "answerer", "judge"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The call that comes next: who is asked, about what, after which earlier strings.

    `question` is what the answerer is to answer. `documents` are what the role may
    see: for the asker those it asks about, for the answerer those it may cite.
    `last` tells the item's own question and answer from those of its history.
    """

    role: Literal["asker", "answerer"]
    documents: tuple[Source, ...]
    history: tuple[str, ...]
    question_type: str
    question: str = ""
    last: bool = False
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """How far the answers lead: what is wanted next, or how it ended.

    `answer` is the last answer as it was said, its citations as the model wrote them;
    `answer_start` where it begins in the raw output (None when something was taken out
    of its middle), and `answers` how many outputs were read.
    """

    wanted: Wanted | None
    history: tuple[str, ...] = ()
    question: str = ""
    answer: str = ""
    answer_start: int | None = None
    answers: int = 0
    fault: Reason | None = None
    asked_again: int = 0


def follow(assignment: Assignment, answers: Sequence[Answer], retries: int) -> Course:
    """Read the answers of asker and answerer, in the order in which they were given.

    A question or answer that is empty, cut off, declined or written for the other
    side is asked for again up to `retries` times.
    """
    steps = _Steps(iter(answers), retries)
    history: tuple[str, ...] = ()
    for exchange in assignment.history:
        documents = (exchange.source,)
        question = steps.take(Wanted("asker", documents, history, exchange.question_type))
        if question is None:
            return steps.course(history)
        answer = steps.take(
            Wanted("answerer", documents, history, exchange.question_type, question)
        )
        if answer is None:
            return steps.course(history)
        history = (*history, question, uncited(answer, 1))
    kind = assignment.question_type
    question = steps.take(Wanted("asker", assignment.gold, history, kind, last=True))
    if question is None:
        return steps.course(history)
    answer = steps.take(Wanted("answerer", assignment.shown, history, kind, question, last=True))
    if answer is None:
        return steps.course(history, question)
    return Course(
        None,
        history,
        question,
        answer,
        steps.last_start,
        steps.read,
        asked_again=steps.asked_again,
    )


class _Steps:
    """Takes one answer after another until there is none, or one that cannot be used."""

    def __init__(self, answers: Iterator[Answer], retries: int) -> None:
        self._answers = answers
        self._retries = retries
        self._wanted: Wanted | None = None
        self._fault: Reason | None = None
        self.asked_again = 0
        self.read = 0
        self.last_start: int | None = None

    def take(self, wanted: Wanted) -> str | None:
        """What was said to this; None when it is not there yet, or not to be had."""
        for attempt in range(self._retries + 1):
            answer = next(self._answers, None)
            if answer is None:
                self._wanted = _again(wanted, attempt)
                return None
            self.read += 1
            said = _said(answer, wanted)
            if isinstance(said, Utterance):
                self.last_start = None if said.span is None else said.span[0]
                return one_line(said.text) if wanted.role == ASKER else said.text
            self.asked_again += 1
            self._fault = Reason(
                "turn", said.code, f"{_name(wanted)}, asked {attempt + 1} times: {said.detail}"
            )
        self.asked_again -= 1
        return None

    def course(self, history: tuple[str, ...], question: str = "") -> Course:
        fault = self._fault if self._wanted is None else None
        return Course(self._wanted, history, question, fault=fault, asked_again=self.asked_again)


def _again(wanted: Wanted, attempt: int) -> Wanted:
    return Wanted(
        wanted.role,
        wanted.documents,
        wanted.history,
        wanted.question_type,
        wanted.question,
        wanted.last,
        attempt,
    )


def _said(answer: Answer, wanted: Wanted) -> Utterance | UtteranceFault:
    asks = wanted.role == ASKER
    return parse_utterance(
        answer.text,
        "person" if asks else "bot",
        finish_reason=answer.completion.finish_reason,
        heard=None if asks else wanted.question,
    )


def _name(wanted: Wanted) -> str:
    what = "question" if wanted.role == ASKER else "answer"
    return f"the {what}" if wanted.last else f"{what} {len(wanted.history) // 2 + 1} of the history"


def uncited(answer: str, documents: int) -> str:
    """An answer without its citations, as the history of the published records has it."""
    return without_markers(normalise_citations(answer, documents).text)


def without_markers(text: str) -> str:
    """A text in the published form without its `[n]`."""
    kept, at = [], 0
    for group in citation_groups(text):
        kept.append(text[at : group.start])
        at = group.end
    return "".join((*kept, text[at:])).strip()
