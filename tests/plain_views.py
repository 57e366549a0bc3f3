"""What the files of a run must be, told plainly: every row asked for alone and decoded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.calling.prices import load_prices
from generator.run_directory import RunDirectory
from generator.store import CallRow, RunStore, unpack_request


def plain_views(run: Path) -> dict[str, bytes]:
    """The five line files of a run, by name, from its store and its manifest."""
    directory = RunDirectory(run)
    manifest = directory.read_manifest()
    files: dict[str, list[Any]] = {
        name: [] for name in ("dialogues", "rejected", "provenance", "timings", "skipped")
    }
    store = RunStore(directory.store, create=False, writable=False)
    try:
        for item, verdict in store.judged():
            asked = [store.find_call(a["key"], item=a["item"]) for a in verdict.answers]
            calls = [call for call in asked if call is not None]
            place = {"path": item.source, "line": item.line}
            origin = {"id": item.id, "item": item.key, "source": place}
            if item.payload.get("plan") is not None:
                origin["plan"] = item.payload["plan"]
            origin |= _about_calls(calls, manifest)
            origin["measures"] = verdict.measures
            made = verdict.decision
            origin["decision"] = made and {
                "action": made.action, "note": made.note, "edited": made.edited
            }  # fmt: skip
            if verdict.in_corpus:
                files["dialogues"].append(verdict.record)
                files["provenance"].append(origin)
            else:
                raw = [
                    answer["opening"] + call.completion.text
                    for answer, call in zip(verdict.answers, calls, strict=True)
                ]
                files["rejected"].append(
                    {"id": item.id, "reasons": list(verdict.all_reasons), "raw": raw,
                     "spans_in": verdict.spans_in, "parsed": verdict.parsed,
                     "record": verdict.record, "provenance": origin}
                )  # fmt: skip
            times = [
                {"role": c.role, "at": c.at, "latency_s": c.completion.latency_s,
                 "attempts": c.attempts}
                for c in calls
            ]  # fmt: skip
            files["timings"].append({"id": item.id, "item": item.key, "calls": times})
        for s in store.skips():
            files["skipped"].append(
                {"source": s.source, "line": s.line, "id": s.id, "code": s.code,
                 "detail": s.detail}
            )  # fmt: skip
    finally:
        store.close()
    return {
        f"{name}.jsonl": "".join(
            json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines
        ).encode()
        for name, lines in files.items()
    }


def written_views(run: Path) -> dict[str, bytes]:
    """The five line files as they lie there."""
    names = ("dialogues", "rejected", "provenance", "timings", "skipped")
    return {f"{name}.jsonl": (run / f"{name}.jsonl").read_bytes() for name in names}


def _about_calls(calls: list[CallRow], manifest: dict[str, Any]) -> dict[str, Any]:
    settings, roles = manifest["settings"], manifest["roles"]
    caps = {c.role: unpack_request(c.request)["sampling"]["max_tokens"] for c in calls}
    prices = load_prices()
    costs = []
    for call in calls:
        price = prices.price_of(call.spec)
        costs.append(None if price is None else price.cost_of(call.completion.usage))
    return {
        "roles": {
            c.role: {"spec": roles[c.role]["spec"], "model": c.completion.model} for c in calls
        },
        "templates": settings["templates"],
        "other_max_tokens": {
            role: cap
            for role, cap in caps.items()
            if cap != settings["roles"][role]["sampling"]["max_tokens"]
        },
        "calls": [c.key for c in calls],
        "finish_reasons": [c.completion.finish_reason for c in calls],
        "tokens": {
            "prompt": _sum([c.completion.usage.prompt_tokens for c in calls]),
            "completion": _sum([c.completion.usage.completion_tokens for c in calls]),
        },
        "cost": None if None in costs else round(sum(c or 0.0 for c in costs) + 0.0, 8),
        "notes": sorted({note for c in calls for note in c.completion.notes}),
    }


def _sum(counts: list[int | None]) -> int | None:
    return None if not counts or None in counts else sum(count or 0 for count in counts)
