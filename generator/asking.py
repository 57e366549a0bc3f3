"""How a recipe asks: the calling layer, with what it needs to know of the item."""

from __future__ import annotations

from collections.abc import Sequence

from generator.calling.caller import Caller
from generator.candidates import answer_of
from generator.recipes.model import Answer, Ask
from generator.values import Constraint, Message


def asker(caller: Caller, item: str, asked: set[str] | None) -> Ask:
    """Asks for the item with the key `item`; `asked` is as in `Caller.ask`."""

    async def ask(
        role: str,
        *,
        messages: Sequence[Message] = (),
        prompt: str | None = None,
        constraint: Constraint | None = None,
        opening: str = "",
        stop: tuple[str, ...] = (),
        sample: int = 0,
    ) -> Answer:
        row = await caller.ask(
            item,
            role,
            messages=messages,
            prompt=prompt,
            constraint=constraint,
            stop=stop,
            sample=sample,
            asked=asked,
        )
        return answer_of(row, role, opening)

    return ask
