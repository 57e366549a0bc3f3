"""The bot: sees the whole text, and answers from it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.values import Message
from prompts import Template


@dataclass(frozen=True, slots=True)
class BotView:
    """All that the bot knows: the text, and the turns, the person's first."""

    text: str
    turns: tuple[str, ...]


def bot_messages(view: BotView, instruction: Template) -> tuple[Message, ...]:
    """The bot's request: the long text first and never changed, so that prefix caches serve it."""
    return (
        Message("system", instruction.render(text=view.text).rstrip("\n")),
        *(
            Message("user" if number % 2 == 0 else "assistant", turn)
            for number, turn in enumerate(view.turns)
        ),
    )
