"""The person: sees the summary and the turns so far, and nothing else can reach it.

This module knows no segment, no paper and no text: what renders the person's
request has no way to the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.values import Message
from prompts import Template


@dataclass(frozen=True, slots=True)
class PersonView:
    """All that the person knows: the summary, and the turns, the person's own first."""

    summary: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonTemplates:
    """`instruction` takes `summary`; `opening` asks for the first question and takes nothing."""

    instruction: Template
    opening: Template


def person_start(summary: str, templates: PersonTemplates) -> tuple[Message, ...]:
    """How every request of a person begins that sees this summary; made once a dialogue.

    The instruction, and a neutral opening. Upstream sent the system message alone at first,
    which strict servers refuse; the opening stands in for the bot's silence there.
    """
    return (
        Message("system", templates.instruction.render(summary=summary).rstrip("\n")),
        Message("user", templates.opening.render().rstrip("\n")),
    )


def person_messages(start: tuple[Message, ...], turns: Sequence[str]) -> tuple[Message, ...]:
    """The person's request: its start, then the turns as the person sees them. It only grows."""
    return (
        *start,
        *(
            Message("assistant" if number % 2 == 0 else "user", turn)
            for number, turn in enumerate(turns)
        ),
    )


def with_correction(messages: Sequence[Message], correction: str) -> tuple[Message, ...]:
    """The same request asked again: a short hint at its end, which no later request repeats."""
    last = messages[-1]
    return (*messages[:-1], Message(last.role, f"{last.content}\n\n{correction.strip()}"))
