"""The run's end of the process that reads candidates beside it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections import deque
from typing import Any

from generator.interpreting.frames import FrameBuffer, framed
from generator.recipes.model import Candidate, Item, Reader
from generator.store import VerdictColumns

_GATHERING_S = 0.002
"""So long a candidate waits for others: a batch costs one waking of either side."""

_BATCH = 64
_KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

_Asked = tuple[tuple[Item, int, Candidate], "asyncio.Future[VerdictColumns | None]"]


class ChildProcess(asyncio.Protocol):
    """A process that reads candidates. Whatever becomes of it, every question is answered.

    An answer of None says: find out yourself. `ready` is True between the moment the
    process has its reader and its end; `waiting` counts what it has not answered yet.
    """

    def __init__(self) -> None:
        self.ready = False
        self.lost = False
        self.waiting = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self._buffer = FrameBuffer()
        self._gathered: list[_Asked] = []
        self._sent: deque[list[_Asked]] = deque()
        self._flushing: asyncio.TimerHandle | None = None

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self, reader: Reader) -> None:
        """Start the process and give it its reader; where that fails, it is `lost`."""
        try:
            await self._begin(framed(reader))
        except Exception:
            # A reader of somebody's own may hold what no pickle can, and a system may
            # forbid new processes: the run reads by itself then, as it did before.
            self.lost = True

    async def _begin(self, order: bytes) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = _spawn(theirs.fileno())
                loop = asyncio.get_running_loop()
                self._transport, _ = await loop.create_unix_connection(lambda: self, sock=ours)
            except BaseException:
                ours.close()
                raise
        self._transport.write(order)

    def ask(
        self, item: Item, seq: int, candidate: Candidate
    ) -> asyncio.Future[VerdictColumns | None]:
        """The verdict on a candidate, or None when it must be found elsewhere."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[VerdictColumns | None] = loop.create_future()
        self._gathered.append(((item, seq, candidate), answer))
        self.waiting += 1
        if len(self._gathered) >= _BATCH:
            self._flush()
        elif self._flushing is None:
            self._flushing = loop.call_later(_GATHERING_S, self._flush)
        return answer

    def close(self) -> None:
        """End the process at once; it holds nothing that is not elsewhere."""
        self._lose()
        if self._transport is not None:
            self._transport.abort()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def data_received(self, data: bytes) -> None:
        for value in self._buffer.feed(data):
            if value is True:
                self.ready = not self.lost
            else:
                self._answer(self._sent.popleft(), value)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lose()

    def _flush(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        batch, self._gathered = self._gathered, []
        if not batch:
            return
        self._sent.append(batch)
        try:
            data = framed([work for work, _ in batch])
        except Exception:
            self._lose()
            return
        if self._transport is not None and not self.lost:
            self._transport.write(data)

    def _answer(self, batch: list[_Asked], found: list[tuple[Any, ...] | None]) -> None:
        self.waiting -= len(batch)
        for (_, answer), columns in zip(batch, found, strict=True):
            if not answer.done():
                answer.set_result(None if columns is None else VerdictColumns._make(columns))

    def _lose(self) -> None:
        """From now on nobody asks here, and whoever has asked must find out elsewhere."""
        self.ready, self.lost = False, True
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        self._sent.append(self._gathered)
        self._gathered = []
        while self._sent:
            batch = self._sent.popleft()
            self._answer(batch, [None] * len(batch))


def _spawn(fd: int) -> subprocess.Popen[bytes]:
    # It needs the same modules, but none of the secrets that the environment may hold.
    paths = [os.path.abspath(path) for path in sys.path]
    environ = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "generator.interpreting.child", str(fd)],
        pass_fds=(fd,),
        env={**environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
