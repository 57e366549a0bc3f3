"""Cutting a text that is longer than a model's context, at the end of a sentence."""

from __future__ import annotations

from generator.errors import ContextOverflow
from parsers.sentences import sentence_spans

_DEFAULT_SHARE = 0.6
_MARGIN = 0.9


def trimmed(text: str, overflow: ContextOverflow) -> str:
    """The beginning of `text` that should fit, by the counts the server gave if it did.

    Ends after a whole sentence where there is one. Always shorter than `text`.
    """
    needed, there = overflow.prompt_tokens, overflow.context_tokens
    share = _DEFAULT_SHARE
    if needed and there and there < needed:
        share = min(_DEFAULT_SHARE + 0.3, there / needed * _MARGIN)
    cut = text[: max(1, int(len(text) * share))]
    spans = sentence_spans(cut)
    return cut[: spans[-2][1]] if len(spans) > 1 else cut
