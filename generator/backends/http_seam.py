"""The one HTTP seam of the OpenAI backends: a POST, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

IDLE_CONNECTION_S = 4.5
"""Seconds an idle connection is kept.

Servers and load balancers close theirs after 5 s (uvicorn) and more; a request
sent at that very moment is lost, so the client gives a connection up first.
"""

_CONNECT_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An HTTP answer of any status. Header names are lower case; repeated ones are joined."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpClient(Protocol):
    """Sends requests to one server; two implementations, alike in every outcome."""

    async def post(self, path: str, body: Mapping[str, Any]) -> HttpAnswer:
        """One attempt. `path` follows the base URL, `body` is sent as JSON.

        Redirects are not followed. Raises `ConnectionFault` when no whole answer
        came; no exception of the HTTP library is chained to it, for those hold
        the request and with it the key.
        """

    async def aclose(self) -> None:
        """Close the connections."""


def connect_timeout_s(request_timeout_s: float) -> float:
    """Seconds to wait for a connection (or for a free one), of those a request has in all."""
    return min(_CONNECT_TIMEOUT_S, request_timeout_s / 2)
