"""Reading a run store: items, calls and verdicts, in input order, one at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from generator.store.rows import (
    CALL_COLUMNS,
    AttemptRow,
    CallRow,
    ItemRow,
    ItemState,
    SkipRow,
    call_from_tuple,
)
from generator.store.schema import PAID, UNCOUNTED
from generator.store.verdict_reading import ITEM_COLUMNS, item_from
from generator.store.walking import WalkReader
from generator.values import Usage


class StoreReader(WalkReader):
    """The questions that can be asked of a store; what is answered is always committed."""

    def meta(self, name: str) -> Any:
        row = self._reader.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """All that is asked inside is answered as of one commit, whoever writes meanwhile."""
        self._reader.execute("BEGIN")
        try:
            yield
        finally:
            self._reader.execute("COMMIT")

    def item_place(self, key: str) -> tuple[int, ItemState] | None:
        """Where a known item stands in the input, and its state."""
        row = self._reader.execute("SELECT seq, state FROM items WHERE key = ?", (key,)).fetchone()
        return None if row is None else (row[0], row[1])

    def find_call(self, key: str, *, item: str) -> CallRow | None:
        """The stored answer to what an item asked.

        Another item's answer to the same question is not taken: how many calls
        a run makes must not depend on which item came first.
        """
        row = self._reader.execute(
            f"SELECT {CALL_COLUMNS} FROM calls WHERE key = ? AND item = ?", (key, item)
        ).fetchone()
        return None if row is None else call_from_tuple(row)

    def paid_calls(self) -> Iterator[tuple[str, Usage, bytes | None, int]]:
        """What this run paid for: SPEC, usage, packed request, how many calls.

        Calls it took over from another run are not among them. Calls whose tokens were counted
        are added up by SPEC (the cached tokens of each being at most its prompt's), without a
        request; every other call comes alone, with its own.
        """
        for spec, prompt, completion, cached, calls in self._reader.execute(
            "SELECT spec, SUM(prompt_tokens), SUM(completion_tokens),"
            " SUM(MIN(IFNULL(cached_tokens, 0), prompt_tokens)), COUNT(*)"
            f" FROM calls WHERE {PAID} AND NOT {UNCOUNTED} GROUP BY spec"
        ):
            yield spec, Usage(prompt, completion, cached), None, calls
        for spec, prompt, completion, cached, request in self._reader.cursor().execute(
            "SELECT spec, prompt_tokens, completion_tokens, cached_tokens, request FROM calls"
            f" WHERE {PAID} AND {UNCOUNTED}"
        ):
            yield spec, Usage(prompt, completion, cached), request, 1

    def usage_by_spec(self) -> Iterator[tuple[str, Usage]]:
        """The tokens of all calls by SPEC; a count is None when any call did not report it."""
        for spec, calls, prompt, counted, completion, answered, cached in self._reader.execute(
            "SELECT spec, COUNT(*), SUM(prompt_tokens), COUNT(prompt_tokens),"
            " SUM(completion_tokens), COUNT(completion_tokens), SUM(cached_tokens)"
            " FROM calls GROUP BY spec ORDER BY spec"
        ):
            yield (
                spec,
                Usage(
                    prompt if counted == calls else None,
                    completion if answered == calls else None,
                    cached,
                ),
            )

    def find_call_by_request(self, request_hash: str) -> CallRow | None:
        """Any call that asked exactly this, whatever answered it (for replay)."""
        row = self._reader.execute(
            f"SELECT {CALL_COLUMNS} FROM calls WHERE request_hash = ? ORDER BY key LIMIT 1",
            (request_hash,),
        ).fetchone()
        return None if row is None else call_from_tuple(row)

    def items(self, *, state: ItemState | None = None) -> Iterator[ItemRow]:
        """Items in input order."""
        where = "WHERE i.state = ?" if state else ""
        rows = self._reader.cursor().execute(
            f"SELECT {ITEM_COLUMNS} FROM items i {where} ORDER BY i.seq", (state,) if state else ()
        )
        for row in rows:
            yield item_from(row)

    def item_id(self, key: str) -> str:
        """The id of a known item, for people; the key itself of an unknown one."""
        row = self._reader.execute("SELECT id FROM items WHERE key = ?", (key,)).fetchone()
        return key if row is None else str(row[0])

    def keys_named(self, name: str) -> tuple[str, ...]:
        """The keys of the items that have this key or this id, in input order."""
        if self.item_place(name) is not None:
            return (name,)
        rows = self._reader.execute("SELECT key FROM items WHERE id = ? ORDER BY seq", (name,))
        return tuple(str(row[0]) for row in rows)

    def skips(self) -> Iterator[SkipRow]:
        for row in self._reader.cursor().execute("SELECT * FROM skips ORDER BY ordinal"):
            yield SkipRow(*row)

    def attempts(self, item: str) -> Iterator[AttemptRow]:
        for row in self._reader.cursor().execute(
            "SELECT call_key, item, role, code, status, detail, body, wait_s, at FROM attempts"
            " WHERE item = ? ORDER BY ordinal",
            (item,),
        ):
            yield AttemptRow(*row)

    def notes(self) -> tuple[str, ...]:
        """What backends had to change to be understood, each once."""
        rows = self._reader.execute("SELECT DISTINCT notes FROM calls WHERE notes <> '[]'")
        return tuple(sorted({note for row in rows for note in json.loads(row[0])}))

    def mean_latency(self) -> float | None:
        """Mean seconds of the timed calls, None when there is none."""
        row = self._reader.execute("SELECT AVG(latency_s) FROM calls").fetchone()
        return None if row[0] is None else float(row[0])

    def counts(self) -> dict[str, int]:
        """How many items are in each place: accepted, rejected, failed, pending; and calls."""
        one = self._reader.execute
        states = dict(one("SELECT state, COUNT(*) FROM items GROUP BY state").fetchall())
        accepted = one(
            "SELECT COUNT(*) FROM verdicts WHERE accepted = 1 AND corpus_reasons IS NULL"
        ).fetchone()[0]
        # Decisions are few: what they change is counted alone.
        accepted += one(
            "SELECT COALESCE(SUM((d.action = 'accept')"
            " - (v.accepted = 1 AND v.corpus_reasons IS NULL)), 0)"
            f" FROM {self._decisions} d JOIN verdicts v ON v.item = d.item WHERE d.in_force = 1"
        ).fetchone()[0]
        done = states.get("done", 0)
        return {
            "items": sum(states.values()),
            "accepted": accepted,
            "rejected": done - accepted,
            "failed": states.get("failed", 0),
            "pending": states.get("pending", 0),
            "skipped": one("SELECT COUNT(*) FROM skips").fetchone()[0],
            "calls": one("SELECT COUNT(*) FROM calls").fetchone()[0],
        }

    def tokens(self) -> dict[str, int | None]:
        """Tokens over all calls; None when any call did not report them."""
        row = self._reader.execute(
            "SELECT SUM(prompt_tokens), SUM(completion_tokens),"
            " SUM(prompt_tokens IS NULL OR completion_tokens IS NULL) FROM calls"
        ).fetchone()
        known = not row[2]
        return {"prompt": row[0] if known else None, "completion": row[1] if known else None}
