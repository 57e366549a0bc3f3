"""A run claims its directory: locked, with the copies of what can be read only once."""

from __future__ import annotations

import os
import shutil
from contextlib import AsyncExitStack

from generator.errors import StoreFault
from generator.inputs import is_stream, spool_streams
from generator.inputs_seen import InputsSeen, see_inputs
from generator.run_directory import RunDirectory
from generator.settings import RunSettings
from generator.store import RunLock
from generator.store.scanning import StoreScanner

INPUTS_SEEN = "inputs_seen"
"""Under this name a store keeps how its run last saw its inputs."""


def claim_directory(
    settings: RunSettings, stack: AsyncExitStack, *, now: float
) -> tuple[RunDirectory, tuple[str, ...], InputsSeen]:
    """Make and lock the run directory; also the inputs to read, and their fingerprint.

    A mistake in the inputs is found before anything is made. What can be read
    only once is copied into the directory first. `now` is the time of day, in seconds.
    """
    directory = RunDirectory(settings.out)
    streams = any(map(is_stream, settings.inputs))
    seen = None
    if not streams:
        seen = see_inputs(settings.inputs, seen_before(directory), now=now)
    directory.create()
    lock = RunLock(directory.path)
    lock.acquire()
    stack.callback(lock.release)
    shutil.rmtree(directory.new_inputs, ignore_errors=True)
    inputs = spool_streams(settings.inputs, directory.new_inputs)
    return directory, inputs, seen or see_inputs(inputs, now=now)


def seen_before(directory: RunDirectory) -> InputsSeen | None:
    """The inputs as an earlier session of the run saw them; None where there was none."""
    if not os.path.isfile(directory.store):
        return None
    try:
        store = StoreScanner(directory.store)
    except StoreFault:
        return None  # Whoever opens it to go on says what is wrong with it.
    try:
        return InputsSeen.from_json(store.meta(INPUTS_SEEN))
    finally:
        store.close()


def keep_spooled(directory: RunDirectory, inputs: tuple[str, ...]) -> tuple[str, ...]:
    """Let the copies of this time take the place of an earlier time's; gives their paths."""
    new, kept = directory.new_inputs, directory.inputs
    if not new.exists():
        return inputs
    shutil.rmtree(kept, ignore_errors=True)
    new.replace(kept)
    return tuple(path.replace(new.as_posix(), kept.as_posix(), 1) for path in inputs)
