"""A bare asyncio loop over pyreqwest (Rust) with orjson: no retries, no store, no checks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from datetime import timedelta

import orjson
import uvloop
from adapter import API_KEY, MAX_TOKENS, MODEL, TEMPERATURE, Messages, Work, main
from bare_loops import all_dialogues
from pyreqwest.client import ClientBuilder


async def loop(work: Work) -> Iterable[Sequence[str]]:
    url = f"{work.base_url}/chat/completions"
    builder = ClientBuilder().no_proxy().max_connections(work.concurrency)
    async with builder.timeout(timedelta(minutes=5)).error_for_status().build() as client:

        async def ask(messages: Messages) -> str:
            body = orjson.dumps(
                {
                    "model": MODEL,
                    "messages": messages,
                    "temperature": TEMPERATURE,
                    "max_tokens": MAX_TOKENS,
                }
            )
            request = client.post(url).bearer_auth(API_KEY)
            request = request.header("Content-Type", "application/json").body_bytes(body)
            response = await request.build().send()
            answer = orjson.loads(memoryview(await response.bytes()))
            content: str = answer["choices"][0]["message"]["content"]
            return content

        return await all_dialogues(work, ask)


def run(work: Work) -> Iterable[Sequence[str]]:
    return uvloop.run(loop(work))


if __name__ == "__main__":
    main(run)
    # Its Rust threads now and then abort the interpreter's own end, after all work is done.
    sys.stdout.flush()
    os._exit(0)
