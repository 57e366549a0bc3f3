"""Values on a byte stream between a run and its own child process: a length, then a pickle."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

_LENGTH = struct.Struct("!I")


def framed(value: Any) -> bytes:
    """One value as bytes. Raises what `pickle` raises for a value it cannot hold."""
    body = pickle.dumps(value, protocol=5)
    return _LENGTH.pack(len(body)) + body


def read_frame(stream: BinaryIO) -> Any:
    """The next value of a blocking stream. Raises `EOFError` at its end, even within a value."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return pickle.loads(body)


class FrameBuffer:
    """Bytes as they arrive, given back as whole values."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Any]:
        """Take more bytes; gives every value that is whole by now."""
        self._bytes += data
        while len(self._bytes) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._bytes)
            end = _LENGTH.size + length
            if len(self._bytes) < end:
                return
            value = pickle.loads(memoryview(self._bytes)[_LENGTH.size : end].tobytes())
            del self._bytes[:end]
            yield value
