"""One thread that owns the writing connection and commits in groups.

Every write waits for a real commit, yet hundreds of concurrent calls share one
`fsync`: what is queued while a commit runs goes into the next one together.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, cast

from generator.errors import StoreFault

Row = tuple[Any, ...]
Operation = Callable[[sqlite3.Connection], Any]
RowWriter = Callable[[sqlite3.Connection, Sequence[Row]], None]
"""Writes rows of one kind, in the order given."""

_Waiter = Future[Any] | asyncio.Future[Any]
_Write = tuple[Operation | RowWriter, Row | None, _Waiter]

_GROUP_LIMIT = 1024
_CROWD = 8
"""After a group of so many writes, the next one waits for company."""

_GATHERING_S = 0.004
_SIZES = (64, 32, 16, 8, 4, 2, 1)
"""Rows of one step, so that few different statements are prepared."""


class Backlog:
    """Writes that nobody waits for one by one, kept few: memory must not grow with a run."""

    def __init__(self, most: int = 2000) -> None:
        self._most = most
        self._count = 0
        self._last: Future[Any] | None = None

    def add(self, future: Future[Any]) -> None:
        """Note a write; blocks now and then until those before it are committed."""
        self._last = future
        self._count += 1
        if self._count >= self._most:
            self.wait()

    def wait(self) -> None:
        """Block until everything noted is committed."""
        if self._last is not None:
            self._last.result()
        self._last, self._count = None, 0


class RowStatement:
    """One statement for any number of rows, run in few steps.

    At each step the `sqlite3` module gives the interpreter away and must wait for
    it again: a step for every row would make the writer crawl beside a busy event loop.
    """

    def __init__(self, head: str, row: str, tail: str = "") -> None:
        self._texts = {size: head + ", ".join([row] * size) + tail for size in _SIZES}

    def run(self, connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
        """Execute it for all rows, in their order."""
        begin = 0
        while begin < len(rows):
            size = next(size for size in _SIZES if size <= len(rows) - begin)
            values = chain.from_iterable(rows[begin : begin + size])
            connection.execute(self._texts[size], tuple(values))
            begin += size


class GroupWriter:
    """Runs writes on one connection, in the order given, in grouped transactions.

    A write is an operation on the connection, or a row for a `RowWriter`: rows of one
    kind that come with no operation between them are written together. Whoever waits
    is told only after the transaction is committed. When a transaction fails, every
    write in it fails with `StoreFault`; nothing of it is in the file.
    """

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        where: str,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._connect = connect
        self._where = where
        self._sleep = sleep
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._closed = False
        self._thread.start()

    def submit(self, operation: Operation) -> Future[Any]:
        """Queue one operation. The future gives its result once it is durable."""
        future = _uncancellable()
        self._put((operation, None, future))
        return future

    def submit_row(self, write: RowWriter, row: Row) -> Future[Any]:
        """Queue one row. The future ends once it is durable."""
        future = _uncancellable()
        self._put((write, row, future))
        return future

    def write_row(self, write: RowWriter, row: Row) -> asyncio.Future[Any]:
        """Queue one row; the future, of the running event loop, ends once it is durable.

        A row whose future is cancelled is written all the same.
        """
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._put((write, row, future))
        return future

    def run(self, operation: Operation) -> asyncio.Future[Any]:
        """Queue one operation; the future, of the running event loop, gives its result."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._put((operation, None, future))
        return future

    def close(self) -> None:
        """Finish what is queued, then close the connection."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    def _put(self, write: _Write) -> None:
        if self._closed:
            write[2].set_exception(StoreFault(f"{self._where} is closed"))
        else:
            self._queue.put(write)

    def _work(self) -> None:
        connection = self._connect()
        crowded, last = False, False
        try:
            while not last and (first := self._queue.get()) is not None:
                if crowded:
                    # Many share one `fsync` and its pages when each waits a little for the others.
                    self._sleep(_GATHERING_S)
                group = [first]
                while len(group) < _GROUP_LIMIT and not self._queue.empty():
                    more = self._queue.get_nowait()
                    if more is None:
                        last = True
                        break
                    group.append(more)
                crowded = len(group) >= _CROWD
                self._commit(connection, group)
        finally:
            connection.close()

    def _commit(self, connection: sqlite3.Connection, group: list[_Write]) -> None:
        try:
            connection.execute("BEGIN IMMEDIATE")
            results = _run(connection, group)
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            fault = describe_fault(error, self._where)
            _tell([(waiter, None) for _, _, waiter in group], fault)
        else:
            _tell([(write[2], result) for write, result in zip(group, results, strict=True)])


def _uncancellable() -> Future[Any]:
    """A future that cannot be cancelled: a write that nobody waits for is still made."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


