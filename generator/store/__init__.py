"""The durable store of a run."""

from generator.store.lock import RunLock
from generator.store.registering import Place, Registered, Registration
from generator.store.rows import (
    AttemptRow,
    CallRow,
    ItemRow,
    SkipRow,
    VerdictRow,
    pack_request,
    unpack_request,
)
from generator.store.run_store import RunStore
from generator.store.writer import Backlog, described, naming_store_faults

__all__ = [
    "AttemptRow",
    "Backlog",
    "CallRow",
    "ItemRow",
    "Place",
    "Registered",
    "Registration",
    "RunLock",
    "RunStore",
    "SkipRow",
    "VerdictRow",
    "described",
    "naming_store_faults",
    "pack_request",
    "unpack_request",
]
