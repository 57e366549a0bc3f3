"""`dialogsmith inspect` as a user starts it: a process of its own, ended by Ctrl+C."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DIALOGSMITH = Path(sys.executable).with_name("dialogsmith")
PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Served:
    """A running inspector: where it listens, the run it shows, and its process."""

    url: str
    run: Path
    process: subprocess.Popen[str]

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and text of an address, asked without a browser."""
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def progress(self) -> dict[str, Any]:
        """What `/progress` says now."""
        return dict(json.loads(self.get("/progress")[1]))

    def wait_until_indexed(self, items: int) -> None:
        """Return when the index holds so many items and nothing is being looked at."""
        deadline = time.monotonic() + PATIENCE_S
        pause = threading.Event()
        while time.monotonic() < deadline:
            state = self.progress()
            if state["phase"] == "ready" and state["counts"]["items"] >= items:
                return
            pause.wait(0.05)
        raise AssertionError(f"the run was not indexed in {PATIENCE_S} s: {self.progress()}")


def dialogsmith(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    return subprocess.run(
        [DIALOGSMITH, *map(str, arguments)],
        capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip


@contextmanager
def inspected(run: Path, *options: object) -> Iterator[Served]:
    """The inspector of a run on a free port, until the end of the block."""
    process = subprocess.Popen(
        [DIALOGSMITH, "inspect", str(run), "--no-open", *map(str, options)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        if not url.startswith("http://127.0.0.1:"):
            process.kill()
            raise AssertionError(f"no address was printed: {url!r} {process.communicate()}")
        yield Served(url.removesuffix("/"), run, process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
