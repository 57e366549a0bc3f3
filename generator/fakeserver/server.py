"""A running fake server: in this process until it is told to stop, or in a thread for tests."""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

from generator.errors import WrongUse
from generator.fakeserver.journal import Entry
from generator.fakeserver.rehearsal import Rehearsal
from generator.fakeserver.settings import FakeServerSettings
from generator.loopback import HOST, bound_socket, made_server

if TYPE_CHECKING:
    import uvicorn

_BACKLOG = 2048
# Clients keep idle connections for less; a server that closes first makes them fail.
_KEEP_ALIVE_S = 120


class FakeServer:
    """One server on 127.0.0.1.

    As a context manager it runs in a thread with a loop of its own:

        with FakeServer(FakeServerSettings(seed=7)) as server:
            make_backend(f"openai:fake@{server.base_url}", environ={})

    `serve` runs it in the current thread instead. `port` 0 takes a free one;
    the port is bound as soon as the object is made. Raises `WrongUse` when the
    port is taken or the log cannot be written.
    """

    def __init__(self, settings: FakeServerSettings | None = None, *, port: int = 0) -> None:
        self._settings = settings or FakeServerSettings()
        self._socket = bound_socket(port, backlog=_BACKLOG)
        try:
            self._rehearsal = Rehearsal(self._settings)
        except WrongUse:
            self._socket.close()
            raise
        self._base_url = f"http://{HOST}:{self._socket.getsockname()[1]}/v1"
        self._uvicorn = self._made()
        self._thread: threading.Thread | None = None
        self._ended = 0

    @property
    def base_url(self) -> str:
        """What goes into a SPEC: `http://127.0.0.1:PORT/v1`."""
        return self._base_url

    def stats(self) -> dict[str, Any]:
        """What `/stats` shows."""
        return self._rehearsal.journal.stats()

    def entries(self) -> tuple[Entry, ...]:
        """The last requests that have ended, oldest first."""
        return tuple(self._rehearsal.journal.entries)

    def stop(self) -> None:
        """Let the server end soon; may be called from any thread."""
        self._uvicorn.should_exit = True

    async def serve(self) -> None:
        """Serve until `stop`, or until the settings' seconds or requests are used up."""
        limit_s = self._settings.max_seconds
        handle = None
        if limit_s is not None:
            handle = asyncio.get_running_loop().call_later(limit_s, self.stop)
        try:
            await self._uvicorn.serve(sockets=[self._socket])
        finally:
            if handle is not None:
                handle.cancel()
            self._socket.close()
            self._rehearsal.journal.close()

    def run(self) -> None:
        """`serve` in this thread, in a loop of its own."""
        with asyncio.Runner(loop_factory=self._uvicorn.config.get_loop_factory()) as runner:
            runner.run(self.serve())

    def __enter__(self) -> FakeServer:
        self._thread = threading.Thread(target=self.run, name="fake-server", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _made(self) -> uvicorn.Server:
        from generator.fakeserver.app import Connection, make_app

        def find_connection(client: tuple[str, int]) -> Connection | None:
            for connection in server.server_state.connections:
                if getattr(connection, "client", None) == client:
                    transport: Connection = connection.transport
                    return transport
            return None

        def on_end() -> None:
            self._ended += 1
            limit = self._settings.max_requests
            if limit is not None and self._ended >= limit:
                self.stop()

        server = made_server(
            make_app(self._rehearsal, find_connection, on_end),
            backlog=_BACKLOG,
            timeout_keep_alive=_KEEP_ALIVE_S,
        )
        return server
