"""A candidate that remembers how it came about, so that its reader need not follow it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.recipes.model import Candidate
from generator.recipes.selfplay.conversation import Conversation


@dataclass(frozen=True, slots=True)
class FollowedCandidate(Candidate):
    """What its answers make: `summary` and `talk`, as reading them one by one would give them.

    It is for the judgement that follows at once, by the rules it was followed with. Pickled, it
    is a plain candidate: whoever gets it reads its answers.
    """

    summary: str = field(kw_only=True, repr=False, compare=False)
    talk: Conversation = field(kw_only=True, repr=False, compare=False)

    def __reduce__(self) -> tuple[type[Candidate], tuple[Any, ...]]:
        return Candidate, (self.answers, self.refused, self.notes)
