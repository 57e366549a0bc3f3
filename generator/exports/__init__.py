"""Other formats made from a run: one generator of plain records each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from generator.exports.qa import qa_records
from generator.exports.summarization import summarization_records
from generator.store import RunStore

Exporter = Callable[[RunStore], Iterator[tuple[str, Mapping[str, Any]]]]
"""Gives (paper id, record) in input order; records of one paper never part in a split."""

EXPORTS: Mapping[str, Exporter] = MappingProxyType(
    {"summarization": summarization_records, "qa": qa_records}
)

__all__ = ["EXPORTS", "Exporter", "qa_records", "summarization_records"]
