"""The process beside a run that reads candidates: `python -m generator.interpreting.child FD`.

It is sent a reader first, then batches of (item, place, candidate), over the socket that
it inherits; it answers each batch with verdicts ready for the store. It keeps nothing and
ends with the socket, so that it may be killed at any time.
"""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress

from generator.candidates import judged
from generator.interpreting.frames import framed, read_frame
from generator.recipes.model import Candidate, Item, Reader
from generator.store import VerdictColumns

Work = tuple[Item, int, Candidate]


def columns_or_none(reader: Reader, work: Work) -> tuple[object, ...] | None:
    """The verdict; None where reading fails, which the run then finds out by itself."""
    try:
        columns: VerdictColumns = judged(reader, *work)
    except Exception:
        return None
    return tuple(columns)


def serve(connection: socket.socket) -> None:
    """Answer until the other side has gone."""
    stream = connection.makefile("rb")
    with suppress(EOFError, OSError):
        reader: Reader = read_frame(stream)
        connection.sendall(framed(True))
        while True:
            batch: list[Work] = read_frame(stream)
            connection.sendall(framed([columns_or_none(reader, work) for work in batch]))


def main() -> None:
    # Ctrl+C goes to every process of the terminal; this one ends when its run does.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
