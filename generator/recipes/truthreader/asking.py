"""What goes over the wire for each call of this recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.recipes.truthreader.content import Source
from generator.recipes.truthreader.course import ANSWERER, ASKER, JUDGE, Wanted
from generator.recipes.truthreader.entailment import Check
from generator.values import Message
from prompts import Template, load_template


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of one language. `judge` is None in a run without a judge."""

    asker: Template
    asker_history: Template
    answerer: Template
    refusal: Template
    judge: Template | None

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each, by role and name."""
        found = {
            f"{ASKER}/asker": self.asker.source_hash,
            f"{ASKER}/asker-history": self.asker_history.source_hash,
            f"{ANSWERER}/answerer": self.answerer.source_hash,
            f"{ANSWERER}/refusal": self.refusal.source_hash,
        }
        if self.judge is not None:
            found[f"{JUDGE}/judge"] = self.judge.source_hash
        return found


def load_templates(recipe: str, lang: str, overrides: Path | None, *, judge: bool) -> Templates:
    """Load and check them. Raises `TemplateProblem`."""

    def load(name: str, *variables: str) -> Template:
        template = load_template(recipe, lang, name, overrides=overrides)
        template.check(variables)
        return template

    return Templates(
        asker=load("asker", "documents", "type"),
        asker_history=load("asker-history", "documents", "type", "history"),
        answerer=load("answerer", "documents", "type", "question"),
        refusal=load("refusal", "documents", "type", "question"),
        judge=load("judge", "documents", "statement") if judge else None,
    )


def messages_for(wanted: Wanted, templates: Templates, *, refuses: bool) -> tuple[Message, ...]:
    """The request for a question or an answer.

    The asker is told the history, the answerer has it as the chat's earlier turns,
    as the published application does; documents and question are one last message.
    """
    documents = plain_documents(wanted.documents)
    if wanted.role == ASKER:
        if wanted.history:
            text = templates.asker_history.render(
                documents=documents, type=wanted.question_type, history=list(wanted.history)
            )
        else:
            text = templates.asker.render(documents=documents, type=wanted.question_type)
        return (Message("user", text.strip()),)
    template = templates.refusal if refuses else templates.answerer
    text = template.render(documents=documents, type=wanted.question_type, question=wanted.question)
    return (
        *(
            Message("user" if number % 2 == 0 else "assistant", said)
            for number, said in enumerate(wanted.history)
        ),
        Message("user", text.strip()),
    )


def judge_messages(
    check: Check, shown: Sequence[Source], template: Template
) -> tuple[Message, ...]:
    """The request for one verdict: the cited documents alone, and the sentence without markers."""
    documents = plain_documents([shown[number - 1] for number in check.documents])
    text = template.render(documents=documents, statement=check.statement)
    return (Message("user", text.strip()),)


def plain_documents(sources: Sequence[Source]) -> list[Mapping[str, str]]:
    """Documents as templates see them: `title` and `text`."""
    return [{"title": source.title, "text": source.text} for source in sources]
