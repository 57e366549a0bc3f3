"""What a question to a given answer may look like: the value both languages build."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.grammar.gbnf import literal, one_of

QuestionKind = Literal["what", "how"]


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question that begins with `start` and may go on with words of the answer.

    `words` are the answer's next words, in order. The model takes as many as
    it likes and may leave out up to `skip` of them in a row, so that a
    question can shorten its answer but neither loop nor leave its subject. It
    may end after any word but those in `open_words` (their positions), which
    want another after them. `kind` says what is asked for: "what" a thing,
    "how" a way, reason or time.
    """

    start: str
    kind: QuestionKind
    words: tuple[str, ...] = ()
    open_words: frozenset[int] = frozenset()
    skip: int = 0
    separator: str = " "
    end: str = "?"


def form_expression(form: QuestionForm) -> str:
    """The form as one GBNF expression.

    Built from the last word to the first, so its size is the number of words
    times (skip + 1) to the power of nothing: each tail is written once, as an
    optional group nested in the one before.
    """
    return f"{literal(form.start)} {_tail(form)} {literal(form.end)}".replace("  ", " ")


def _tail(form: QuestionForm) -> str:
    tail = ""
    for index in range(len(form.words) - 1, -1, -1):
        word = literal(form.separator + form.words[index])
        rest = f" {tail}" if tail else ""
        if index in form.open_words and not tail:
            continue
        tail = one_of([f"{word}{rest}"])
        may_end_before = index == 0 or (index - 1) not in form.open_words
        tail = f"{tail}?" if may_end_before else tail
    return tail
