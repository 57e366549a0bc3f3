"""Ready-made summaries by segment id, kept on disk so that a million of them cost no memory."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

from generator.errors import WrongUse


class SummaryFile:
    """A JSONL file of `{"id": segment id, "summary": text}`. Raises `WrongUse` with file:line."""

    def __init__(self, path: Path) -> None:
        # An empty name makes SQLite keep the table in a temporary file of its own.
        self._table = sqlite3.connect("", check_same_thread=False)
        self._table.execute("CREATE TABLE summaries (id TEXT PRIMARY KEY, summary TEXT NOT NULL)")
        digest = hashlib.sha256()
        try:
            with path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    digest.update(line)
                    if line.strip(b"\xef\xbb\xbf \t\r\n"):
                        self._add(line, f"{path}:{number}")
        except OSError as error:
            raise WrongUse(f"--summaries {path}: cannot be read ({error.strerror})") from None
        self.fingerprint = digest.hexdigest()

    def _add(self, line: bytes, place: str) -> None:
        try:
            value = json.loads(line.decode("utf-8-sig", "replace"))
            id_, summary = value["id"], value["summary"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise WrongUse(f'{place}: expected {{"id": …, "summary": …}}') from None
        if not isinstance(id_, str) or not isinstance(summary, str) or not summary.strip():
            raise WrongUse(f"{place}: id and summary must be texts, and the summary not empty")
        clean = summary.strip().encode("utf-8", "replace").decode("utf-8")
        try:
            self._table.execute("INSERT INTO summaries VALUES (?, ?)", (id_, clean))
        except sqlite3.IntegrityError:
            raise WrongUse(f"{place}: a second summary for {id_}") from None

    def get(self, segment_id: str) -> str | None:
        """The summary of a segment, or None."""
        row = self._table.execute(
            "SELECT summary FROM summaries WHERE id = ?", (segment_id,)
        ).fetchone()
        return None if row is None else str(row[0])
