"""What the exceptions of the SDK and of the HTTP library under it mean."""

from __future__ import annotations

from types import ModuleType

from generator.backends.connection_causes import (
    BROKEN_COMPRESSION,
    BROKEN_HTTP,
    BROKEN_OFF,
    NO_CONNECTION_IN_TIME,
    NO_FREE_CONNECTION,
    fault_of,
)
from generator.errors import ConnectionFault


def connection_fault(error: BaseException, http: ModuleType, server: str) -> ConnectionFault:
    """The fault behind an exception of the SDK.

    `http` is the HTTP library the SDK speaks (httpx2, or httpx before openai 3),
    `server` the base URL, for the message.
    """
    named: tuple[tuple[type[BaseException], str], ...] = (
        (http.PoolTimeout, NO_FREE_CONNECTION),
        (http.ProxyError, "the proxy refuses the connection"),
        (http.ConnectTimeout, NO_CONNECTION_IN_TIME),
        (http.DecodingError, BROKEN_COMPRESSION),
        (http.RemoteProtocolError, BROKEN_HTTP),
        (http.ReadError, BROKEN_OFF),
        (http.WriteError, BROKEN_OFF),
    )
    return fault_of(error, server, named)
