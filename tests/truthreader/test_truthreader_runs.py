"""Whole runs of the truthreader recipe with prepared answers, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from cited_corpus import read_lines
from conftest import COUNT, PLAIN

def test_first(corpus, tmp_path):
    result = corpus.run(tmp_path / "run")
    print(result.counts)
    for l in read_lines(tmp_path / "run" / "rejected.jsonl")[:5]:
        print(l["reasons"], l["raw"])
    assert 0
