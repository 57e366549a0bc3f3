"""Reasons that the call itself gives: cut off, refused, empty, stopped by the provider."""

from __future__ import annotations

from generator.errors import CallFailed, ContentFiltered, ContextOverflow
from generator.filters.model import NOTHING_FOUND, FilterResult, Reason, only
from generator.filters.sample import DialogueSample
from generator.filters.settings import FilterSettings
from generator.values import Completion


def finish_reason(finish: str | None) -> tuple[Reason, ...]:
    """What the server's word for the end of an answer means; none for a regular end.

    `finish` in the vocabulary of OpenAI's API, which compatible servers share.
    """
    if finish == "length":
        detail = "the answer reached its token limit and stops in the middle (finish_reason length)"
        return (Reason("call", "truncated", detail),)
    if finish == "content_filter":
        return (Reason("call", "content_filter", "the provider's filter cut the answer off"),)
    return ()


def call_reasons(completion: Completion) -> tuple[Reason, ...]:
    """Every reason one completion gives by itself, before it is parsed."""
    reasons = list(finish_reason(completion.finish_reason))
    if completion.refusal:
        reasons.append(Reason("call", "refusal", f"the model refused: {completion.refusal[:200]}"))
    elif not completion.text.strip() and not reasons:
        reasons.append(Reason("call", "empty_answer", "the model answered with nothing"))
    return tuple(reasons)


def failed_call_reason(error: CallFailed) -> Reason | None:
    """The rejection that a failed call stands for, or None when the fault is the backend's.

    Only what would fail again for this very item is a rejection.
    """
    if isinstance(error, ContextOverflow | ContentFiltered):
        return Reason("call", error.code, str(error))
    return None


def finished(sample: DialogueSample, settings: FilterSettings) -> FilterResult:
    """The last call of the sample came to a regular end."""
    reasons = finish_reason(sample.finish_reason)
    return only(reasons[0]) if reasons else NOTHING_FOUND
