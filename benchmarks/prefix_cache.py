"""How much of the re-sent prompt a real llama.cpp server answers from its prefix cache.

Plays self-play dialogues against the server inside `xllamacpp`, once with the
project's order (long text first, requests that only grow) and once with a
naive one (turns first, the text behind them), and reads the server's own count
of cached prompt tokens. Needs the embedded model.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Any

from generator.backends import make_backend
from generator.backends.embedded_file import model_file
from generator.recipes.model import Item
from generator.recipes.selfplay.bot import BotView, bot_messages
from generator.recipes.selfplay.person import PersonTemplates, PersonView, person_messages
from generator.segment_items import segment_from_content, segment_items
from generator.values import Backend, Message, Request, Sampling
from parsers.segments import SegmentRule
from prompts import load_template

DIALOGUES, ROUNDS = 3, 4
RECIPE = "paperpersichat-selfplay"
SUMMARY = "The text presents a system and how it was measured."


@dataclass
class Count:
    """Prompt tokens of all requests, those that had been sent before, and those cached."""

    requests: int = 0
    prompt: int = 0
    resent: int = 0
    cached: int = 0
    answered: int = 0


def start_server() -> Any:
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(model_file(None).path)
    settings.n_parallel, settings.n_ctx = 2, 2 * 4096
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.port, settings.verbosity, settings.ui = 0, 0, False
    return xllamacpp.Server(settings)


def naive_bot(view: BotView, instruction: Any) -> tuple[Message, ...]:
    """The turns first, as one text, and the long text behind them."""
    talk = "\n".join(view.turns)
    return (Message("user", f"{talk}\n\n{instruction.render(text=view.text)}"),)


async def play(backend: Backend, text: str, count: Count, *, naive: bool) -> None:
    person = PersonTemplates(
        load_template(RECIPE, "en", "person"), load_template(RECIPE, "en", "opening")
    )
    bot = load_template(RECIPE, "en", "bot")
    turns: tuple[str, ...] = ()
    before: dict[str, int] = {}
    for number in range(2 * ROUNDS):
        role = "person" if number % 2 == 0 else "bot"
        if role == "person":
            messages = person_messages(PersonView(SUMMARY, turns), person)
        else:
            view = BotView(text, turns)
            messages = naive_bot(view, bot) if naive else bot_messages(view, bot)
        sampling = Sampling(temperature=0.0, max_tokens=24, seed=1)
        done = await backend.complete(Request(messages, sampling=sampling))
        prompt, answer = done.usage.prompt_tokens or 0, done.usage.completion_tokens or 0
        count.requests += 1
        count.prompt += prompt
        count.resent += before.get(role, 0)
        count.cached += min(done.usage.cached_prompt_tokens or 0, before.get(role, 0))
        count.answered += answer
        before[role] = prompt + answer
        turns = (*turns, " ".join(done.text.split()) or "…")


async def main() -> None:
    server = start_server()
    spec = f"openai:m@{server.listening_address}/v1"
    items = [i for i in segment_items(["examples/en"], SegmentRule()) if isinstance(i, Item)]
    texts = [segment_from_content(item.content).text for item in items[:DIALOGUES]]
    for name, naive in (("text first, append-only", False), ("naive: turns first", True)):
        count = Count()
        backend = make_backend(spec, environ=os.environ)
        for text in texts:
            await play(backend, text, count, naive=naive)
        await backend.aclose()
        fresh = count.prompt - count.cached
        print(name)
        print(f"  {count.requests} requests, {count.prompt:,} prompt tokens")
        print(f"  {count.resent:,} of them re-sent, {count.cached / max(count.resent, 1):.0%} of "
              "those answered from the cache")  # fmt: skip
        print(f"  {fresh / len(texts):,.0f} prompt tokens computed a dialogue")


if __name__ == "__main__":
    asyncio.run(main())
