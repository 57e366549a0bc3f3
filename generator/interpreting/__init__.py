"""From a candidate to its verdict: in the run's own process, or in one beside it."""

from generator.interpreting.interpreting import Interpreting, ProcessorTime

__all__ = ["Interpreting", "ProcessorTime"]
