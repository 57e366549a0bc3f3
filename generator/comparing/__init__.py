"""Two runs over the same inputs, side by side: another model, another prompt, other filters."""

from generator.comparing.model import (
    ComparedRun,
    Comparison,
    MeasurePair,
    PairedSample,
    ReasonPair,
    SampleSide,
    SettingDifference,
)
from generator.comparing.run_pair import RunPair, compare_runs
from generator.store import CHANGES, PairedItem, Place, Standing

__all__ = [
    "CHANGES",
    "ComparedRun",
    "Comparison",
    "MeasurePair",
    "PairedItem",
    "PairedSample",
    "Place",
    "ReasonPair",
    "RunPair",
    "SampleSide",
    "SettingDifference",
    "Standing",
    "compare_runs",
]
