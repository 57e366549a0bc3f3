"""Notices labelled lines that an answer may quote as an example: "It has these fields:"."""

from __future__ import annotations

from collections.abc import Sequence

from .labels import SPEAKING
from .utterance import Utterance

_ASKING = frozenset({"person", "question", "asker"})
_MARKS = " \t*_`\"“”'’"


def find_example(utterances: Sequence[Utterance]) -> Utterance | None:
    """The first utterance of which nobody can tell whether it is a turn or part of an answer.

    It comes right after an answer that ends in a colon, under a label not used until then though
    two others were, and either the next label is new as well or the earlier question label comes
    back later. Without the colon, a change of labels is only a change of labels.
    """
    turns = [one for one in utterances if one.label is not None and one.label.kind in SPEAKING]
    bases = ["" if one.label is None else one.label.base for one in turns]
    if len(set(bases)) < 3:
        return None
    seen: set[str] = set()
    for at, (one, base) in enumerate(zip(turns, bases, strict=True)):
        if (
            base not in seen
            and len(seen) > 1
            and _answers(turns[at - 1])
            and turns[at - 1].text.rstrip(_MARKS).endswith((":", "："))
            and (_is_new(bases, at + 1, seen) or bases[at - 2] in bases[at + 1 :])
        ):
            return one
        seen.add(base)
    return None


def _answers(one: Utterance) -> bool:
    return one.label is not None and one.label.kind not in _ASKING


def _is_new(bases: Sequence[str], at: int, seen: set[str]) -> bool:
    return at < len(bases) and bases[at] not in seen
