"""A dialogue whose questions were asked before in the corpus."""

from __future__ import annotations

from collections.abc import Sequence

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, rounded
from generator.filters.selfplay.question_index import QuestionMatch
from generator.filters.selfplay.settings import SelfPlayFilterSettings


def repeated_in_corpus(
    questions: Sequence[str],
    matches: Sequence[QuestionMatch],
    settings: SelfPlayFilterSettings,
    names: Sequence[str] | None = None,
) -> FilterResult:
    """Judge what `QuestionIndex.find` (or `add`) said of the questions of one dialogue.

    `names` gives the dialogues' names for the detail, one for each `match` (by default the number
    under which the index knows them). Order decides: the first dialogue keeps its questions.
    """
    if not questions:
        return NOTHING_FOUND
    share = len(matches) / len(questions)
    measures = {"corpus_repeats": len(matches), "corpus_repeat_share": rounded(share)}
    if share <= settings.max_corpus_repeats:
        return FilterResult((), measures)
    first = matches[0]
    earlier = f"number {first.dialogue + 1}" if names is None else names[0]
    detail = (
        f"{len(matches)} of {len(questions)} questions stand in earlier dialogues, at most "
        f"{settings.max_corpus_repeats:.0%}; “{questions[first.question][:80]}” in {earlier}"
    )
    return FilterResult((Reason("corpus", "repeated_in_corpus", detail),), measures)
