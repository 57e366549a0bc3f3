"""A person's questions, read once each: every later one is compared with all before it."""

from __future__ import annotations

from generator.filters.once import once
from generator.filters.selfplay import asked_about
from parsers.text.similarity import jaccard, rouge_l_f
from parsers.text.tokens import tokens


class AskedQuestion:
    """The text of a question; what the comparisons need is made at its first use and kept."""

    def __init__(self, text: str) -> None:
        self.text = text

    @once
    def tokens(self) -> list[str]:
        return tokens(self.text)

    @once
    def about(self) -> frozenset[str]:
        """The stems of what it is about."""
        return asked_about(self.text)

    def repeats(self, earlier: AskedQuestion, max_similarity: float, max_overlap: float) -> bool:
        """Whether both ask the same: near each other by ROUGE-L F1 and by what they are about."""
        return (
            rouge_l_f(self.tokens, earlier.tokens) > max_similarity
            and jaccard(self.about, earlier.about) > max_overlap
        )
