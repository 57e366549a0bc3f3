"""Inputs and scripts for runs of the truthreader recipe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cited_corpus import script_lines, write_documents, write_script

import generator
from generator.recipes.truthreader import TruthReaderOptions

COUNT = 16
PLAIN = TruthReaderOptions(
    multi_share=0.0, question_mix="fact:1", unanswerable_share=0.3, topic_switch_share=0.5
)


@dataclass(frozen=True)
class Made:
    """Documents of one language, and the script that answers for every role."""

    lang: str
    documents: Path
    script: Path

    def run(self, out: Path, options: TruthReaderOptions = PLAIN, **more: Any) -> Any:
        """A run in which every role is scripted."""
        return generator.generate(
            "truthreader",
            more.pop("inputs", self.documents),
            out=out,
            **{"model": f"scripted:{self.script}", "lang": self.lang, "seed": 7, **more},
            options=options,
        )


@pytest.fixture(params=["en", "zh"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Made:
    lang: str = request.param
    return Made(
        lang,
        write_documents(tmp_path / "documents.jsonl", COUNT, lang),
        write_script(tmp_path / "script.jsonl", script_lines(COUNT, lang)),
    )
