"""Splits by paper: all records of a paper fall into one part, whatever else is in the corpus."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.errors import WrongUse

_NAME = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Split:
    """Named parts with their shares (they sum to 1), and the seed of the draw."""

    parts: tuple[tuple[str, float], ...]
    seed: int = 0

    def part_of(self, paper_id: str) -> str:
        """The part of a paper: from a hash of seed and id, so never from order or position."""
        digest = hashlib.sha256(f"{self.seed}\0{paper_id}".encode("utf-8", "replace")).digest()
        drawn = int.from_bytes(digest[:8], "big") / 2**64
        edge = 0.0
        for name, share in self.parts:
            edge += share
            if drawn < edge:
                return name
        return self.parts[-1][0]


def parse_split(text: str, seed: int = 0) -> Split:
    """`train=0.9,valid=0.1` as a split. Raises `WrongUse` when the shares do not sum to 1."""
    parts: dict[str, float] = {}
    for piece in text.split(","):
        name, equals, share = piece.strip().partition("=")
        try:
            value = float(share)
        except ValueError:
            equals = ""
        if not equals or not _NAME.fullmatch(name) or name in parts or not 0 < value <= 1:
            raise WrongUse(f"--split {text}: expected NAME=SHARE,… like train=0.9,valid=0.1")
        parts[name] = value
    if abs(sum(parts.values()) - 1) > 1e-6:
        raise WrongUse(f"--split {text}: the shares sum to {sum(parts.values()):g}, not to 1")
    return Split(tuple(parts.items()), seed)


def counts_text(counts: Mapping[str, int]) -> str:
    """`train 90, valid 10`."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
