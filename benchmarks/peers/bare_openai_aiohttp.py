"""A bare asyncio loop over the openai client with its aiohttp transport."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

import openai
from adapter import Work, main
from bare_openai import loop


def run(work: Work) -> Iterable[Sequence[str]]:
    return asyncio.run(loop(work, openai.DefaultAioHttpClient))


if __name__ == "__main__":
    main(run)
