"""The bot: sees the whole text, and answers from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.values import Message
from prompts import Template


@dataclass(frozen=True, slots=True)
class BotStart:
    """The text that the bot sees, and how each of its requests begins: with the whole of it."""

    text: str
    message: Message


def bot_start(text: str, instruction: Template) -> BotStart:
    """The beginning of all requests about this text; made once a dialogue."""
    return BotStart(text, Message("system", instruction.render(text=text).rstrip("\n")))


def bot_messages(start: BotStart, turns: Sequence[str]) -> tuple[Message, ...]:
    """The bot's request: the long text first and never changed, so that prefix caches serve it.

    `turns` begin with the person's first.
    """
    return (
        start.message,
        *(
            Message("user" if number % 2 == 0 else "assistant", turn)
            for number, turn in enumerate(turns)
        ),
    )
