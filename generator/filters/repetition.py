"""Dialogues that go round in circles: loops, echoes, repeated questions and answers."""

from __future__ import annotations

from collections.abc import Sequence

from generator.filters.model import FilterResult, Reason, rounded
from generator.filters.sample import DialogueSample, place_name
from generator.filters.settings import FilterSettings
from parsers.text.content import SIX_WORDS, TextView
from parsers.text.questions import is_question
from parsers.text.repetition import (
    longest_run,
    loop_share,
    repeated_pairs,
    repeated_share,
    sequence_in,
)
from parsers.text.similarity import rouge_l_f

MIN_COMPARED_TOKENS = 3
"""Shorter turns are never a repeat: "Why?" may be asked twice."""

MIN_ECHO_WORDS = 4
"""Fewer different words on either side are never an echo."""

LONGEST_REMARK = 8
"""Tokens up to which a person turn that asks nothing is a remark ("Thank you, I see.")."""

MAX_COMPARED = 40
"""Turns before a turn that it is compared with, so that time stays linear in the turns."""

_YES_NO = frozenset(
    ["yes", "no", "yeah", "nope", "correct", "right", "是的", "不是", "对", "没错", "是"]
)


def loops(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Text that repeats itself: within a turn, over all turns, or a block said over and over."""
    tokens = sample.turn_tokens
    whole = repeated_share(tokens, max([SIX_WORDS, *[seen.sequence for seen in sample.turns]]))
    measures = {
        "loop_share": rounded(whole),
        "distinct_1": rounded(len(sample.turn_words) / len(tokens)) if tokens else 0.0,
    }
    # A block in three rounds repeats all its pairs but those of the first round.
    shortest_run = settings.max_run_tokens + 1
    run_pairs = shortest_run - shortest_run // 3 - 1
    most = settings.max_loop_share
    for index, seen in sample.texts:
        _, found, _, _, sequence, repeats = seen
        if repeats <= 0:
            continue  # No pair was there before, so no sequence and no block either.
        # A repeated sequence is a row of repeated pairs, and the next one needs one pair more.
        length = sequence_in(len(found), sequence)
        bound = most * (len(found) - length + 1) + length - 2
        if repeats < run_pairs and repeats < bound:
            continue
        pairs = repeated_pairs(found)
        detail = _loop(seen, most) if pairs >= bound else None
        if detail is None and pairs >= run_pairs:
            run = longest_run(found, min_length=shortest_run)
            if run is not None:
                detail = f"says the same {run.rounds} times in a row ({run.length} tokens)"
        if detail is not None:
            reason = Reason("filter", "loop", f"{place_name(index)} {detail}", sample.place(index))
            return FilterResult((reason,), measures)
    if whole > most:
        detail = f"{whole:.0%} of the word sequences of the dialogue are repeats"
        return FilterResult((Reason("filter", "loop", detail),), measures)
    return FilterResult((), measures)


def _loop(seen: TextView, most: float) -> str | None:
    share = loop_share(seen.tokens, seen.sequence)
    return f"repeats {share:.0%} of its word sequences" if share > most else None


def echoes(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """A turn that says again what was just said to it.

    A person turn is compared with the bot turn before it and with the summary,
    an answer with its question. A question made from a sentence of the text
    shares many words with an answer that quotes this sentence; that pair is an
    echo only beyond the wider bound, or when the answer adds nothing.
    """
    reasons: list[Reason] = []
    turns, summary = sample.dialogue.turns, sample.summary
    worst_question = worst_pair = 0.0
    for i, question in sample.questions:
        named, overlap = "the summary", _overlap(question, summary)
        worst_question = max(worst_question, overlap)
        if overlap <= settings.max_echo and i > 0 and turns[i - 1].speaker == "bot":
            named, overlap = "the answer before it", _overlap(question, sample.turns[i - 1])
            worst_question = max(worst_question, overlap)
        if overlap > settings.max_echo:
            detail = f"turn {i + 1} (person) repeats {named}: {overlap:.0%} of the words"
            reasons.append(Reason("filter", "echo", detail, sample.place(i)))
    for pair in sample.pairs:
        overlap = _overlap(pair.question, pair.answer)
        worst_pair = max(worst_pair, overlap)
        if overlap > settings.max_question_answer_overlap or (
            overlap > settings.max_echo and _adds_nothing(pair.question, pair.answer)
        ):
            detail = (
                f"turns {pair.question_index + 1} and {pair.answer_index + 1}: question and answer "
                f"share {overlap:.0%} of their words"
            )
            reasons.append(Reason("filter", "echo", detail, sample.place(pair.answer_index)))
    return FilterResult(
        tuple(reasons),
        {"echo_max": rounded(worst_question), "question_answer_overlap_max": rounded(worst_pair)},
    )


def repeated_questions(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Two person turns that ask the same, word for word or nearly. Thanks may repeat."""
    asked = [
        (i, seen)
        for i, seen in sample.questions
        if len(seen.tokens) > LONGEST_REMARK or is_question(seen.text)
    ]
    similarity, repeats = _repeats(
        asked, settings.max_question_similarity, settings.max_content_overlap
    )
    reasons = tuple(
        [
            Reason(
                "filter",
                "repeated_question",
                f"turn {later + 1} asks what turn {earlier + 1} asked",
                sample.place(later),
            )
            for earlier, later in repeats
        ]
    )
    return FilterResult(reasons, {"question_overlap_max": rounded(similarity)})


def repeated_answers(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """Two bot turns that say the same; saying twice that the text lacks an answer is no fault."""
    missing = sample.missing_answers
    answers = [
        (i, seen)
        for i, (turn, seen) in enumerate(zip(sample.dialogue.turns, sample.turns, strict=True))
        if turn.speaker == "bot" and i not in missing
    ]
    similarity, repeats = _repeats(
        answers, settings.max_answer_similarity, settings.max_content_overlap
    )
    reasons = tuple(
        [
            Reason(
                "filter",
                "repeated_answer",
                f"turn {later + 1} answers what turn {earlier + 1} answered",
                sample.place(later),
            )
            for earlier, later in repeats
        ]
    )
    return FilterResult(reasons, {"answer_overlap_max": rounded(similarity)})


def _repeats(
    turns: Sequence[tuple[int, TextView]], max_similarity: float, max_overlap: float
) -> tuple[float, list[tuple[int, int]]]:
    """The largest content overlap, and (earlier, later) positions of the turns that repeat."""
    worst = 0.0
    repeats: list[tuple[int, int]] = []
    earlier_turns: list[tuple[int, list[str], frozenset[str]]] = []
    for later, (_, tokens, _, content, _, _) in turns:
        if len(tokens) >= MIN_COMPARED_TOKENS:
            for earlier, others, other_content in earlier_turns[-MAX_COMPARED:]:
                shared = len(content & other_content)
                overlap = shared / (len(content) + len(other_content) - shared) if shared else 0.0
                if overlap > worst:
                    worst = overlap
                if tokens == others or (
                    overlap > max_overlap and rouge_l_f(others, tokens) > max_similarity
                ):
                    repeats.append((earlier, later))
                    break
        earlier_turns.append((later, tokens, content))
    return worst, repeats


def _overlap(left: TextView, right: TextView) -> float:
    words, others = left.words, right.words
    size, other_size = len(words), len(others)
    if size < MIN_ECHO_WORDS or other_size < MIN_ECHO_WORDS:
        return 0.0
    shared = len(words & others)
    return shared / (size + other_size - shared)


def _adds_nothing(question: TextView, answer: TextView) -> bool:
    opening = answer.tokens[0]
    if opening in _YES_NO or "".join(answer.tokens[:2]) in _YES_NO:
        return False
    return answer.content <= question.content
