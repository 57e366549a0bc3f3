"""What a person accepts: the record as it was judged, or as the person wrote it, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from generator.errors import WrongUse
from generator.filters import fingerprint
from generator.recipes.model import Candidate, Recipe
from generator.recipes.reading import dialogue_json, used_segment
from generator.segment_items import segment_from_content
from generator.shapes import SHAPES, paperpersichat_record
from generator.store import ItemRow, VerdictRow
from parsers.dialogue import Dialogue, Turn

DIALOGUE_SHAPE = "paperpersichat"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Accepted:
    """What enters the corpus by a person's word; `edited` where the person changed it."""

    parsed: Mapping[str, Any] | None
    record: Mapping[str, Any]
    fingerprint: str | None
    edited: bool


def accepted_content(
    recipe: Recipe,
    item: ItemRow,
    verdict: VerdictRow,
    raw: Sequence[str],
    edited: Mapping[str, Any] | None,
) -> Accepted:
    """The record of `item` as judged, or as `edited`, in the recipe's shape.

    For the shape paperpersichat `edited` is `{"summary", "turns": [{"speaker", "text"}]}`,
    for any other the whole record. `raw` are the raw outputs, `verdict` what the filters said.
    Raises `WrongUse` naming the place of each fault when that is no record of the shape.
    """
    if recipe.shape == DIALOGUE_SHAPE:
        content = _dialogue_content(recipe, item, verdict, raw, edited)
    else:
        content = _record_content(item, verdict, edited)
    _check(recipe.shape, content.record, item.id)
    return content


def _record_content(
    item: ItemRow, verdict: VerdictRow, edited: Mapping[str, Any] | None
) -> Accepted:
    if edited is None:
        if verdict.record is None:
            raise WrongUse(f"{item.id}: nothing whole was read from the answer; give an edited one")
        return Accepted(verdict.parsed, verdict.record, verdict.fingerprint, False)
    # Only the recipe knows when two of its records are the same; one in other words is no copy.
    return Accepted(verdict.parsed, dict(edited), None, True)


def _dialogue_content(
    recipe: Recipe,
    item: ItemRow,
    verdict: VerdictRow,
    raw: Sequence[str],
    edited: Mapping[str, Any] | None,
) -> Accepted:
    if edited is None and verdict.record is not None:
        return Accepted(verdict.parsed, verdict.record, verdict.fingerprint, False)
    given = verdict.parsed if edited is None else edited
    if given is None:
        raise WrongUse(
            f"{item.id}: no dialogue was read from the answer, so there is nothing to accept; "
            "give its summary and turns as an edit"
        )
    dialogue = _dialogue(given, item.id)
    # With several roles no single answer is the dialogue: it is the utterances in lines.
    lines = "\n".join(turn.text for turn in dialogue.turns)
    whole = raw[-1] if len(recipe.roles) == 1 and raw else lines
    segment = used_segment(
        segment_from_content(item.payload), Candidate(notes=verdict.candidate["notes"])
    )
    return Accepted(
        dialogue_json(dialogue),
        paperpersichat_record(segment, whole, dialogue),
        fingerprint(dialogue),
        edited is not None,
    )


def _dialogue(given: Mapping[str, Any], name: str) -> Dialogue:
    summary, turns = given.get("summary"), given.get("turns")
    unknown = set(given) - {"summary", "turns"}
    if not isinstance(summary, str) or not isinstance(turns, list) or unknown:
        raise WrongUse(
            f'{name}: an edit must be {{"summary": text, "turns": [{{"speaker": "person" or '
            '"bot", "text": text}, …]}, with nothing else'
        )
    found = []
    for number, turn in enumerate(turns, start=1):
        if (
            not isinstance(turn, Mapping)
            or set(turn) != {"speaker", "text"}
            or turn["speaker"] not in ("person", "bot")
            or not isinstance(turn["text"], str)
        ):
            raise WrongUse(
                f'{name}: turn {number} must be {{"speaker": "person" or "bot", "text": text}}'
            )
        found.append(Turn(turn["speaker"], turn["text"]))
    return Dialogue(summary, tuple(found))


def _check(shape: str, record: Mapping[str, Any], name: str) -> None:
    findings = list(islice(SHAPES[shape](record), _SHOWN))
    if findings:
        faults = "; ".join(f"{f.where or 'record'}: {f.message}" for f in findings)
        raise WrongUse(f"{name} is no record of the shape {shape}, so an edit is needed: {faults}")
