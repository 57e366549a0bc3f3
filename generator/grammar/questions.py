"""What a question to a given answer may look like: the value both languages build."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.grammar.gbnf import literal

QuestionKind = Literal["what", "how"]


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question that begins with `start` and may go on with the answer's next words.

    `kind` is what it asks for: "what" a thing or number, "how" a way, a reason
    or a time. `words` are texts (with their space) that the model may append
    in order, stopping after any; so a question can be shorter than its answer,
    and can neither loop nor leave its subject. `end` closes it.
    """

    kind: QuestionKind
    start: str
    words: tuple[str, ...] = ()
    end: str = "?"

    def expression(self) -> str:
        """The form as one GBNF expression: the words as nested optional groups."""
        tail = ""
        for word in reversed(self.words):
            tail = f"({literal(word)}{' ' if tail else ''}{tail})?"
        return " ".join(part for part in (literal(self.start), tail, literal(self.end)) if part)
