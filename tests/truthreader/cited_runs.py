"""A corpus of one language with its script, and how it is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import generator
from generator.recipes.truthreader import TruthReaderOptions

COUNT = 12
PLAIN = TruthReaderOptions(
    multi_share=0.0,
    question_mix="fact:1",
    history_mix="0:3,2:2,8:1",
    unanswerable_share=0.4,
    topic_switch_share=0.5,
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
