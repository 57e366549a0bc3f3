"""Handing out the items that are still to do: lazily, in input order, each registered once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from generator.recipes.model import Item, Skipped, StillReading
from generator.store import ItemPlace, ItemRow, Registration, RunStore, SkipRow

_REPEATED = ("duplicate_input", "this segment has already come up in the inputs")
_MOST_AT_ONCE = 64
_MOST_DONE_AT_ONCE = 512


class Handed(NamedTuple):
    """An item to work on, and its place in the input. `new`: the store knew nothing of it."""

    seq: int
    item: Item
    new: bool


class Feed:
    """Hands out items that are not done yet.

    They are read and registered a few at once, `ahead` at the most (more where all
    are done already), and are durable before they are handed out. `on_done` is told
    of each one that is done already, and what became of it; `on_reading` how many
    documents were read, while a recipe reads all its inputs before the first item.
    `seq` and `skips` count what stands before the first of `items`.
    """

    def __init__(
        self,
        items: Iterator[Item | Skipped | StillReading],
        store: RunStore,
        limit: int | None,
        on_done: Callable[[Item, ItemPlace], None],
        *,
        ahead: int,
        seq: int = 0,
        skips: int = 0,
        ending: Callable[[], bool] = lambda: False,
        on_reading: Callable[[int], None] = lambda documents: None,
    ) -> None:
        self._ending = ending
        self._on_reading = on_reading
        self._items = items
        self._store = store
        self._limit = limit
        self._on_done = on_done
        self._ahead = self._at_once = max(1, min(ahead, _MOST_AT_ONCE))
        self._seq = self._given = seq
        self._skips = skips
        self._ready: deque[Handed] = deque()
        self._lock = asyncio.Lock()
        self._read = False

    @property
    def given(self) -> int:
        """How many different items were handed out or passed over so far."""
        return self._given

    @property
    def ended(self) -> bool:
        """The inputs were read to their end (or to the limit), and all of it was handed out."""
        return self._read and not self._ready

    async def next(self) -> Handed | None:
        """The next item to work on with its place in the input, or None at the end."""
        if not self._ready:
            async with self._lock:
                while not self._ready and not self._read and not self._ending():
                    await self._read_on()
        if not self._ready:
            return None
        handed = self._ready.popleft()
        self._given = handed.seq + 1
        return handed

    async def _read_on(self) -> None:
        """Read and register the next few."""
        met = self._next_few()
        if not met:
            await asyncio.sleep(0)
            return
        registered = await self._store.register(
            Registration([_row(one) for one in met], self._seq, self._skips, _REPEATED)
        )
        self._seq, self._skips = registered.seq, registered.ordinal
        self._read |= self._limit is not None and self._seq >= self._limit
        for one, place in zip(met, registered.places, strict=True):
            if place is not None and isinstance(one, Item):
                self._hand_out(one, place)
        if self._ready:
            self._at_once = self._ahead
        else:
            self._given = self._seq
            self._at_once = min(2 * self._at_once, _MOST_DONE_AT_ONCE)

    def _next_few(self) -> list[Item | Skipped]:
        """The next entries of the inputs; no more items than the limit leaves room for.

        None where the inputs are still being read, so that others come to their turn.
        """
        met: list[Item | Skipped] = []
        items = 0
        while len(met) < self._at_once and (self._limit is None or self._seq + items < self._limit):
            one = next(self._items, None)
            if one is None:
                self._read = True
                break
            if isinstance(one, StillReading):
                self._on_reading(one.documents)
                break
            met.append(one)
            items += isinstance(one, Item)
        return met

    def _hand_out(self, item: Item, place: ItemPlace) -> None:
        if place.state == "done":
            self._on_done(item, place)
        else:
            self._ready.append(Handed(place.seq, item, place.new))


def _row(met: Item | Skipped) -> ItemRow | SkipRow:
    if isinstance(met, Skipped):
        return SkipRow(0, met.source, met.line, met.id, met.code, met.detail)
    return ItemRow(met.key, 0, met.id, met.source, met.line, met.content)
