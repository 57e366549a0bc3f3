"""A run directory of any size, written straight into a store: for what reads large runs.

Nothing is judged (`stored_run.py` makes runs that are), and keys ascend with the input, so that a
million items are made in minutes.
"""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from material import sentence

from generator.filters.settings import FilterSettings
from generator.run_directory import MANIFEST_VERSION, RunDirectory
from generator.store import RunStore, pack_request
from generator.values import Message, Request, Sampling

SECTIONS = ("abstract", "introduction", "background", "methodology", "experiments", "results")
REASONS = (
    ("parse", "duplicate_turns"), ("parse", "truncated"), ("parse", "no_speaker_labels"),
    ("filter", "ungrounded"), ("filter", "echo"), ("filter", "loop"), ("filter", "wrong_language"),
    ("call", "truncated"), ("call", "empty_answer"), ("corpus", "duplicate_dialogue"),
)  # fmt: skip
MODELS = ("openai:small-a", "openai:small-b", "openai:large-c")
_CHINESE = (
    "系统把每个读数与相邻读数的中位数进行比较。",
    "可疑的读数会被暂时保留，等待再次核对。",
    "缓存策略由两个队列和一个窗口组成。",
    "作者认为该方法可以在一块便宜的电路板上运行。",
)


def write_run(path: Path, items: int) -> None:
    """A finished run of `items` items: half rejected, three models, six section types."""
    path.mkdir(parents=True)
    directory = RunDirectory(path)
    RunStore(directory.store, create=True, writable=False).close()
    directory.write_manifest(
        {
            "manifest_version": MANIFEST_VERSION,
            "recipe": "paperpersichat-davinci",
            "shape": "paperpersichat",
            "roles": {"writer": {"spec": MODELS[0], "capabilities": {}}},
            "inputs": ["papers.jsonl"],
            "prompts": None,
            "seed": None,
            "settings": {
                "recipe": "paperpersichat-davinci",
                "inputs": {"fingerprint": "made"},
                "roles": {"writer": {"endpoint": "made", "sampling": {"max_tokens": 1500},
                                     "backend": {}}},
                "variants": {"writer": "plain"},
                "templates": {"writer/plain": "made"},
                "lang": "en",
                "filters": FilterSettings().to_json(),
            },
            "versions": {},
        }
    )  # fmt: skip
    db = sqlite3.connect(directory.store, isolation_level=None)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -500000")
    rows = _rows(items)
    while batch := [row for _, row in zip(range(5000), rows, strict=False)]:
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO items VALUES (?, ?, ?, 'papers.jsonl', ?, ?, 'done', NULL)",
            [row[0] for row in batch],
        )
        db.executemany(f"INSERT INTO calls VALUES ({', '.join('?' * 19)})", [r[1] for r in batch])
        db.executemany(
            "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)",
            [row[2] for row in batch],
        )
        db.execute("COMMIT")
    db.execute("INSERT INTO meta VALUES ('ended', ?)", (json.dumps({"whole": True, "why": ""}),))
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


def _rows(items: int) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]]:
    rng = random.Random(7)
    pool = [sentence(rng) for _ in range(20_000)]
    texts = [" ".join(rng.choices(pool, k=4)) for _ in range(5_000)]
    measures = [_json(_measures(rng)) for _ in range(20_000)]
    request = pack_request(
        Request((Message("user", " ".join(pool[:3])),), sampling=Sampling(max_tokens=1500))
    )
    now = time.time()
    for seq in range(items):
        key = f"{seq:08x}{hashlib.sha256(f'item {seq}'.encode()).hexdigest()[8:]}"
        call = f"{seq:08x}{hashlib.sha256(f'call {seq}'.encode()).hexdigest()[8:]}"
        paper = seq // 4
        chinese = rng.random() < 0.1
        lines = list(_CHINESE) if chinese else rng.choices(pool, k=5)
        rare = f"serial{seq % 5000}x "
        turns = [
            {"speaker": "person" if n % 2 == 0 else "bot", "text": (rare if n == 1 else "") + line}
            for n, line in enumerate(lines[1:])
        ]
        raw = f"Summary: {lines[0]}\n" + "\n".join(
            f"{'Person' if t['speaker'] == 'person' else 'You'}: {t['text']}" for t in turns
        )
        payload = {
            "id": f"paper{paper}_{seq % 4}", "paper_id": f"paper{paper}",
            "paper_title": f"A study of number {paper}", "text": rng.choice(texts),
            "sections": [{"id": f"paper{paper}_{seq % 4}", "title": "Part",
                          "section_type": SECTIONS[seq % 6]}],
        }  # fmt: skip
        accepted = rng.random() < 0.5
        reasons, corpus = _reasons(rng, accepted, len(raw))
        parsed = {"summary": lines[0], "turns": turns}
        yield (
            (key, seq, payload["id"], seq + 1, _json(payload)),
            (call, call, key, "writer", 0, rng.choice(MODELS), request, raw, "stop",
             rng.randint(300, 900), rng.randint(80, 400), None, "made", None, None, "[]",
             round(rng.lognormvariate(1, 0.4), 3), 1, now),
            (key, seq, int(not reasons), _json(reasons), _json(corpus) if corpus else None,
             rng.choice(measures),
             _json({"answers": [{"role": "writer", "key": call, "item": key, "opening": ""}],
                    "refused": [], "notes": {}}),
             _json(parsed), _json({"dialogue": raw}) if accepted else None, None),
        )  # fmt: skip


def _reasons(
    rng: random.Random, accepted: bool, length: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if accepted:
        return [], []
    weights = [1 / (n + 1) for n in range(len(REASONS))]
    chosen = dict.fromkeys(rng.choices(REASONS, weights, k=rng.choice((1, 1, 2))))
    start = rng.randrange(max(1, length - 20))
    made = [
        {
            "stage": stage,
            "code": code,
            "detail": "made for a benchmark",
            "span": [start, start + 20],
        }
        for stage, code in chosen
    ]
    return (
        [r for r in made if r["stage"] != "corpus"],
        [r for r in made if r["stage"] == "corpus"],
    )


def _measures(rng: random.Random) -> dict[str, float]:
    """Twenty measures with the spreads that real ones have: shares, counts, many zeros."""
    return {
        "turns": rng.choice((4, 6, 8, 8, 8, 10)),
        "pairs": rng.choice((2, 3, 4, 4, 4, 5)),
        "summary_chars": rng.randint(40, 600),
        "summary_tokens": rng.randint(6, 120),
        "question_tokens_mean": round(rng.gauss(11, 3), 2),
        "answer_tokens_mean": round(rng.gauss(22, 6), 2),
        "answer_tokens_max": rng.randint(10, 90),
        "question_share": rng.choice((1.0, 1.0, 1.0, 0.75)),
        "loop_share": 0.0 if rng.random() < 0.8 else round(rng.random(), 4),
        "distinct_1": round(rng.uniform(0.5, 1), 4),
        "echo_max": round(rng.betavariate(2, 8), 4),
        "question_answer_overlap_max": round(rng.betavariate(2, 5), 4),
        "question_overlap_max": round(rng.betavariate(2, 9), 4),
        "answer_overlap_max": round(rng.betavariate(2, 9), 4),
        "answers_missing": rng.choice((0, 0, 0, 1)),
        "answers_judged": rng.choice((2, 3, 4)),
        "summary_grounding": round(rng.betavariate(8, 2), 4),
        "grounding_min": round(rng.betavariate(6, 2), 4),
        "grounding_mean": round(rng.betavariate(8, 2), 4),
        "summary_share": round(rng.uniform(0.02, 0.3), 4),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
