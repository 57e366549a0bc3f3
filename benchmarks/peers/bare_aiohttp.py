"""A bare asyncio loop over aiohttp with orjson, on uvloop: no retries, no store, no checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import aiohttp
import orjson
import uvloop
from adapter import API_KEY, MAX_TOKENS, MODEL, TEMPERATURE, Messages, Work, main
from bare_loops import all_dialogues


async def loop(work: Work) -> Iterable[Sequence[str]]:
    url = f"{work.base_url}/chat/completions"
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    connector = aiohttp.TCPConnector(limit=work.concurrency)
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

        async def ask(messages: Messages) -> str:
            body = orjson.dumps(
                {
                    "model": MODEL,
                    "messages": messages,
                    "temperature": TEMPERATURE,
                    "max_tokens": MAX_TOKENS,
                }
            )
            async with session.post(url, data=body) as response:
                answer = orjson.loads(await response.read())
            content: str = answer["choices"][0]["message"]["content"]
            return content

        return await all_dialogues(work, ask)


def run(work: Work) -> Iterable[Sequence[str]]:
    return uvloop.run(loop(work))


if __name__ == "__main__":
    main(run)
