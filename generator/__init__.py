"""dialogsmith: documents in, grounded dialogue corpora out.

The public names are loaded when they are first used, so that importing the
package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from generator.api import agenerate, generate
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
    from parsers.segments import SegmentRule

_HOMES = {
    "BadKey": "generator.errors",
    "CallFailed": "generator.errors",
    "DialogsmithError": "generator.errors",
    "FilterSettings": "generator.filters",
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
    "generate": "generator.api",
    "refilter": "generator.refiltering",
    "summarise": "generator.report",
}

__all__ = [
    "BadKey",
    "CallFailed",
    "DialogsmithError",
    "FilterSettings",
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
    "generate",
    "refilter",
    "summarise",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'generator' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
