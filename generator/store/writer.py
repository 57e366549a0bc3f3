"""One thread that owns the writing connection and commits in groups.

Every write waits for a real commit, yet hundreds of concurrent calls share one
`fsync`: what is queued while a commit runs goes into the next one together.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from generator.errors import StoreFault

Operation = Callable[[sqlite3.Connection], Any]
_GROUP_LIMIT = 1024


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


class GroupWriter:
    """Runs write operations on one connection, in the order given, in grouped transactions.

    A future is resolved only after its transaction is committed. When a
    transaction fails, every operation in it fails with `StoreFault`; nothing of
    it is in the file.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], where: str) -> None:
        self._connect = connect
        self._where = where
        self._queue: queue.SimpleQueue[tuple[Operation, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._closed = False
        self._thread.start()

    def submit(self, operation: Operation) -> Future[Any]:
        """Queue one operation. The future gives its result once it is durable."""
        future: Future[Any] = Future()
        # From here on it cannot be cancelled: a write that nobody waits for is still made.
        future.set_running_or_notify_cancel()
        if self._closed:
            future.set_exception(StoreFault(f"{self._where} is closed"))
        else:
            self._queue.put((operation, future))
        return future

    def close(self) -> None:
        """Finish what is queued, then close the connection."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    def _work(self) -> None:
        connection = self._connect()
        try:
            while (first := self._queue.get()) is not None:
                group, last = [first], False
                while len(group) < _GROUP_LIMIT:
                    try:
                        more = self._queue.get_nowait()
                    except queue.Empty:
                        break
                    if more is None:
                        last = True
                        break
                    group.append(more)
                self._commit(connection, group)
                if last:
                    break
        finally:
            connection.close()

    def _commit(
        self, connection: sqlite3.Connection, group: list[tuple[Operation, Future[Any]]]
    ) -> None:
        results: list[Any] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            results.extend(operation(connection) for operation, _ in group)
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            fault = describe_fault(error, self._where)
            for _, future in group:
                future.set_exception(fault)
            return
        for (_, future), result in zip(group, results, strict=True):
            future.set_result(result)


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
