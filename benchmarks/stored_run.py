"""A run of any size made without a model: items, answers and verdicts written straight away."""

from __future__ import annotations

import random
from pathlib import Path

from material import raw_dialogue, script_line, segment, write_papers

import generator
from generator.candidates import verdict_row
from generator.corpus_stage import judge_corpus
from generator.judge_version import note_judge
from generator.judging import item_of, reader_of_run, settings_of_run
from generator.recipes.model import Answer, Candidate
from generator.run_directory import RunDirectory
from generator.segment_items import content_key
from generator.store import Backlog, CallRow, ItemRow, RunStore, pack_request
from generator.values import Completion, Message, Request, Usage
from generator.views import write_views

RECIPE = "paperpersichat-davinci"
_REQUEST = pack_request(Request((Message("user", "made"),)))


def faulty(rng: random.Random, raw: str) -> str:
    """The dialogue with one of the faults that models make; most stay as they are."""
    kind = rng.random()
    if kind < 0.04:
        return raw[: len(raw) // 2]
    if kind < 0.07:
        return raw.replace("Summary: ", "Digest: ", 1)
    if kind < 0.09:
        lines = raw.split("\n")
        return "\n".join([*lines, *lines[-2:]])
    if kind < 0.10:
        return "I'm sorry, but I can't help with that."
    return raw


def make_run(path: Path, count: int) -> None:
    """A finished run of `count` judged items at `path`."""
    rng = random.Random(11)
    papers, script = path.parent / "one.jsonl", path.parent / "one-script.jsonl"
    write_papers(papers, 1, sections=5, characters=1200)
    script.write_text(script_line(raw_dialogue(rng, segment(rng))), encoding="utf-8")
    generator.generate(RECIPE, papers, out=path, model=f"scripted:{script}")
    directory = RunDirectory(path)
    manifest = directory.read_manifest()
    recipe, settings = settings_of_run(manifest)
    reader = reader_of_run(manifest, recipe, settings)
    store = RunStore(directory.store, create=False)
    template = next(store.items())
    writes = Backlog()
    for seq in range(store.counts()["items"], count):
        text = segment(rng, 1500)
        content = {**template.payload, "id": f"p{seq}_0", "paper_id": f"p{seq}", "text": text}
        item = ItemRow(content_key(content), seq, f"p{seq}_0", "made", seq + 1, content)
        raw = faulty(rng, raw_dialogue(rng, text))
        finish = "length" if rng.random() < 0.01 else "stop"
        done = Completion(raw, finish, Usage(700, 300), model="made", latency_s=0.1)
        call = CallRow(f"c{seq}", f"c{seq}", item.key, "writer", 0, "made", _REQUEST, done, 1, 0.0)
        writes.add(store.put_item(item))
        writes.add(store.submit_call(call))
        candidate = Candidate((Answer("writer", call.key, item.key, "", done),))
        reading = reader.interpret(item_of(item), candidate)
        writes.add(store.submit_verdict(verdict_row(item.key, seq, candidate, reading)))
    writes.wait()
    judge_corpus(store, reader)
    note_judge(store, all_anew=True)
    write_views(directory, store, manifest)
    store.close()
