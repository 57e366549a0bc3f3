"""What the roles are held to whose model does not follow instructions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.grammar import (
    TooFewSentences,
    cited_answer,
    question_about,
    question_form,
    refusal_form,
    subject_question,
    usable_sentences,
    verdict_form,
)
from generator.recipes.truthreader.chance import Chance
from generator.recipes.truthreader.course import ASKER, JUDGE, Wanted
from generator.values import Constraint


@dataclass(frozen=True, slots=True)
class AnswerForms:
    """`held` are the roles whose backend enforces a grammar and whose model needs one."""

    lang: Literal["en", "zh"]
    held: frozenset[str]

    def of(
        self, wanted: Wanted, chance: Chance, *, refuses: bool
    ) -> Constraint | TooFewSentences | None:
        """The form of one question or answer; None where the role is free."""
        if wanted.role not in self.held:
            return None
        if wanted.role == ASKER:
            return self._question(wanted, chance)
        if refuses:
            titles = [source.title or source.text[:40] for source in wanted.documents]
            return refusal_form(titles, wanted.question, self.lang)
        texts = [source.text for source in wanted.documents]
        return cited_answer(texts, wanted.question, self.lang)

    def of_verdict(self) -> Constraint | None:
        return verdict_form(self.lang) if JUDGE in self.held else None

    def _question(self, wanted: Wanted, chance: Chance) -> Constraint | TooFewSentences:
        """A question to one of the documents' sentences, which ones being drawn."""
        sentences = [s for source in wanted.documents for s in usable_sentences(source.text)]
        if not sentences:
            return TooFewSentences(0, 1)
        drawn = chance.shuffled(sentences, "sentences", len(wanted.history))
        kind = 1 if wanted.question_type == "explanation" else 0
        asked = wanted.history[::2]
        found = question_about(drawn, asked, self.lang, kind)
        if found == question_form(self.lang, kind):
            # No sentence is understood: a question without a subject would be the model's fancy.
            return subject_question([s.title for s in wanted.documents], self.lang) or found
        return found
