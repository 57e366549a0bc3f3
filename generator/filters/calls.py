"""Reasons that the call itself gives: cut off, refused, empty, stopped by the provider."""

from __future__ import annotations

from generator.errors import CallFailed, ContentFiltered, ContextOverflow
from generator.filters.model import NOTHING_FOUND, FilterResult, Reason
from generator.filters.sample import DialogueSample
from generator.filters.settings import FilterSettings
from generator.values import Completion


def call_reasons(
    completion: Completion, settings: FilterSettings | None = None
) -> tuple[Reason, ...]:
    """Every reason one completion gives by itself, before it is parsed.

    Codes that `settings` switches off are left out.
    """
    reasons = list(_end_reasons(completion.finish_reason))
    if completion.refusal:
        reasons.append(Reason("call", "refusal", f"the model refused: {completion.refusal[:200]}"))
    elif not completion.text.strip() and not reasons:
        detail = "the model answered with nothing"
        if completion.reasoning:
            detail = f"the model gave its reasoning ({len(completion.reasoning)} characters) alone"
        reasons.append(Reason("call", "empty_answer", detail))
    off = frozenset[str]() if settings is None else settings.off
    return tuple(reason for reason in reasons if reason.code not in off)


def failed_call_reason(error: CallFailed) -> Reason | None:
    """The rejection that a failed call stands for, or None when the fault is the backend's.

    Only what would fail again for this very item is a rejection.
    """
    if isinstance(error, ContextOverflow | ContentFiltered):
        return Reason("call", error.code, str(error))
    return None


def finished(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """The filter that reads `sample.finish_reason`.

    Not one of `DIALOGUE_FILTERS`: where the completion is at hand, `call_reasons`
    has said it. For judging dialogues of which only the finish reason was kept.
    """
    reasons = _end_reasons(sample.finish_reason)
    return FilterResult(reasons) if reasons else NOTHING_FOUND


def _end_reasons(finish: str | None) -> tuple[Reason, ...]:
    # The vocabulary of OpenAI's API, which compatible servers share.
    if finish == "length":
        detail = "the answer reached its token limit and stops in the middle (finish_reason length)"
        return (Reason("call", "truncated", detail),)
    if finish == "content_filter":
        return (Reason("call", "content_filter", "the provider's filter cut the answer off"),)
    return ()
