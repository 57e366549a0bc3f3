"""What the servers of this project share: loopback only, and signals that are the command's."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from generator.errors import WrongUse

if TYPE_CHECKING:
    import uvicorn

HOST = "127.0.0.1"
_GRACE_S = 1


def bound_socket(port: int, *, backlog: int) -> socket.socket:
    """A listening socket on 127.0.0.1; port 0 takes a free one. Raises `WrongUse` when taken.

    It listens before any loop runs: a client that is quicker than the loop just waits.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HOST, port))
        bound.listen(backlog)
    except (OSError, OverflowError) as error:
        bound.close()
        why = getattr(error, "strerror", None) or "no such port"
        raise WrongUse(
            f"port {port} of {HOST} cannot be used: {why}. Give another --port, or 0 to take a "
            "free one."
        ) from None
    return bound


def made_server(app: Any, **options: Any) -> uvicorn.Server:
    """A silent uvicorn for `app`; `options` are further ones of `uvicorn.Config`."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Signals are the caller's: uvicorn would raise them again after a clean end."""
            yield

    return Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_S,
            **options,
        )
    )


@contextlib.contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Within this, SIGINT and SIGTERM call `stop` (main thread only)."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
