"""A strict OpenAI-compatible fake server on this machine, to rehearse a run before paying for it.

Answers depend on the request alone (and the seed), never on the order of the
calls. Importing this package imports no web server; `FakeServer` does when it starts.
"""

from __future__ import annotations

from generator.fakeserver.fault_catalogue import FAULTS
from generator.fakeserver.fault_choice import FaultSpec, ScheduleLine, parse_fault, read_schedule
from generator.fakeserver.fault_model import FaultKind
from generator.fakeserver.latency import Latency, parse_latency
from generator.fakeserver.server import FakeServer
from generator.fakeserver.settings import FakeServerSettings
from generator.fakeserver.token_count import count_tokens

__all__ = [
    "FAULTS",
    "FakeServer",
    "FakeServerSettings",
    "FaultKind",
    "FaultSpec",
    "Latency",
    "ScheduleLine",
    "count_tokens",
    "parse_fault",
    "parse_latency",
    "read_schedule",
]
