"""What went wrong below HTTP, named by exception types and error numbers."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from types import ModuleType

from generator.errors import ConnectionFault


def connection_fault(error: BaseException, http: ModuleType, server: str) -> ConnectionFault:
    """The fault behind an exception of the SDK.

    `http` is the HTTP library the SDK speaks (httpx2, or httpx before openai 3),
    `server` the base URL, for the message.
    """
    return ConnectionFault(f"{server}: {_cause(tuple(_chain(error)), http)}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception, what it came from, and the members of groups; each once."""
    waiting, seen = [error], set[int]()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting.extend(e for e in (current.__cause__, current.__context__) if e is not None)
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)


def _cause(chain: tuple[BaseException, ...], http: ModuleType) -> str:
    if any(isinstance(e, OSError) and e.errno in (errno.EMFILE, errno.ENFILE) for e in chain):
        return (
            "too many open files in this process: lower --concurrency, "
            "or raise the limit (ulimit -n)"
        )
    for error in chain:
        if isinstance(error, ssl.SSLCertVerificationError):
            why = getattr(error, "verify_message", "") or "it cannot be verified"
            return f"TLS: the server's certificate is not trusted ({why})"
    for error in chain:
        # "Wants to read" is no failure: it stands behind every timeout of a TLS connection.
        if isinstance(error, ssl.SSLError) and not isinstance(
            error, ssl.SSLWantReadError | ssl.SSLWantWriteError
        ):
            return f"TLS: the handshake failed ({error.reason or type(error).__name__})"
    return _known(chain, http) or _system_error(chain)


def _known(chain: tuple[BaseException, ...], http: ModuleType) -> str:
    named: tuple[tuple[type[BaseException], str], ...] = (
        (
            http.PoolTimeout,
            "no free connection in the pool: more requests at once than the concurrency "
            "this backend was made for (the server is not at fault)",
        ),
        (socket.gaierror, "the host name cannot be resolved"),
        (ConnectionRefusedError, "connection refused, nothing listens there"),
        (http.ProxyError, "the proxy refuses the connection"),
        (http.ConnectTimeout, "no connection in time"),
        (http.ReadTimeout, "the answer did not come in time"),
        (http.WriteTimeout, "the request could not be sent in time"),
        (http.DecodingError, "the answer's compression is broken"),
        (http.RemoteProtocolError, "the connection broke off, or what came is not HTTP"),
        (http.ReadError, "the connection broke off before the whole answer had come"),
        (http.WriteError, "the connection broke off while the request was sent"),
    )
    for kind, meaning in named:
        if any(isinstance(error, kind) for error in chain):
            return meaning
    return ""


def _system_error(chain: tuple[BaseException, ...]) -> str:
    for error in chain:
        if isinstance(error, OSError) and error.errno is not None:
            name = errno.errorcode.get(error.errno, str(error.errno))
            return f"no connection ({name})"
    return f"no connection ({type(chain[-1]).__name__})"
