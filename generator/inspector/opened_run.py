"""A run as the pages see it: its manifest, its store and its index, read side by side."""

from __future__ import annotations

import queue
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.calling.prices import PriceTable, load_prices
from generator.errors import StoreFault
from generator.inspector.following import Follower
from generator.inspector.index_file import IndexReader
from generator.inspector.index_schema import INDEX_NAME
from generator.inspector.line_files import LineFiles
from generator.run_directory import RunDirectory
from generator.store import RunLock
from generator.store.scanning import StoreScanner

_READERS = 3
"""Pairs of connections; each page uses one while it is made, and further ones wait."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One steady state of the index, and the store beside it."""

    index: IndexReader
    store: StoreScanner


class OpenedRun:
    """A run directory opened for inspection. Nothing of the run is changed by opening it.

    The index lies in the run directory (`inspect.sqlite`). Where that cannot be
    written, or another inspector keeps it already, a copy of one's own is built
    in the temporary folder and deleted at the end. Raises `WrongUse` for what is
    no run directory, `StoreFault` where the store cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.directory = RunDirectory(path)
        manifest = self.directory.read_manifest()
        StoreScanner(self.directory.store).close()
        self.prices: PriceTable = load_prices()
        self.line_files = LineFiles(self.directory)
        self._temporary: Path | None = None
        self._lock = RunLock(path, ".inspect.lock")
        index = path / INDEX_NAME
        try:
            self._lock.acquire()
        except StoreFault:
            self._temporary = Path(tempfile.mkdtemp(prefix="dialogsmith-inspect-"))
            index = self._temporary / INDEX_NAME
        self.follower = Follower(
            self.directory.store,
            index,
            lang=str(manifest["settings"].get("lang", "en")),
            clock=time.monotonic,
        )
        self._index_path = index
        self._free: queue.LifoQueue[Reading | None] = queue.LifoQueue()

    @property
    def name(self) -> str:
        """The directory's own name, for titles."""
        return self.directory.path.resolve().name

    def manifest(self) -> Mapping[str, Any]:
        """The manifest as it is now: a refilter may have changed the filter settings."""
        return self.directory.read_manifest()

    def start(self) -> None:
        """Begin to index. Raises `StoreFault` when that cannot even begin."""
        self.follower.start()
        status = self.follower.status
        if status.phase == "stopped":
            self.close()
            raise StoreFault(status.trouble or f"{self._index_path}: cannot be written")
        for _ in range(_READERS):
            self._free.put(None)

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        """A pair of readers, for as long as one page needs them."""
        reading = self._free.get()
        try:
            if reading is None:
                reading = Reading(IndexReader(self._index_path), StoreScanner(self.directory.store))
            with reading.index.steady(), reading.store.steady():
                yield reading
        finally:
            self._free.put(reading)

    def close(self) -> None:
        self.follower.close()
        while not self._free.empty():
            reading = self._free.get()
            if reading is not None:
                reading.index.close()
                reading.store.close()
        self._lock.release()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
