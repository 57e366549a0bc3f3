"""One writer a run directory: a lock that dies with the process that holds it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from generator.errors import StoreFault


class RunLock:
    """An advisory lock on `<run>/.lock`. The operating system frees it when the process ends.

    `name` gives another lock in the same directory, for what must not keep a run from being
    written; `advice` ends the error when another process is writing there.
    """

    def __init__(
        self,
        directory: Path,
        name: str = ".lock",
        advice: str = "Wait for it to end, or choose another --out.",
    ) -> None:
        self._path = directory / name
        self._advice = advice
        self._file: IO[str] | None = None

    def acquire(self) -> None:
        """Take the lock, or raise `StoreFault` naming the process that has it."""
        try:
            handle = self._path.open("a+", encoding="utf-8")
        except OSError as error:
            raise StoreFault(
                f"{self._path.parent}: the run directory cannot be written "
                f"({error.strerror}). Check its permissions, or choose another --out."
            ) from None
        try:
            _lock(handle)
        except OSError:
            handle.seek(0)
            holder = handle.read(32).strip() or "unknown"
            handle.close()
            raise StoreFault(
                f"{self._path.parent}: another run (process {holder}) is writing here. "
                f"{self._advice}"
            ) from None
        handle.truncate(0)
        handle.write(f"{os.getpid()}\n")
        handle.flush()
        self._file = handle

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


if os.name == "nt":
    import msvcrt

    def _lock(handle: IO[str]) -> None:
        handle.seek(0)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]

else:
    import fcntl

    def _lock(handle: IO[str]) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
