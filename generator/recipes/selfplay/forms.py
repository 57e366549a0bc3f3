"""What the turns of a model that does not follow instructions are held to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.grammar import (
    TooFewSentences,
    answer_from_text,
    question_about,
    summary_from_text,
)
from generator.recipes.selfplay.person import PersonView
from generator.values import Constraint
from parsers.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class TurnForms:
    """`held` are the roles whose backend enforces a grammar and whose model needs one.

    The person's form is made from the person's own view alone: the text must not
    reach the person by way of a grammar. For a role that is not held none is made:
    that takes longer than all else a turn does.
    """

    lang: Literal["en", "zh"]
    held: frozenset[str]

    def of_summary(self, part: str) -> Constraint | None:
        if "summarizer" not in self.held:
            return None
        return _if_any(summary_from_text(part, self.lang))

    def of_question(self, view: PersonView) -> Constraint | None:
        if "person" not in self.held:
            return None
        asked, answers = view.turns[::2], view.turns[1::2]
        said = [s for text in (view.summary, *answers) for s in split_sentences(text)]
        return _if_any(question_about(said, asked, self.lang, len(asked)))

    def of_answer(self, text: str, said: tuple[str, ...]) -> Constraint | None:
        if "bot" not in self.held:
            return None
        return _if_any(answer_from_text(text, said))


def _if_any(form: Constraint | TooFewSentences) -> Constraint | None:
    return form if isinstance(form, Constraint) else None
