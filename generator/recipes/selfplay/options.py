"""The settings of the self-play recipe alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from generator.filters.selfplay import SelfPlayFilterSettings


@dataclass(frozen=True, slots=True)
class SelfPlayOptions:
    """Settings of this recipe alone.

    `on_failure`: a dialogue cut short is rejected, or kept when at least
    `min_rounds` were finished (upstream kept two). `summaries` names a JSONL
    file of ready-made summaries by segment id.
    """

    rounds: int = 4
    turn_retries: int = 2
    summary_retries: int = 2
    on_failure: Literal["reject", "keep"] = "reject"
    min_rounds: int = 2
    summaries: Path | None = None
    filters: SelfPlayFilterSettings = field(default_factory=SelfPlayFilterSettings)

    def __post_init__(self) -> None:
        for name in ("rounds", "min_rounds"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more")
        if self.turn_retries < 0 or self.summary_retries < 0:
            raise ValueError("retries cannot be negative")
