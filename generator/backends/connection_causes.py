"""What went wrong below HTTP, named by exception types and error numbers."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator, Sequence

from generator.errors import ConnectionFault

NO_FREE_CONNECTION = (
    "no free connection in the pool: more requests at once than the concurrency "
    "this backend was made for (the server is not at fault)"
)
NO_CONNECTION_IN_TIME = "no connection in time"
BROKEN_COMPRESSION = "the answer's compression is broken"
BROKEN_HTTP = "the connection broke off, or what came is not HTTP"
BROKEN_OFF = "the connection broke off before the whole answer had come"

NamedCause = tuple[type[BaseException], str]

_SYSTEM: tuple[NamedCause, ...] = (
    (socket.gaierror, "the host name cannot be resolved"),
    (UnicodeError, "the host name cannot be resolved"),
    (ConnectionRefusedError, "connection refused, nothing listens there"),
)


def fault_of(error: BaseException, server: str, named: Sequence[NamedCause]) -> ConnectionFault:
    """The fault behind an exception of an HTTP library.

    `named` are the library's own exception types with their meanings, the first
    that fits counts; `server` is the base URL, for the message.
    """
    return ConnectionFault(f"{server}: {_cause(tuple(_chain(error)), named)}")


def no_answer_in_time(server: str, timeout_s: float) -> ConnectionFault:
    """The fault of a request whose time is up."""
    return ConnectionFault(f"{server}: no whole answer within {timeout_s:g} s")


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


def _cause(chain: tuple[BaseException, ...], named: Sequence[NamedCause]) -> str:
    if any(isinstance(e, OSError) and e.errno in (errno.EMFILE, errno.ENFILE) for e in chain):
        return (
            "too many open files in this process: lower --concurrency, "
            "or raise the limit (ulimit -n)"
        )
    return _tls(chain) or _known(chain, named) or _system_error(chain)


def _tls(chain: tuple[BaseException, ...]) -> str:
    untrusted = [e for e in chain if isinstance(e, ssl.SSLCertVerificationError)]
    if untrusted:
        why = _first(untrusted, "verify_message") or "it cannot be verified"
        return f"TLS: the server's certificate is not trusted ({why})"
    # "Wants to read" is no failure: it stands behind every timeout of a TLS connection.
    failed = [
        e
        for e in chain
        if isinstance(e, ssl.SSLError)
        and not isinstance(e, ssl.SSLWantReadError | ssl.SSLWantWriteError)
    ]
    if failed:
        reason = _first(failed, "reason") or type(failed[-1]).__name__
        return f"TLS: the handshake failed ({reason})"
    return ""


def _first(errors: Sequence[BaseException], name: str) -> str:
    """The first that says it: some errors of the type have no such attribute."""
    return next((said for e in errors if (said := getattr(e, name, None))), "")


def _known(chain: tuple[BaseException, ...], named: Sequence[NamedCause]) -> str:
    for kind, meaning in (*_SYSTEM, *named):
        if any(isinstance(error, kind) for error in chain):
            return meaning
    return ""


def _system_error(chain: tuple[BaseException, ...]) -> str:
    for error in chain:
        if isinstance(error, OSError) and error.errno is not None:
            name = errno.errorcode.get(error.errno, str(error.errno))
            return f"no connection ({name})"
    return f"no connection ({type(chain[-1]).__name__})"
