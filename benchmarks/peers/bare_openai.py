"""A bare asyncio loop over the openai client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import openai
from adapter import API_KEY, MAX_TOKENS, MODEL, TEMPERATURE, Messages, Work, main
from bare_loops import all_dialogues


async def loop(work: Work, transport: Callable[[], Any]) -> Iterable[Sequence[str]]:
    async with openai.AsyncOpenAI(
        base_url=work.base_url, api_key=API_KEY, max_retries=0, http_client=transport()
    ) as client:

        async def ask(messages: Messages) -> str:
            made = await client.chat.completions.create(
                model=MODEL,
                messages=messages,
                temperature=TEMPERATURE,
                max_tokens=MAX_TOKENS,
            )
            return made.choices[0].message.content or ""

        return await all_dialogues(work, ask)


def run(work: Work) -> Iterable[Sequence[str]]:
    return asyncio.run(loop(work, lambda: None))


if __name__ == "__main__":
    main(run)
