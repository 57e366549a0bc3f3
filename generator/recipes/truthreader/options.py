"""The settings of the TruthReader recipe alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.filters.truthreader import TruthReaderFilterSettings
from parsers.text.question_types import QUESTION_TYPES

HISTORY_LENGTHS = (0, 2, 4, 6, 8)
MOST_DOCUMENTS = 4


@dataclass(frozen=True, slots=True)
class TruthReaderOptions:
    """Settings of this recipe alone.

    `question_mix` and `history_mix` hold weights by name, such as
    "fact:3,topic:1" and "0:2,4:1"; what is not named is not drawn.
    `passage_tokens` and `min_document_tokens` count words and unspaced
    characters. Defaults: history lengths as in the 20 published records (8, 6, 3,
    2, 1 of them), passages so long that four fit the published application's
    3,200-token context, two gold documents nearly as often as published answers
    cite several (30 % zh, 50 % en); the other figures are own choices.
    """

    questions_per_document: int = 1
    multi_share: float = 0.3
    unanswerable_share: float = 0.1
    question_mix: str = "fact:3,explanation:2,comparison:1,list:1,yes_no:1,topic:2"
    history_mix: str = "0:8,2:6,4:3,6:2,8:1"
    topic_switch_share: float = 0.3
    max_documents: int = MOST_DOCUMENTS
    passage_tokens: int = 600
    min_document_tokens: int = 20
    retries: int = 2
    repair: bool = True
    judge: bool = False
    filters: TruthReaderFilterSettings = field(default_factory=TruthReaderFilterSettings)

    def __post_init__(self) -> None:
        for name in ("multi_share", "unanswerable_share", "topic_switch_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {getattr(self, name)}")
        for name, least in (
            ("questions_per_document", 1),
            ("passage_tokens", 50),
            ("min_document_tokens", 1),
            ("retries", 0),
        ):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be {least} or more, not {getattr(self, name)}")
        if not 1 <= self.max_documents <= MOST_DOCUMENTS:
            raise ValueError(
                f"max_documents must be from 1 to {MOST_DOCUMENTS}, not {self.max_documents}"
            )
        weights_of(self.question_mix, QUESTION_TYPES, "question_mix")
        weights_of(self.history_mix, tuple(map(str, HISTORY_LENGTHS)), "history_mix")

    @property
    def question_weights(self) -> Mapping[str, float]:
        return weights_of(self.question_mix, QUESTION_TYPES, "question_mix")

    @property
    def history_weights(self) -> Mapping[int, float]:
        """By the number of earlier strings."""
        names = tuple(map(str, HISTORY_LENGTHS))
        found = weights_of(self.history_mix, names, "history_mix")
        return {int(name): weight for name, weight in found.items()}


def weights_of(text: str, known: tuple[str, ...], what: str) -> dict[str, float]:
    """ "a:3,b:1" as weights by name. Raises `ValueError` naming `what` and the faulty part."""
    weights: dict[str, float] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, number = (side.strip() for side in part.partition(":"))
        if name not in known:
            raise ValueError(f"{what}: there is no {name!r}; there are: {', '.join(known)}")
        if name in weights:
            raise ValueError(f"{what}: {name} stands twice")
        try:
            weights[name] = float(number)
        except ValueError:
            raise ValueError(f"{what}: {part!r} is not NAME:WEIGHT, such as {name}:2") from None
        if not 0 <= weights[name] < float("inf"):
            raise ValueError(f"{what}: the weight of {name} must be 0 or more, not {number}")
    if not sum(weights.values()) > 0:
        raise ValueError(f"{what}: at least one weight must be more than 0")
    return weights
