"""Keeping the index of a run up to date, also while the run is being written."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from generator.errors import DialogsmithError
from generator.inspector.index_writer import IndexWriter
from generator.inspector.traits import traits_of
from generator.store.scanning import ScannedItem, StoreScanner

Phase = Literal["starting", "building", "checking", "ready", "stopped"]

_BATCH = 2048
_CHECKED_AT_ONCE = 4096
_QUIET_S = 2.0
"""Seconds without a change in the store after which all of it is compared with the index."""

_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class FollowerStatus:
    """What the follower is doing. `done` of `total` rows are indexed or compared; `writing` is
    true while another process changes the store; `trouble` says why it stopped."""

    phase: Phase = "starting"
    done: int = 0
    total: int = 0
    writing: bool = False
    trouble: str | None = None


class Follower:
    """One thread that carries what is in the store over into the index.

    New and unfinished items are looked at whenever the store has changed. Once it has been
    quiet for a while, every row is compared, so that a refilter, a decision or the judgement
    over the whole corpus is noticed as well.
    """

    def __init__(self, store: Path, index: Path, *, lang: str, clock: Callable[[], float]) -> None:
        self._store_path = store
        self._index_path = index
        self._lang = lang
        self._clock = clock
        self._status = FollowerStatus()
        self._ending = threading.Event()
        self._nudged = threading.Event()
        self._all_asked = threading.Event()
        self._renewals: queue.SimpleQueue[tuple[tuple[str, ...], threading.Event]] = (
            queue.SimpleQueue()
        )
        self._opened = threading.Event()
        self._thread = threading.Thread(target=self._work, name="index-follower", daemon=True)

    @property
    def status(self) -> FollowerStatus:
        return self._status

    def start(self) -> None:
        """Begin, and wait until the index can be read."""
        self._thread.start()
        self._opened.wait()

    def close(self) -> None:
        self._ending.set()
        self._nudged.set()
        if self._thread.is_alive():
            self._thread.join()

    def look_again(self) -> None:
        """Compare everything soon: much of the store may have changed."""
        self._all_asked.set()
        self._nudged.set()

    def renew(self, keys: Sequence[str], wait_s: float) -> None:
        """Index these items anew now, because the caller has changed them; waits until done."""
        done = threading.Event()
        self._renewals.put((tuple(keys), done))
        self._nudged.set()
        done.wait(wait_s)

    def _work(self) -> None:
        try:
            with _Pass(self._store_path, self._index_path, self._lang, self._say) as work:
                self._opened.set()
                self._follow(work)
        except DialogsmithError as error:
            self._status = replace(self._status, phase="stopped", trouble=str(error))
        except Exception as error:
            # The page goes on with what is indexed, and says so.
            trouble = f"the index cannot be kept up to date: {error!r}"
            self._status = replace(self._status, phase="stopped", trouble=trouble)
        finally:
            self._opened.set()

    def _follow(self, work: _Pass) -> None:
        changed_at: float | None = None if work.is_up_to_date() else self._clock() - _QUIET_S
        version = work.store.version()
        if changed_at is not None:
            work.add_new()
        while not self._ending.is_set():
            self._nudged.clear()
            if self._all_asked.is_set():
                self._all_asked.clear()
                changed_at = self._clock() - _QUIET_S
            if self._renew(work):
                # What the caller wrote is known; what another process may have written in the
                # same moment is found with its next change.
                version = work.store.version()
            if (now := work.store.version()) != version:
                version, changed_at = now, self._clock()
                self._status = replace(self._status, writing=True)
                work.add_new()
            if changed_at is not None and self._clock() - changed_at >= _QUIET_S:
                self._status = replace(self._status, writing=False)
                changed_at = None
                work.add_new()
                work.check_all()
            self._status = replace(self._status, phase="ready")
            self._nudged.wait(_POLL_S)

    def _renew(self, work: _Pass) -> bool:
        renewed = False
        while not self._renewals.empty():
            keys, done = self._renewals.get()
            work.renew(keys)
            done.set()
            renewed = True
        return renewed

    def _say(self, phase: Phase, done: int, total: int) -> bool:
        """Note progress; false when the thread is to end."""
        self._status = replace(self._status, phase=phase, done=done, total=total)
        return not self._ending.is_set()


class _Pass:
    """The store and its index, opened together."""

    def __init__(
        self, store: Path, index: Path, lang: str, say: Callable[[Phase, int, int], bool]
    ) -> None:
        self._store_path = store
        self._lang = lang
        self._say = say
        self.store = StoreScanner(store)
        self.index = IndexWriter(index, self.store.first_key() or "empty")
        self._known_first = self.store.first_key()

    def __enter__(self) -> _Pass:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
        self.index.close()

    def is_up_to_date(self) -> bool:
        """Whether the files are those that were last compared in full."""
        return self.index.get("compared") == self._stamp()

    def add_new(self) -> None:
        """Index items that are new, and those that were pending or failed and are no more."""
        self._say("building", self.index.size(), self.store.size())
        while batch := self.store.scan_after(self.index.size() - 1, _BATCH):
            self._write(batch)
            self.index.bin_measures(growth=4)
            if not self._say("building", self.index.size(), self.store.size()):
                return
        for state in ("pending", "failed"):
            moved = self.index.rows_in("place", state) ^ set(self.store.places_in_state(state))
            for seqs in _portions(sorted(moved)):
                self._write(self.store.scan(seqs))
        self.index.bin_measures(growth=1.5)

    def renew(self, keys: Sequence[str]) -> None:
        """Index the items with these keys anew."""
        places = (self.store.item_place(key) for key in keys)
        self._write(self.store.scan([place[0] for place in places if place is not None]))

    def check_all(self) -> None:
        """Compare every row, and index those anew that differ."""
        stamp, total = self._stamp(), self.store.size()
        seq = -1
        while found := self.store.signatures_after(seq, _CHECKED_AT_ONCE):
            known = self.index.signatures([found[0][0], found[-1][0]])
            differing = [place for place, signature in found if known.get(place) != signature]
            for seqs in _portions(differing):
                self._write(self.store.scan(seqs))
            seq = found[-1][0]
            if not self._say("checking", seq + 1, total):
                return
        self.index.put("compared", stamp)

    def _write(self, items: Iterable[ScannedItem]) -> None:
        self.index.write(
            [traits_of(item, self.store.scanned_calls(item), self._lang) for item in items]
        )

    def _stamp(self) -> str:
        """Size and time of the store's files: equal when nothing was written in between."""
        parts = []
        for suffix in ("", "-wal"):
            path = self._store_path.with_name(self._store_path.name + suffix)
            about = path.stat() if path.exists() else None
            parts.append("-" if not about or not about.st_size else
                         f"{about.st_size}:{about.st_mtime_ns}")  # fmt: skip
        return " ".join(parts)


def _portions(seqs: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(seqs), _BATCH):
        yield seqs[start : start + _BATCH]