def _run(connection: sqlite3.Connection, group: list[_Write]) -> list[Any]:
    """Execute all writes of a group; their results, None for rows."""
    results: list[Any] = []
    rows: dict[RowWriter, list[Row]] = {}
    for work, row, _ in group:
        if row is not None:
            rows.setdefault(cast(RowWriter, work), []).append(row)
            results.append(None)
            continue
        _run_rows(connection, rows)
        results.append(cast(Operation, work)(connection))
    _run_rows(connection, rows)
    return results


def _run_rows(connection: sqlite3.Connection, rows: dict[RowWriter, list[Row]]) -> None:
    for write, of_one_kind in rows.items():
        write(connection, of_one_kind)
    rows.clear()


def _tell(ended: list[tuple[_Waiter, Any]], fault: BaseException | None = None) -> None:
    """End the futures of a group; each event loop is woken once for all of its own."""
    of_loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for waiter, result in ended:
        if isinstance(waiter, asyncio.Future):
            of_loops.setdefault(waiter.get_loop(), []).append((waiter, result))
        elif fault is None:
            waiter.set_result(result)
        else:
            waiter.set_exception(fault)
    for loop, of_loop in of_loops.items():
        # A loop that has ended has nobody left who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_end, of_loop, fault)


def _end(ended: list[tuple[asyncio.Future[Any], Any]], fault: BaseException | None) -> None:
    for future, result in ended:
        if future.done():
            continue
        if fault is None:
            future.set_result(result)
        else:
            future.set_exception(fault)


def described(error: sqlite3.Error, where: str) -> StoreFault:
    """A failing store in words."""
    fault = describe_fault(error, where)
    return fault if isinstance(fault, StoreFault) else StoreFault(f"{where}: {error}")


@contextmanager
def naming_store_faults(where: object) -> Iterator[None]:
    """Whatever SQLite raises inside becomes a `StoreFault` in words."""
    try:
        yield
    except sqlite3.Error as error:
        raise described(error, str(where)) from None


def describe_fault(error: BaseException, where: str) -> BaseException:
    """Name a failing store in words; anything that is not SQLite's stays as it is."""
    if not isinstance(error, sqlite3.Error):
        return error
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    advice = {
        sqlite3.SQLITE_FULL: "the disk is full; free some space",
        sqlite3.SQLITE_READONLY: "it cannot be written; check its permissions",
        sqlite3.SQLITE_IOERR: "the disk reports an error; check space, quota and the medium",
        sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that the directory is writable",
        sqlite3.SQLITE_BUSY: "another process holds it; wait for that run or end it",
        sqlite3.SQLITE_LOCKED: "another process holds it; wait for that run or end it",
        sqlite3.SQLITE_CORRUPT: "it is damaged; keep a copy and start in another directory",
        sqlite3.SQLITE_NOTADB: "it is no run store; choose another directory",
    }.get(primary if primary is not None else -1, f"SQLite says: {error}")
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreFault(f"{where}: {advice}. Nothing was changed.")
    return StoreFault(
        f"{where}: {advice}. What was stored before is intact; the same command resumes the run."
    )
