"""The thresholds of the filters for cited answers, each with its unit and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.filters.thresholds import (
    check_thresholds,
    thresholds_from_json,
    thresholds_to_json,
)


@dataclass(frozen=True, slots=True)
class TruthReaderFilterSettings:
    """Thresholds and switches. Token: an alphanumeric word or one CJK character.

    A unit is a content word, or two neighbouring characters of an unspaced script. A value equal to
    a threshold passes; only what lies beyond it is rejected. "Sample" is the public sample of 20
    TruthReader records.
    """

    off: frozenset[str] = frozenset()
    """Codes that are switched off: such a reason is dropped, its measures are still recorded."""

    max_documents: int = 4
    """Documents of a record: the application retrieves four, the sample has one to four."""

    max_history: int = 8
    """Strings of the history, user and assistant in turn. The longest of the sample."""

    min_question_tokens_en: int = 3
    """Words of the shortest English question. The sample's have 19 on average, the shortest 4."""

    max_question_tokens_en: int = 90
    """Words of the longest English question. Own choice: the longest of the sample has 56."""

    min_question_tokens_zh: int = 4
    """Tokens of the shortest Chinese question. The sample's have 18 on average."""

    max_question_tokens_zh: int = 120
    """Tokens of the longest Chinese question. Own choice."""

    min_answer_tokens_en: int = 5
    """Words of the shortest English answer. Own choice; the sample's have 258 on average."""

    max_answer_tokens_en: int = 700
    """Words of the longest English answer. Own choice: beyond it the application's model, with
    4,096 tokens for documents and answer, has no room."""

    min_answer_tokens_zh: int = 8
    """Tokens of the shortest Chinese answer. Own choice; the sample's have 208 on average."""

    max_answer_tokens_zh: int = 900
    """Tokens of the longest Chinese answer. Own choice, as for English."""

    min_language_share: float = 0.4
    """Share of the words (of a Chinese text: characters and words) of question or answer that must
    be of the language's script. Own choice: names and terms are Latin in any language."""

    min_language_tokens: int = 12
    """Words a text or a sentence must have before its language is judged."""

    max_uncited_sentences: int = 0
    """Sentences without a marker in an answer, those that claim nothing aside. The answers of the
    sample are cited through their last sentence."""

    min_span_tokens: int = 5
    """Tokens a cited span must have to be judged alone: WebGLM leaves shorter sentences out."""

    min_span_support: float = 0.3
    """Share of a cited span's tokens that its documents must have (ROUGE-1 precision). Below 0.30
    the application shows it in red; 2 % (zh) and 4 % (en) of the sample's spans are below."""

    min_high_share: float = 0.5
    """Share of an answer's cited spans that must reach 0.65, which the application shows in green.
    Own choice: over the whole sample it is 94 % (zh) and 93 % (en)."""

    max_elsewhere: float = 0.3
    """How much more of a span's content units a document that is not cited there may have than the
    cited ones. Own choice: WebGLM's bonus for markers that are already there is 0.3."""

    min_margin: float = 0.1
    """Mean over the spans of what the cited documents have more of their content units than the
    best document that is not cited. Own choice: common words alone give 0.55 in the sample, so a
    share of tokens says little without it."""

    min_marker_support: float = 0.1
    """Share of a span's content units that each document of a group of several must have, when
    another one of the group has at least 0.65. Own choice, after the precision of ALCE."""

    max_copied_share: float = 0.9
    """Share of a document's sequences of six words (ten characters) that the answer may hold word
    for word. Own choice: above it, the answer is the document."""

    min_copied_tokens: int = 100
    """Tokens a document must have for `max_copied_share`. Own choice: all of a paragraph or less
    may be needed; the sample's documents have 466 (zh) and 664 (en) on average."""

    max_title_share: float = 0.8
    """Share of the answer's content units, those of the question aside, that may stand in the
    titles of the cited documents. Own choice: above it, the titles alone answer."""

    max_loop_share: float = 0.3
    """Share of the six-word (ten-character) sequences that are repeats, as for dialogues."""

    min_corpus_units: int = 3
    """Units a question must have to be compared across the corpus: "How old is it?" is another
    question in every record."""

    def __post_init__(self) -> None:
        check_thresholds(self)

    def question_tokens(self, lang: str) -> tuple[int, int]:
        """Fewest and most tokens of a question; other languages are measured like English."""
        if lang == "zh":
            return self.min_question_tokens_zh, self.max_question_tokens_zh
        return self.min_question_tokens_en, self.max_question_tokens_en

    def answer_tokens(self, lang: str) -> tuple[int, int]:
        """Fewest and most tokens of an answer; other languages are measured like English."""
        if lang == "zh":
            return self.min_answer_tokens_zh, self.max_answer_tokens_zh
        return self.min_answer_tokens_en, self.max_answer_tokens_en

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values in a fixed order; `from_json` gives the same settings back."""
        return thresholds_to_json(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TruthReaderFilterSettings:
        """Settings from JSON values; what is not named keeps its default.

        Raises `ValueError` for an unknown name or a value that the setting cannot have.
        """
        return thresholds_from_json(cls, values, called="TruthReader filter setting")
