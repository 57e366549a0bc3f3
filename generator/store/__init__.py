"""The durable store of a run."""

from generator.store.lock import RunLock
from generator.store.packing import pack_request, unpack_request
from generator.store.pairing import CHANGES, PairedItem, Place, Standing, StorePair
from generator.store.registering import ItemPlace, Registered, Registration
from generator.store.resume_point import ResumePoint
from generator.store.rows import (
    AttemptRow,
    CallRow,
    Decision,
    ItemRow,
    SkipRow,
    VerdictRow,
)
from generator.store.run_store import RunStore
from generator.store.verdict_columns import VerdictColumns, verdict_columns
from generator.store.verdict_reading import fresh_verdict
from generator.store.writer import Backlog, described, naming_store_faults

__all__ = [
    "CHANGES",
    "AttemptRow",
    "Backlog",
    "CallRow",
    "Decision",
    "ItemPlace",
    "ItemRow",
    "PairedItem",
    "Place",
    "Registered",
    "Registration",
    "ResumePoint",
    "RunLock",
    "RunStore",
    "SkipRow",
    "Standing",
    "StorePair",
    "VerdictColumns",
    "VerdictRow",
    "described",
    "fresh_verdict",
    "naming_store_faults",
    "pack_request",
    "unpack_request",
    "verdict_columns",
]
