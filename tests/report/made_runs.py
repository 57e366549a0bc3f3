"""Run directories made row by row, so that a test knows every figure beforehand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.store import CallRow, Decision, ItemRow, RunStore, VerdictRow, pack_request
from generator.values import Completion, Message, Request, Usage


@dataclass(frozen=True)
class Made:
    """One item of a made run: its place, and what there is of it.

    `corpus` puts the reasons among those that the corpus before it gave.
    """

    name: str
    place: str = "accepted"
    reasons: tuple[str, ...] = ()
    measures: Mapping[str, Any] = field(default_factory=dict)
    raw: str = "Summary: Words.\nPerson: Why?\nYou: Therefore."
    record: Mapping[str, Any] | None = None
    parsed: Mapping[str, Any] | None = None
    detail: str = "it is so"
    span: tuple[int, int] | None = None
    corpus: bool = False
    usage: Usage = Usage(100, 20)  # noqa: RUF009 - a frozen value
    item_id: str | None = None
    decision: str | None = None


def manifest(**changes: Any) -> dict[str, Any]:
    settings = {"filters": {"max_echo": 0.6}, "templates": {"writer/plain": "ab12"}, "lang": "en",
                "roles": {"writer": {"sampling": {"max_tokens": 500}}}}  # fmt: skip
    return {
        "manifest_version": 1, "recipe": "paperpersichat-davinci", "shape": "paperpersichat",
        "roles": {"writer": {"spec": "scripted:a", "capabilities": {}}}, "inputs": ["p.jsonl"],
        "prompts": None, "seed": None, "settings": {**settings, **changes.pop("settings", {})},
        "versions": {"dialogsmith": "0.1.0", "python": "3.11"}, **changes,
    }  # fmt: skip


def made_run(path: Path, items: Iterable[Made], ended: bool = True, **about: Any) -> Path:
    """A run directory that holds these items, in this order."""
    path.mkdir(parents=True)
    (path / "manifest.json").write_text(json.dumps(manifest(**about)), encoding="utf-8")
    store = RunStore(path / "store.sqlite", create=True)
    try:
        asyncio.run(_fill(store, items))
        if ended:
            store.put_meta("ended", {"whole": True, "why": ""})
    finally:
        store.close()
    return path


async def _fill(store: RunStore, items: Iterable[Made]) -> None:
    for seq, made in enumerate(items):
        key = f"key-{made.name}"
        store.put_item(
            ItemRow(key, seq, made.item_id or made.name, "p.jsonl", seq + 1, {"text": made.name})
        )
        if made.place == "failed":
            store.put_failure(key, "server_fault: HTTP 500")
        if made.place not in ("accepted", "rejected"):
            continue
        request = Request(messages=(Message("user", f"about {made.name}"),))
        done = Completion(made.raw, usage=made.usage)
        call = CallRow(f"call-{made.name}", "hash", key, "writer", 0, "scripted:a",
                       pack_request(request), done, 1, 0.0)  # fmt: skip
        _ = store.put_call(call)
        store.submit_verdict(_verdict(key, seq, made))
        if made.corpus:
            store.put_corpus_verdict(key, _reasons(made), {})
        if made.decision is not None:
            kept = {"parsed": made.parsed, "record": made.record}
            store.put_decision(Decision(key, made.decision, "as I see it", 0.0, **kept))


def _verdict(key: str, seq: int, made: Made) -> VerdictRow:
    answer = {"role": "writer", "key": f"call-{made.name}", "item": key, "opening": ""}
    return VerdictRow(
        item=key, seq=seq, accepted=made.place == "accepted" or made.corpus,
        reasons=() if made.corpus else tuple(_reasons(made)), measures=made.measures,
        candidate={"answers": [answer], "refused": [], "notes": {}}, parsed=made.parsed,
        record=made.record, fingerprint=None,
    )  # fmt: skip


def _reasons(made: Made) -> list[dict[str, Any]]:
    return [
        {"stage": name.split("/")[0], "code": name.split("/")[1], "detail": made.detail,
         "span": made.span}
        for name in made.reasons
    ]  # fmt: skip
