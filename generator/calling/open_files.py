"""Whether this process may open as many connections as are asked for."""

from __future__ import annotations

from generator.errors import WrongUse

_OTHER_FILES = 40
"""Open files beside the connections: inputs, the store, libraries, the terminal."""


def ensure_open_files(concurrency: int) -> None:
    """Raise the soft limit on open files to what `concurrency` needs, as far as allowed.

    Raises `WrongUse` when the hard limit is too low: named before the run, not
    as failed connections in the middle of it. Windows has no such limit.
    """
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    allowed = enough_open_files(
        concurrency, soft=None if soft == endless else soft, hard=None if hard == endless else hard
    )
    if allowed is not None:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        except (ValueError, OSError):
            raise _too_many(concurrency, soft) from None


def enough_open_files(concurrency: int, *, soft: int | None, hard: int | None) -> int | None:
    """The soft limit to set, or None when the present one is enough.

    `soft` and `hard` are the process's limits on open files, None for no limit.
    Raises `WrongUse` when `hard` does not allow it.
    """
    needed = concurrency + _OTHER_FILES
    if soft is None or needed <= soft:
        return None
    if hard is not None and needed > hard:
        raise _too_many(concurrency, hard)
    return needed


def _too_many(concurrency: int, limit: int) -> WrongUse:
    return WrongUse(
        f"--concurrency {concurrency} needs {concurrency + _OTHER_FILES} open files, and this "
        f"process may have {limit}: lower --concurrency, or raise the limit (ulimit -n)"
    )
