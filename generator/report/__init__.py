"""What a run gave: numbers, the terminal table, and a page to send to somebody."""

from generator.report.summary import MeasureSpread, ReasonCount, RunSummary, summarise

__all__ = ["MeasureSpread", "ReasonCount", "RunSummary", "summarise"]
