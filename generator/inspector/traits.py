"""What of an item can be filtered, sorted and searched: its facets, measures and text. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.store.scanning import ScannedCall, ScannedItem

SINGLE_FACETS = ("place", "fate", "language", "paper", "source")
FACETS = (*SINGLE_FACETS, "reached", "stage", "code", "reason", "model", "section", "decision")
"""Names of the facets; those not in `SINGLE_FACETS` can have several values on one item."""

OWN_MEASURES = (
    "raw_chars", "source_chars", "calls", "failed_attempts", "prompt_tokens",
    "completion_tokens", "seconds",
)  # fmt: skip
"""Measures that every judged item has, whatever its recipe."""

ANSWERED_STAGES = frozenset({"prepare", "call"})
"""Stages whose rejections mean that there is no answer to read."""

UNREAD_STAGES = frozenset({"parse", "turn"})
"""Stages whose rejections mean that the answer could not be read."""

_INDEXED_CHARS = 200_000
"""Characters of a raw output that the full-text index takes; a runaway output repeats itself."""


@dataclass(frozen=True, slots=True)
class Traits:
    """`facets` are (facet, value) pairs; `labels` names for values that read badly;
    `text` is None while there is nothing to search; `signature` changes whenever facets, measures
    or text may have."""

    seq: int
    facets: tuple[tuple[str, str], ...]
    labels: Mapping[str, str]
    measures: Mapping[str, float]
    text: str | None
    signature: int


def traits_of(item: ScannedItem, calls: Sequence[ScannedCall], lang: str) -> Traits:
    """The traits of one item; `lang` is the run's language, where the text does not tell."""
    payload = json.loads(item.payload)
    reasons = item.reasons()
    place = item.place()
    raw = "\n".join(call.text[:_INDEXED_CHARS] for call in calls)
    facets = [("all", ""), ("place", place), ("fate", _fate(place, reasons))]
    facets += [("reached", step) for step in _reached(place, reasons)]
    if reasons and place == "rejected":
        facets += [("stage", stage) for stage in {r["stage"] for r in reasons}]
        facets += [("code", code) for code in {r["code"] for r in reasons}]
        facets += [("reason", name) for name in {f"{r['stage']}/{r['code']}" for r in reasons}]
    facets += [("model", name) for name in {f"{call.role}={call.spec}" for call in calls}]
    facets.append(("language", _language(payload, raw, lang)))
    facets += [("section", kind) for kind in _section_types(payload)]
    paper, title = paper_of(payload)
    labels = {}
    if paper:
        facets.append(("paper", paper))
        labels[paper] = title
    facets.append(("source", item.source))
    if decision := item.decision():
        facets.append(("decision", decision))
    return Traits(
        seq=item.seq,
        facets=tuple(facets),
        labels=labels,
        measures=_measures(item, calls, payload),
        text=_text(item, title, raw),
        signature=item.signature(),
    )


def _text(item: ScannedItem, title: str, raw: str) -> str | None:
    """What can be searched; of an item that is being worked on nothing, since it changes soon."""
    if item.state == "pending":
        return None
    return f"{item.id}\n{title}\n{raw}" + (f"\n{item.failure}" if item.failure else "")


def _fate(place: str, reasons: Sequence[Mapping[str, Any]]) -> str:
    """Where an item ended: its place, or stage and code of the first reason against it."""
    if place == "rejected" and reasons:
        return f"{reasons[0]['stage']}/{reasons[0]['code']}"
    return place


def _reached(place: str, reasons: Sequence[Mapping[str, Any]]) -> list[str]:
    """How far an item came: answered, parsed, accepted."""
    if place == "accepted":
        return ["answered", "parsed", "accepted"]
    if place != "rejected" or not reasons or reasons[0]["stage"] in ANSWERED_STAGES:
        return []
    return ["answered"] if reasons[0]["stage"] in UNREAD_STAGES else ["answered", "parsed"]


def paper_of(payload: Mapping[str, Any]) -> tuple[str, str]:
    """Id and title of the paper an item comes from; empty where it has none."""
    paper = payload.get("paper_id")
    title = payload.get("paper_title") or payload.get("title")
    if gold := _planned(payload, "gold"):
        paper, title = gold[0][0], gold[0][1].get("title")
    if not isinstance(paper, str):
        paper = title if isinstance(title, str) else ""
    return paper, title if isinstance(title, str) else ""


def source_text(payload: Mapping[str, Any]) -> str:
    """The text a dialogue is about, where the item has a single one."""
    text = payload.get("text")
    return text if isinstance(text, str) else ""


def shown_documents(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The documents that an answer may cite, in the order of their numbers; else none."""
    listed = payload.get("documents")
    if isinstance(listed, list):
        return [document for document in listed if isinstance(document, dict)]
    return [document for _, document in _planned(payload, "documents")]


def _planned(payload: Mapping[str, Any], name: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Id and content of the texts that the plan of an item names."""
    texts, plan = payload.get("texts"), payload.get("plan")
    if not (isinstance(texts, dict) and isinstance(plan, dict)):
        return []
    named = plan.get(name)
    ids = named if isinstance(named, list) else []
    return [(i, texts[i]) for i in ids if isinstance(texts.get(i), dict)]


def _section_types(payload: Mapping[str, Any]) -> list[str]:
    sections = payload.get("sections")
    if not isinstance(sections, list):
        return []
    kinds = (s.get("section_type") for s in sections if isinstance(s, dict))
    return sorted({kind for kind in kinds if isinstance(kind, str)})


_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("ar", re.compile("[\u0600-\u06ff\u0750-\u077f]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_LOOKED_AT = 2000
_OWN_SCRIPT = frozenset(name for name, _ in _SCRIPTS)


def _language(payload: Mapping[str, Any], raw: str, lang: str) -> str:
    """The language an item names, else what the script of its output says, else the run's.

    A script counts once a fifth of the letters are of it: terms and formulas are Latin anywhere.
    """
    named = payload.get("lang") or payload.get("language")
    if isinstance(named, str) and named:
        return named
    sample = raw[:_LOOKED_AT]
    if not sample:
        return lang
    if sample.isascii():
        return "en" if lang in _OWN_SCRIPT else lang
    latin = len(_LATIN.findall(sample))
    if latin < len(sample):
        for name, script in _SCRIPTS:
            found = len(script.findall(sample))
            if found and found * 4 >= latin:
                return name
    return "en" if lang in _OWN_SCRIPT and latin else lang


def _measures(
    item: ScannedItem, calls: Sequence[ScannedCall], payload: Mapping[str, Any]
) -> dict[str, float]:
    numbers = {
        name: float(value)
        for name, value in item.measures().items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    if not calls:
        return numbers
    numbers["raw_chars"] = float(sum(len(call.text) for call in calls))
    numbers["calls"] = float(len(calls))
    numbers["failed_attempts"] = float(item.failed_attempts)
    if text := source_text(payload):
        numbers["source_chars"] = float(len(text))
    for name, counts in (
        ("prompt_tokens", [call.prompt_tokens for call in calls]),
        ("completion_tokens", [call.completion_tokens for call in calls]),
        ("seconds", [call.latency_s for call in calls]),
    ):
        known = [count for count in counts if count is not None]
        if len(known) == len(counts):
            numbers[name] = round(float(sum(known)), 4)
    return numbers
