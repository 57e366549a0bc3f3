"""Answers that say the text does not hold the answer: wanted, marked, and not too many."""

from __future__ import annotations

from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, rounded
from generator.filters.sample import DialogueSample
from generator.filters.selfplay.settings import SelfPlayFilterSettings


def unanswerable(sample: DialogueSample, settings: SelfPlayFilterSettings) -> FilterResult:
    """Count them, and reject a dialogue with a larger share than wanted, or with no answer at all.

    `unanswerable_at` marks them: the turns' numbers, from 1, with commas ("4,8"; "" for none).
    """
    pairs = sample.pairs
    if not pairs:
        return NOTHING_FOUND
    missing = sorted(sample.missing_answers)
    share = len(missing) / len(pairs)
    measures: dict[str, float | int | str] = {
        "unanswerable_turns": len(missing),
        "unanswerable_share": rounded(share),
        "unanswerable_at": ",".join(str(index + 1) for index in missing),
    }
    if len(missing) == len(pairs):
        detail = f"none of the {len(pairs)} questions is answered: the text is said to lack it"
        return FilterResult((Reason("filter", "all_unanswerable", detail),), measures)
    if share > settings.max_unanswerable_share:
        detail = (
            f"{len(missing)} of {len(pairs)} answers say that the text lacks the answer, "
            f"at most {settings.max_unanswerable_share:.0%}"
        )
        place = sample.place(missing[0])
        return FilterResult((Reason("filter", "too_many_unanswerable", detail, place),), measures)
    return FilterResult((), measures)
