"""What the server keeps of each request: counts, the last entries, and the log file."""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generator.errors import WrongUse

KEPT_ENTRIES = 10_000
"""Entries that `/log` shows; the file has all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One request after its end.

    `number` is its position by arrival, `request` the request's hash (empty
    when the request could not be read), `attempt` counts from 1 since the
    request was last answered. `answered`: a whole answer was handed to the
    connection. `in_flight` are the other requests that were being worked on
    when it ended; `at_s` is seconds since the server began.
    """

    number: int
    request: str
    attempt: int
    form: str
    model: str
    status: int
    fault: str | None
    answered: bool
    in_flight: int
    prompt_tokens: int
    completion_tokens: int
    at_s: float


class Journal:
    """Writes entries to a file, each before the next request can see its effects."""

    def __init__(self, log: Path | None) -> None:
        self._file: int | None = None
        if log is not None:
            try:
                self._file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            except OSError as error:
                raise WrongUse(f"--log {log}: cannot be written ({error.strerror})") from None
        self.entries: deque[Entry] = deque(maxlen=KEPT_ENTRIES)
        self.answered = 0
        self.requests = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self._by_status: Counter[int] = Counter()
        self._by_fault: Counter[str] = Counter()

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.requests += 1
        self._by_status[entry.status] += 1
        if entry.fault is not None:
            self._by_fault[entry.fault] += 1
        if entry.answered:
            self.answered += 1
            self.prompt_tokens += entry.prompt_tokens
            self.completion_tokens += entry.completion_tokens
        if self._file is not None:
            # One write of one line: a reader never sees half of it, nor does a crash leave it.
            os.write(self._file, line_of(entry).encode("ascii"))

    def begin(self) -> None:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def end(self) -> None:
        self.in_flight -= 1

    def stats(self) -> dict[str, Any]:
        """Counts since the start. Status 0: the connection was cut without a reply."""
        by_status, by_fault = dict(self._by_status), dict(self._by_fault)
        return {
            "requests": self.requests,
            "answered": self.answered,
            "in_flight": self.in_flight,
            "most_in_flight": self.most_in_flight,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "by_status": {str(key): by_status[key] for key in sorted(by_status)},
            "by_fault": {key: by_fault[key] for key in sorted(by_fault)},
        }

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def line_of(entry: Entry) -> str:
    """The entry as one line of JSON."""
    return json.dumps(asdict(entry), separators=(",", ":")) + "\n"
