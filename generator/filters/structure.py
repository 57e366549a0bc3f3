"""The form of a dialogue: summary, speakers in turn, enough pairs, no empty or endless text."""

from __future__ import annotations

from itertools import pairwise

from generator.filters.model import FilterResult, Reason, rounded
from generator.filters.sample import DialogueSample
from generator.filters.settings import FilterSettings


def structure(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Person first, strictly in turn, ending in an answer, with at least `min_pairs` pairs.

    The check of PaperPersiChat (an even number of turns, person at even places),
    each fault with a code of its own.
    """
    reasons: list[Reason] = []
    turns = sample.dialogue.turns
    speakers = [turn.speaker for turn in turns]
    if speakers and speakers[0] != "person":
        reasons.append(
            Reason("filter", "wrong_order", "the first turn is the bot's", sample.place(0))
        )
    for i, (before, speaker) in enumerate(pairwise(speakers), start=1):
        if before == speaker:
            detail = f"turns {i} and {i + 1} are both the {speaker}'s"
            reasons.append(Reason("filter", "same_speaker_twice", detail, sample.place(i)))
            break
    if len(turns) % 2:
        reasons.append(
            Reason("filter", "odd_turn_count", f"{len(turns)} turns", sample.place(len(turns) - 1))
        )
    pairs = len(sample.pairs)
    if pairs < settings.min_pairs:
        detail = f"{pairs} question/answer pairs, at least {settings.min_pairs} are needed"
        reasons.append(Reason("filter", "too_few_turns", detail))
    return FilterResult(tuple(reasons), {"turns": len(turns), "pairs": pairs})


def lengths(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """No empty or wordless text, none beyond the length bounds."""
    reasons: list[Reason] = []
    summary = len(sample.summary.tokens)
    if not summary:
        detail = "there is no summary, or it holds no word"
        reasons.append(Reason("filter", "missing_summary", detail, sample.place(None)))
    elif summary < settings.min_summary_tokens:
        detail = f"the summary has {summary} tokens, at least {settings.min_summary_tokens}"
        reasons.append(Reason("filter", "short_summary", detail, sample.place(None)))
    elif summary > settings.max_summary_tokens:
        detail = f"the summary has {summary} tokens, at most {settings.max_summary_tokens}"
        reasons.append(Reason("filter", "overlong_summary", detail, sample.place(None)))
    counts: dict[str, list[int]] = {"person": [], "bot": []}
    limits = {"person": settings.max_question_tokens, "bot": settings.max_answer_tokens}
    of_turns = [len(seen.tokens) for seen in sample.turns]
    for i, (turn, count) in enumerate(zip(sample.dialogue.turns, of_turns, strict=True)):
        speaker = turn.speaker
        counts[speaker].append(count)
        if not count:
            detail = f"turn {i + 1} ({speaker}) holds no word"
            reasons.append(Reason("filter", "empty_turn", detail, sample.place(i)))
        elif count > limits[speaker]:
            detail = f"turn {i + 1} ({speaker}) has {count} tokens, at most {limits[speaker]}"
            reasons.append(Reason("filter", "overlong_turn", detail, sample.place(i)))
    return FilterResult(
        tuple(reasons),
        {
            "summary_chars": len(sample.dialogue.summary),
            "summary_tokens": summary,
            "question_tokens_mean": _mean(counts["person"]),
            "question_tokens_max": max(counts["person"], default=0),
            "answer_tokens_mean": _mean(counts["bot"]),
            "answer_tokens_max": max(counts["bot"], default=0),
        },
    )


def _mean(counts: list[int]) -> float:
    return rounded(sum(counts) / len(counts)) if counts else 0.0
