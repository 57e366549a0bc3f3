"""Handing out the items that are still to do: lazily, in input order, each registered once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

from generator.progress import Progress
from generator.recipes.model import Item, Skipped, StillReading
from generator.store import ItemRow, RunStore, SkipRow

_BREATHE_EVERY = 200


class Feed:
    """Hands out items that are not done yet, registering each; one reader at a time."""

    def __init__(
        self,
        items: Iterator[Item | Skipped | StillReading],
        store: RunStore,
        progress: Progress,
        limit: int | None,
        on_done: Callable[[int, Item], None],
        ending: Callable[[], bool] = lambda: False,
    ) -> None:
        self._ending = ending
        self._on_done = on_done
        self._items = items
        self._store = store
        self._progress = progress
        self._limit = limit
        self._seq = 0
        self._skips = 0
        self._lock = asyncio.Lock()
        self._ended = False
        self._unwritten: dict[str, Future[Any]] = {}
        self._last_skip: Future[Any] | None = None

    @property
    def given(self) -> int:
        """How many different items were met so far."""
        return self._seq

    @property
    def ended(self) -> bool:
        """The inputs were read to their end (or to the limit)."""
        return self._ended

    async def next(self) -> tuple[int, Item] | None:
        """The next item to work on with its place in the input, or None at the end."""
        async with self._lock:
            passed = 0
            while not self._ended:
                if self._limit is not None and self._seq >= self._limit:
                    self._ended = True
                    break
                met = next(self._items, None)
                if met is None:
                    self._ended = True
                    break
                if isinstance(met, StillReading):
                    self._progress.waiting(f"reading the inputs: {met.documents:,} documents")
                    await self._breathe()
                    if self._ending():
                        return None
                elif isinstance(met, Skipped):
                    self._skip(met)
                elif (seq := self._register(met)) is not None:
                    return seq, met
                passed += 1
                if passed % _BREATHE_EVERY == 0:
                    await self._breathe()
            return None

    async def _breathe(self) -> None:
        """Let the workers on, and let the writer catch up: what is queued must stay bounded."""
        await asyncio.sleep(0)
        if self._last_skip is not None:
            await asyncio.wrap_future(self._last_skip)

    def _register(self, item: Item) -> int | None:
        """The place of an item that is still to do; None when it is done or a repetition."""
        known = self._store.item_place(item.key)
        if item.key in self._unwritten or (known is not None and known[0] < self._seq):
            self._skip(
                Skipped(item.source, item.line, item.id, "duplicate_input",
                        "this segment has already come up in the inputs")
            )  # fmt: skip
            return None
        seq = self._seq
        self._seq += 1
        if known is None:
            written = self._store.put_item(
                ItemRow(item.key, seq, item.id, item.source, item.line, item.content)
            )
            self._unwritten = {k: f for k, f in self._unwritten.items() if not f.done()}
            self._unwritten[item.key] = written
        elif known[1] == "done":
            self._on_done(seq, item)
            return None
        return seq

    def _skip(self, skipped: Skipped) -> None:
        self._last_skip = self._store.put_skip(
            SkipRow(
                self._skips,
                skipped.source,
                skipped.line,
                skipped.id,
                skipped.code,
                skipped.detail,
                self._seq,
            )
        )
        self._skips += 1
