"""What a person can decide about a sample, what was decided before, and the form to edit it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from generator.edited_records import DIALOGUE_SHAPE
from generator.inspector.call_view import moment
from generator.inspector.visible import escaped_json, visible, without_unseen
from generator.store import Decision, VerdictRow
from generator.store.scanning import StoreScanner

_SPARE_TURNS = 2
_LONGEST_UNASKED = 60_000
_SPEAKERS = ("person", "bot")


@dataclass(frozen=True, slots=True)
class EditForm:
    """What the edit form holds: summary and turns of a dialogue, else the record as JSON."""

    summary: str = ""
    turns: tuple[tuple[str, str], ...] = ()
    record: str | None = None

    @property
    def length(self) -> int:
        """Characters in all its fields."""
        return len(self.summary) + len(self.record or "") + sum(len(t) for _, t in self.turns)


@dataclass(frozen=True, slots=True)
class PastView:
    """A decision of the past."""

    words: str
    note: Markup
    at: str
    undone_at: str | None


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What can be done now. `in_force` says in words what counts; None where nobody decided.
    `form` is None where the texts are too long to be sent unasked."""

    in_force: str | None
    note: Markup
    can_accept: bool
    can_refuse: bool
    form: EditForm | None
    past: tuple[PastView, ...]


def decision_view(
    store: StoreScanner,
    verdict: VerdictRow | None,
    shape: str,
    given: EditForm | None,
    *,
    whole: bool,
) -> DecisionView | None:
    """For a judged sample; None for others. `given` is an edit that was sent and not taken;
    `whole` gives the form however long its texts are."""
    if verdict is None:
        return None
    decision = verdict.decision
    past = tuple(
        PastView(
            in_words(known),
            visible(known.note),
            moment(known.at),
            None if known.undone_at is None else moment(known.undone_at),
        )
        for known in store.decisions(item=verdict.item)
    )
    form = given or _form(verdict, shape)
    return DecisionView(
        in_force=None if decision is None else in_words(decision),
        note=visible(decision.note if decision else ""),
        can_accept=not verdict.in_corpus,
        can_refuse=verdict.in_corpus,
        form=form if whole or given or form.length <= _LONGEST_UNASKED else None,
        past=past,
    )


def in_words(decision: Decision) -> str:
    """A decision as a person reads it."""
    if decision.action == "refuse":
        return "refused by a person"
    return "accepted by a person, in other words" if decision.edited else "accepted by a person"


def _form(verdict: VerdictRow, shape: str) -> EditForm:
    if shape != DIALOGUE_SHAPE:
        record = verdict.record if verdict.record is not None else {}
        return EditForm(record=escaped_json(record))
    parsed = verdict.parsed if isinstance(verdict.parsed, Mapping) else {}
    turns = [
        (str(turn.get("speaker", "")), without_unseen(str(turn.get("text", ""))))
        for turn in parsed.get("turns", [])
        if isinstance(turn, Mapping)
    ]
    return with_spare_turns(EditForm(without_unseen(str(parsed.get("summary", ""))), tuple(turns)))


def with_spare_turns(form: EditForm) -> EditForm:
    """The form with empty turns at its end, the speakers in alternation."""
    turns = list(form.turns)
    for _ in range(_SPARE_TURNS):
        last = turns[-1][0] if turns else "bot"
        turns.append(("bot" if last == "person" else "person", ""))
    return replace(form, turns=tuple(turns))


def form_from(form: Mapping[str, Sequence[str]]) -> EditForm:
    """The edit that was sent, as it was typed."""
    if "record" in form:
        return EditForm(record=form["record"][0])
    texts, speakers = form.get("text", []), form.get("speaker", [])
    turns = tuple(
        (speaker if speaker in _SPEAKERS else "person", _typed(text))
        for speaker, text in zip(speakers, texts, strict=False)
        if text.strip()
    )
    return EditForm(_typed((form.get("summary") or [""])[0]), turns)


def _typed(text: str) -> str:
    """Forms end lines with CR LF; nobody types the CR."""
    return text.replace("\r\n", "\n").strip()


def edited_content(form: EditForm) -> dict[str, Any]:
    """The edit as `decide` takes it. Raises `ValueError` for a record that is no JSON object."""
    if form.record is None:
        turns = [{"speaker": speaker, "text": text} for speaker, text in form.turns]
        return {"summary": form.summary, "turns": turns}
    value = json.loads(form.record)
    if not isinstance(value, dict):
        raise ValueError("expected one JSON object")
    return value
