"""Lays out the dialogues of which nothing has to be weighed: most of what models write."""

from __future__ import annotations

from collections.abc import Sequence

from .labels import SIDES, SPEAKING, Label
from .model import Speaker
from .roles import Layout, Said
from .utterance import Utterance


def lay_out_plain(utterances: Sequence[Utterance]) -> Layout | None:
    """What `lay_out` gives in the common case, without weighing anything; None in any other.

    The common case: under a summary label a summary, then turns under two words, each with text,
    none numbered, where one word at least settles its role.
    """
    if len(utterances) < 2:
        return None
    opening, *rest = utterances
    first = opening.label
    if first is None or first.kind != "summary" or not (first.summary and opening.text):
        return None
    if first.ident or "" in [one.text for one in rest]:
        return None
    labels = dict.fromkeys([one.label for one in rest])
    settled: dict[str, Speaker | None] = {}
    for label in labels:
        if label is None or label.kind not in SPEAKING or label.ident or label.number is not None:
            return None
        settled.setdefault(label.base, SIDES.get(label.kind))
    if len(settled) != 2:
        return None
    one, other = settled
    if settled[one] == settled[other]:
        return None
    asker = one if settled[one] == "person" or settled[other] == "bot" else other
    side: dict[Label | None, Speaker] = {
        label: "person" if label is not None and label.base == asker else "bot" for label in labels
    }
    turns = [Said(side[label], text, span, at, None) for label, text, span, at in rest]
    return Layout(opening.text, opening.span, opening.at, tuple(turns))
