"""Taking items of the inputs into a store, many at once: each gets its place, once."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.store.decisions import STANDS
from generator.store.rows import ItemRow, ItemState, SkipRow, item_to_tuple, skip_to_tuple
from generator.store.writer import RowStatement

_INSERT_ITEMS = RowStatement("INSERT OR IGNORE INTO items VALUES ", f"({', '.join('?' * 8)})")
_INSERT_SKIPS = RowStatement("INSERT OR REPLACE INTO skips VALUES ", f"({', '.join('?' * 7)})")


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """Where an item stands in the input, and what is known of it.

    `new`: the store has never held it. Of a done one: `accepted`, whether it stands by itself
    (a person's word counts), and `code`, the first reason against it.
    """

    seq: int
    state: ItemState = "pending"
    new: bool = False
    accepted: bool = False
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Registered:
    """What became of a batch: one place an entry, None for a skip and for a repetition.

    `seq` and `ordinal` are those of the next item and the next skip.
    """

    places: tuple[ItemPlace | None, ...]
    seq: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class Registration:
    """Entries of the inputs in the order met; places and ordinals are given on from here.

    `seq` and `ordinal` are those of the first item and skip; what the entries
    say of their own does not count. An item whose key stands before becomes a
    skip with the code and detail of `repeated`.
    """

    entries: Sequence[ItemRow | SkipRow]
    seq: int
    ordinal: int
    repeated: tuple[str, str]

    def run(self, connection: sqlite3.Connection) -> Registered:
        """Store what is new, as part of the transaction of the connection."""
        known = _known(connection, [e.key for e in self.entries if isinstance(e, ItemRow)])
        places: list[ItemPlace | None] = []
        items: list[tuple[Any, ...]] = []
        skips: list[tuple[Any, ...]] = []
        seq, ordinal = self.seq, self.ordinal
        for entry in self.entries:
            place = None
            if isinstance(entry, ItemRow):
                place = known.get(entry.key)
                if place is None:
                    place = known[entry.key] = ItemPlace(seq, new=True)
                    items.append((entry.key, seq, *item_to_tuple(entry)[2:]))
                elif place.seq < seq:
                    place = None
                    entry = SkipRow(0, entry.source, entry.line, entry.id, *self.repeated)
                else:
                    place = replace(place, seq=seq)
            if isinstance(entry, SkipRow):
                skips.append(skip_to_tuple(replace(entry, ordinal=ordinal, before=seq)))
                ordinal += 1
            else:
                seq += 1
            places.append(place)
        _INSERT_ITEMS.run(connection, items)
        _INSERT_SKIPS.run(connection, skips)
        return Registered(tuple(places), seq, ordinal)


def _known(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, ItemPlace]:
    """The places of the items that the store has already."""
    found: dict[str, ItemPlace] = {}
    if keys:
        # Always as many as a power of two, so that few different statements are prepared.
        asked = [*keys, *[keys[-1]] * ((1 << (len(keys) - 1).bit_length()) - len(keys))]
        for key, seq, state, accepted, code in connection.execute(
            f"SELECT i.key, i.seq, i.state, {STANDS},"
            " json_extract(v.reasons, '$[0].code') FROM items i"
            " LEFT JOIN verdicts v ON v.item = i.key"
            " LEFT JOIN decisions d ON d.item = i.key AND d.in_force = 1"
            f" WHERE i.key IN ({', '.join('?' * len(asked))})",
            asked,
        ):
            found[key] = ItemPlace(seq, state, accepted=bool(accepted), code=code)
    return found
