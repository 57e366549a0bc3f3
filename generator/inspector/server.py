"""A running inspector: in this process until it is told to stop, or in a thread for tests."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from generator.errors import WrongUse
from generator.inspector.app import make_app
from generator.inspector.opened_run import OpenedRun
from generator.inspector.pages import Pages
from generator.inspector.safety import Token
from generator.loopback import HOST, bound_socket, made_server
from generator.run_directory import RunDirectory

_BACKLOG = 128


class Inspector:
    """The inspector of one run, on 127.0.0.1 and nowhere else.

    `port` 0 takes a free one; it is bound as soon as the object is made.
    `compare` lists the run directories that may be held beside this one. As a
    context manager it runs in a thread; `run` serves in the current one. Raises
    `WrongUse` for what is no run directory and for a port that is taken,
    `StoreFault` for a store that cannot be read.
    """

    def __init__(self, run: Path, *, port: int = 0, compare: Sequence[Path] = ()) -> None:
        for other in compare:
            RunDirectory(other).read_manifest()
        self._run = OpenedRun(run)
        try:
            self._socket = bound_socket(port, backlog=_BACKLOG)
        except WrongUse:
            self._run.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self.token = Token(secrets.token_urlsafe(24), f"dialogsmith-{self.port}")
        self._pages = Pages(self._run, self.token, tuple(compare))
        self._uvicorn = made_server(make_app(self._pages))
        self._thread: threading.Thread | None = None

    @property
    def opened_run(self) -> OpenedRun:
        """The run that is shown."""
        return self._run

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{HOST}:{self.port}/"

    def start(self) -> None:
        """Begin to index the run; the page is there from now on."""
        self._run.start()

    def stop(self) -> None:
        """Let the server end soon; may be called from any thread."""
        self._uvicorn.should_exit = True

    def write_files(self) -> bool:
        """Write the line files where decisions left them behind; whether that was needed."""
        return self._run.line_files.write()

    def run(self) -> None:
        """Serve in this thread until `stop`."""
        try:
            with asyncio.Runner(loop_factory=self._uvicorn.config.get_loop_factory()) as runner:
                runner.run(self._uvicorn.serve(sockets=[self._socket]))
        finally:
            self._socket.close()
            self._pages.jobs.close()
            self._run.close()

    def __enter__(self) -> Inspector:
        self.start()
        self._thread = threading.Thread(target=self.run, name="inspector", daemon=True)
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
