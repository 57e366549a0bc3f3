"""The loop a user would write by hand over a client: workers, requests, one line a dialogue."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

from adapter import (
    SINGLE,
    TURNS,
    Messages,
    Work,
    dialogue_messages,
    summary_messages,
    turn_messages,
)

Ask = Callable[[Messages], Awaitable[str]]


async def dialogue(kind: str, text: str, ask: Ask) -> list[str]:
    """The texts of one dialogue: one call, or a summary and eight turns."""
    if kind == SINGLE:
        return [await ask(dialogue_messages(text))]
    summary = await ask(summary_messages(text))
    turns: list[str] = []
    while len(turns) < TURNS:
        turns.append(await ask(turn_messages(text, summary, turns)))
    return turns


async def all_dialogues(work: Work, ask: Ask) -> Iterator[Sequence[str]]:
    """`concurrency` workers that share the texts; each dialogue is written as it ends."""
    texts = iter(work.segments())
    out = work.folder / "dialogues.jsonl"
    with out.open("w", encoding="utf-8") as file:

        async def worker() -> None:
            for text in texts:
                turns = await dialogue(work.kind, text, ask)
                file.write(json.dumps(turns, ensure_ascii=False) + "\n")

        await asyncio.gather(*(worker() for _ in range(work.concurrency)))
    return read_lines(out)


def read_lines(path: Path) -> Iterator[Sequence[str]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
