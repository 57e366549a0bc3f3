"""Inputs and scripts for runs of the truthreader recipe."""

from __future__ import annotations

from pathlib import Path

import pytest
from cited_corpus import script_lines, write_documents, write_script
from cited_runs import COUNT, Made


@pytest.fixture(params=["en", "zh"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Made:
    lang: str = request.param
    return Made(
        lang,
        write_documents(tmp_path / "documents.jsonl", COUNT, lang),
        write_script(tmp_path / "script.jsonl", script_lines(COUNT, lang)),
    )
