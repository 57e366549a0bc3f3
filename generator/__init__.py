"""dialogsmith: documents in, grounded dialogue corpora out.

The public names are loaded when they are first used, so that importing the
package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generator.api import agenerate, generate
    from generator.deciding import decide, undo
    from generator.errors import (
        BadKey,
        CallFailed,
        DialogsmithError,
        ModelNotFound,
        QuotaExhausted,
        RunStopped,
        SettingsDiffer,
        StoreFault,
        Unreachable,
        WrongUse,
    )
    from generator.filters import FilterSettings
    from generator.refiltering import refilter
    from generator.report import summarise
    from generator.run import RunResult
    from generator.whatif import JudgingChanges, what_if
    from parsers.segments import SegmentRule

_HOMES = {
    "BadKey": "generator.errors",
    "CallFailed": "generator.errors",
    "DialogsmithError": "generator.errors",
    "FilterSettings": "generator.filters",
    "JudgingChanges": "generator.judging",
    "ModelNotFound": "generator.errors",
    "QuotaExhausted": "generator.errors",
    "RunResult": "generator.run",
    "RunStopped": "generator.errors",
    "SegmentRule": "parsers.segments",
    "SettingsDiffer": "generator.errors",
    "StoreFault": "generator.errors",
    "Unreachable": "generator.errors",
    "WrongUse": "generator.errors",
    "agenerate": "generator.api",
    "decide": "generator.deciding",
    "generate": "generator.api",
    "refilter": "generator.refiltering",
    "summarise": "generator.report",
    "undo": "generator.deciding",
    "what_if": "generator.whatif",
}

__all__ = [
    "BadKey",
    "CallFailed",
    "DialogsmithError",
    "FilterSettings",
    "JudgingChanges",
    "ModelNotFound",
    "QuotaExhausted",
    "RunResult",
    "RunStopped",
    "SegmentRule",
    "SettingsDiffer",
    "StoreFault",
    "Unreachable",
    "WrongUse",
    "agenerate",
    "decide",
    "generate",
    "refilter",
    "summarise",
    "undo",
    "what_if",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'generator' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
