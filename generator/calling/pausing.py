"""Waiting that something else can cut short."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def pause(
    seconds: float | None, wake: asyncio.Event, sleep: Callable[[float], Awaitable[None]]
) -> None:
    """Return after `seconds` (None: never), or as soon as `wake` is set."""
    if seconds is None:
        await wake.wait()
        return
    waits = [asyncio.ensure_future(sleep(seconds)), asyncio.ensure_future(wake.wait())]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
