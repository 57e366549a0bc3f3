"""The documents of a run's inputs: read once, kept and indexed on disk, found again by likeness."""

from __future__ import annotations

from generator.collection.index import Collection, StoredDocument
from generator.collection.sources import PassageRule, collect

__all__ = ["Collection", "PassageRule", "StoredDocument", "collect"]
