"""Makes the dialogue of a layout: turns with their places in the raw text, thanks left out."""

from __future__ import annotations

from dataclasses import replace

from .frame import is_content, is_thanks, is_welcome
from .model import Dialogue, Span, Turn
from .offsets import MappedText
from .roles import Layout


def dialogue_of(text: MappedText, layout: Layout) -> Dialogue:
    """The dialogue; a span is kept where the raw text there is what was said."""
    summary, summary_span, turns = layout.summary, layout.summary_span, layout.turns
    if text.text is text.raw:
        # nothing was changed: the spans are of the raw text
        made = [Turn(speaker, said, span) for speaker, said, span, _, _ in turns]
    else:
        made = [Turn(speaker, said, _raw(text, span, said)) for speaker, said, span, _, _ in turns]
        summary_span = _raw(text, summary_span, summary)
    return Dialogue(summary, tuple(made), summary_span)


def _raw(text: MappedText, span: Span | None, said: str) -> Span | None:
    if span is None:
        return None
    start, end = text.raw_span(*span)
    return (start, end) if text.raw[start:end] == said else None


def without_thanks(layout: Layout) -> Layout:
    """The layout without thanks, goodbyes and their answers at its end."""
    turns = list(layout.turns)
    while turns:
        if turns[-1].speaker == "person" and is_thanks(turns[-1].text):
            turns.pop()
        elif (
            len(turns) > 1
            and turns[-1].speaker == "bot"
            and turns[-2].speaker == "person"
            and (is_thanks(turns[-2].text) or is_content(turns[-2].text))
            and is_welcome(turns[-1].text)
        ):
            del turns[-2:]
        else:
            break
    return layout if len(turns) == len(layout.turns) else replace(layout, turns=tuple(turns))


def placeless(dialogue: Dialogue) -> Dialogue:
    """The dialogue without spans, for a text that was decoded."""
    return Dialogue(dialogue.summary, tuple(replace(turn, span=None) for turn in dialogue.turns))
