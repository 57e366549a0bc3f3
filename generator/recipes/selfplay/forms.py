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
    reach the person by way of a grammar.
    """

    lang: Literal["en", "zh"]
    held: frozenset[str]

    def of_summary(self, part: str) -> Constraint | None:
        return self._if_held("summarizer", summary_from_text(part, self.lang))

    def of_question(self, view: PersonView) -> Constraint | None:
        asked, answers = view.turns[::2], view.turns[1::2]
        said = [s for text in (view.summary, *answers) for s in split_sentences(text)]
        return self._if_held("person", question_about(said, asked, self.lang, len(asked)))

    def of_answer(self, text: str, said: tuple[str, ...]) -> Constraint | None:
        return self._if_held("bot", answer_from_text(text, said))

    def _if_held(self, role: str, form: Constraint | TooFewSentences) -> Constraint | None:
        return form if role in self.held and isinstance(form, Constraint) else None
