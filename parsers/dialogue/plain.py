"""Reads a dialogue written as lines of text, each turn after its label."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .assembly import Assembly
from .fences import Fenced, look_at_fences
from .inline import find_inline
from .labels import SPEAKING, LabelReader, merge_labels
from .lines import Candidate, Form, find_candidates, read_at
from .speakers import Cast, are_roles, find_cast, settle_letters
from .surroundings import find_lead
from .utterance import Reading, Utterance

_FORMS: tuple[Form, ...] = ("colon", "bracket", "own", "dash", "dotted")

MOST_LABELS = 4_000
"""A text with more labels than this is a loop of the model, whatever it says."""


def read_plain(text: str, reader: LabelReader) -> Reading | None:
    """The utterances of `text`, or None when it names no speakers and no summary."""
    fenced = _within_quotes(text, look_at_fences(text))
    candidates = find_candidates(text, reader, MOST_LABELS)
    if len(candidates) >= MOST_LABELS:
        place = (candidates[0].line, len(text))
        return Reading((), "degenerate_repetition", "labels without end", place)
    if fenced.pairs:
        fenced = fenced.around([c.line for c in candidates if c.label.kind != "topic"])
        candidates = [
            c
            for c in candidates
            if fenced.start <= c.line < fenced.end and not fenced.hides(c.line)
        ]
    candidates = [with_second_label(text, c, reader) for c in candidates]
    _settle(candidates)
    cast, usable = _cast_of(candidates)
    if len(cast.chosen) < 2 and (
        inline := find_inline(text, reader, fenced.start, fenced.end, MOST_LABELS)
    ):
        inline = [with_second_label(text, c, reader) for c in inline]
        _settle(inline)
        inline_cast, inline_usable = _cast_of(inline)
        if len(inline_cast.chosen) == 2:
            candidates, cast, usable = inline, inline_cast, inline_usable
    if not cast.chosen and not any(c.label.summary for c in candidates):
        return None
    return Assembly(text, candidates, cast, usable, fenced, reader).reading()


def peel_label(one: Utterance, reader: LabelReader) -> Utterance:
    """Take a label off the text of an utterance that has one already: "Summary: …" by "You"."""
    text = one.text
    if one.label is None or (
        ":" not in text[:40] and "：" not in text[:40] and text[:1] not in "([【（"
    ):
        return one
    second = None if text[:4].casefold() == "the " else read_at(text, 0, len(text), reader)
    if second is None or second.form not in {"colon", "bracket"} or second.start >= len(text):
        return one
    merged = merge_labels(one.label, second.label)
    if merged is None:
        return one
    return one._replace(label=merged, text=text[second.start :], span=None)


def read_lead(text: str, end: int, reader: LabelReader) -> tuple[Utterance, ...]:
    """What comes before a dialogue in tags, JSON or a table: a labelled summary, or loose text."""
    before = text[:end]
    if not before.strip():
        return ()
    reading = read_plain(before, reader)
    if reading is not None:
        said = [one for one in reading.utterances if one.label is not None]
        return (said[0],) if said and said[0].label is not None and said[0].label.summary else ()
    lead = find_lead(before, 0, end)
    return () if lead is None else (lead,)


def _within_quotes(text: str, fenced: Fenced) -> Fenced:
    """Leave out a pair of quotation marks around the whole output."""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    pair = text[start : start + 1] + text[end - 1 : end]
    if pair not in {'""', "“”"} or end - start < 3 or f"\n{pair[0]}" in text:
        return fenced
    return Fenced(start + 1, end - 1, fenced.pairs) if fenced.end == len(text) else fenced


def _settle(candidates: list[Candidate]) -> None:
    """Decide, in place, which one-letter labels are names."""
    if 1 not in [len(candidate.label.base) for candidate in candidates]:
        return
    labels = settle_letters([c.label for c in candidates])
    for at, (candidate, label) in enumerate(zip(candidates, labels, strict=True)):
        if candidate.label is not label:
            candidates[at] = candidate._replace(label=label)


def _cast_of(candidates: Sequence[Candidate]) -> tuple[Cast, frozenset[int]]:
    """The speakers, and which candidates are written in the form the dialogue uses."""
    if (plainly := _plain_cast(candidates)) is not None:
        return plainly
    summarised = any(c.label.summary for c in candidates)
    best: tuple[Cast, frozenset[int]] = (Cast((), frozenset()), frozenset())
    speaking = [at for at, c in enumerate(candidates) if c.label.kind in SPEAKING]
    forms = {candidates[at].form for at in speaking}
    ways: list[Collection[Form]] = [(form,) for form in _FORMS if form in forms]
    if len(forms) > 1:
        ways.append(forms)
    for way in ways:
        usable = frozenset(at for at in speaking if candidates[at].form in way)
        chosen = [candidates[at].label for at in sorted(usable)]
        cast = find_cast(chosen, structured=False, summarised=summarised)
        if len(cast.chosen) >= 2:
            return cast, usable
        if len(cast.chosen) > len(best[0].chosen):
            best = cast, usable
    return best


def _plain_cast(candidates: Sequence[Candidate]) -> tuple[Cast, frozenset[int]] | None:
    """The common case: every label is a word with a role, without number, before a colon."""
    if not are_roles([candidate.label for candidate in candidates]):
        return None
    keys: list[str] = []
    usable: list[int] = []
    for at, candidate in enumerate(candidates):
        if candidate.label.kind == "summary":
            continue
        if candidate.form != "colon":
            return None
        keys.append(candidate.label.base)
        usable.append(at)
    return Cast(tuple(keys), frozenset(keys)), frozenset(usable)


def with_second_label(text: str, candidate: Candidate, reader: LabelReader) -> Candidate:
    """Take "You: Summary: …", "Person: Question 1: …", "Turn 1: Person: …" for one label."""
    label = candidate.label
    if label.kind == "topic" or candidate.start >= candidate.end:
        return candidate
    for _ in range(2):
        start = candidate.start
        if (
            text.find(":", start, start + 40) < 0
            and text.find("：", start, start + 40) < 0
            and (text[start : start + 1] not in "([【（")
        ):
            return candidate
        if text[start : start + 4].casefold() == "the ":
            return candidate
        second = read_at(text, start, candidate.end, reader)
        if second is None or second.form not in {"colon", "bracket"}:
            return candidate
        if second.form == "bracket" and second.start >= second.end:
            return candidate
        merged = merge_labels(candidate.label, second.label)
        if merged is None:
            return candidate
        candidate = candidate._replace(label=merged, start=second.start)
    return candidate
