"""Which inputs a run has: a fingerprint of their contents, without reading them twice.

Whether files have changed since they were read is asked of the file system, as version control
does: by size, times and place on the disk. Only where that leaves a doubt are they read again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generator.inputs import STDIN, InputFile, input_files

SETTLED_S = 2.0
"""A file changed less than so many seconds before it was read could have changed once more since,
at a time that the file system cannot tell from the first."""

_HASHED_AT_ONCE = 1 << 17


@dataclass(frozen=True, slots=True)
class InputsSeen:
    """The inputs as they were read: `contents` is the run's fingerprint of them (64 hex digits).

    `state` is a digest of what the file system says of them; None where it could hide a change.
    """

    contents: str
    state: str | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any] | None) -> InputsSeen | None:
        return None if value is None else cls(value["contents"], value["state"])


def fingerprint_inputs(paths: Sequence[Path | str]) -> str:
    """Give a sha256 (64 hex digits) of what the paths hold: names, sizes and contents.

    It depends on the order in which they are read, since that is the order of the
    corpus, but not on where the inputs lie.
    Standard input counts by its name only: it can be read just once.

    Raises:
        WrongUse: as `iter_papers` does.
    """
    digest = hashlib.sha256()
    for file in input_files(paths):
        digest.update(_contents(file))
    return digest.hexdigest()


def state_of_inputs(paths: Sequence[Path | str], *, now: float) -> str | None:
    """Give a sha256 (64 hex digits) of what the file system says of the files, in order.

    It changes whenever a file is written, replaced, moved or touched. None when a change could
    stay hidden: a file was changed within the last two seconds, or cannot be looked at. `now`
    is the time of day, in seconds since the epoch.

    Raises:
        WrongUse: as `iter_papers` does.
    """
    digest = hashlib.sha256()
    for file in input_files(paths):
        if file.path == STDIN or file.fault is not None:
            return None
        try:
            found = os.stat(file.path)
        except OSError:
            return None
        if max(found.st_mtime, found.st_ctime) > now - SETTLED_S:
            return None
        told = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_dev, found.st_ino)
        digest.update(b"%b\0%b\n" % (_name(file), repr(told).encode()))
    return digest.hexdigest()


def see_inputs(
    paths: Sequence[Path | str], known: InputsSeen | None = None, *, now: float
) -> InputsSeen:
    """Give the fingerprint of the inputs; they are not read when they are as `known` says.

    Raises:
        WrongUse: as `iter_papers` does.
    """
    state = state_of_inputs(paths, now=now)
    if known is not None and state is not None and state == known.state:
        return known
    return InputsSeen(fingerprint_inputs(paths), state)


def _contents(file: InputFile) -> bytes:
    content = hashlib.sha256()
    size = 0
    if file.path != STDIN and file.fault is None:
        # One block that stays in the processor's cache: a third quicker than large ones.
        block = memoryview(bytearray(_HASHED_AT_ONCE))
        try:
            with open(file.path, "rb", buffering=0) as stream:
                while read := stream.readinto(block):
                    size += read
                    content.update(block[:read])
        except OSError:
            size = -1
    return b"%b\0%d\0%b\n" % (_name(file), size, content.hexdigest().encode())


def _name(file: InputFile) -> bytes:
    return os.fsencode(file.name).replace(os.fsencode(os.sep), b"/")
