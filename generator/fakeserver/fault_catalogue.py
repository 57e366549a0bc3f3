"""Every fault by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from generator.fakeserver.answer_faults import ANSWER_FAULTS
from generator.fakeserver.fault_model import FaultKind
from generator.fakeserver.status_faults import STATUS_FAULTS
from generator.fakeserver.wire_faults import WIRE_FAULTS

WINDOW = FaultKind(
    "rate_limit_window",
    "N requests in each T seconds, the others 429 with `Retry-After`",
    "RateLimited",
    argument="N/T",
)
"""The one fault with a memory: the server keeps the window."""

WINDOW_DEFAULT = (5, 1.0)
"""Requests, and seconds."""

FAULTS: Mapping[str, FaultKind] = MappingProxyType(
    {fault.name: fault for fault in (WINDOW, *STATUS_FAULTS, *ANSWER_FAULTS, *WIRE_FAULTS)}
)
