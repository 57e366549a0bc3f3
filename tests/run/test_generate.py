"""Whole runs with prepared answers: a known funnel, resume, byte-identical files, library use."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from corpus import good_dialogue, marker, segment_text, write_papers, write_script

import generator
from generator.run_directory import RunDirectory
from generator.store import RunStore

RECIPE = "paperpersichat-davinci"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def views(run: Path) -> dict[str, bytes]:
    return {name: (run / name).read_bytes() for name in VIEWS}


def good(number: int, **changes: object) -> dict[str, object]:
    return {"text": good_dialogue(number), **changes}


FAULTS: dict[int, tuple[dict[str, object], str]] = {
    2: ({"text": ""}, "call/empty_answer"),
    3: (good(3, finish_reason="length"), "call/truncated"),
    4: ({"text": "I'm sorry, but I can't help with that request."}, "parse/refusal"),
    5: ({"text": "The granary keeps a ledger. It is fast."}, "parse/not_a_dialogue"),
    6: ({"text": "Summary: [short summary]\nPerson: [question 1]\nYou: [answer 1]\n"
                 "Person: [question 2]\nYou: [answer 2]"}, "parse/placeholder_text"),
    7: ({"text": good_dialogue(7).replace("You: It is held", "Person: Is it\nYou: It is held")},
        "parse/same_speaker_twice"),
    8: ({"text": good_dialogue(8).replace("Summary: ", "").split("\n\n", 1)[1]},
        "parse/missing_summary"),
    9: ({"text": good_dialogue(0)}, "corpus/duplicate_dialogue"),
    10: ({"text": good_dialogue(10).replace(
        "It is held back for a second look.",
        "Penguins waddle across frozen islands hunting silver herring beneath thick glaciers.")},
        "filter/ungrounded"),
    11: ({"error": {"kind": "context_overflow"}}, "call/context_overflow"),
    12: ({"error": {"kind": "content_filter"}}, "call/content_filter"),
}  # fmt: skip


@pytest.fixture
def inputs(tmp_path: Path) -> tuple[Path, Path]:
    """Twenty items and the script that answers them, eleven of them badly."""
    papers = write_papers(tmp_path / "papers.jsonl", 20)
    script = write_script(
        tmp_path / "script.jsonl", {n: answer for n, (answer, _) in FAULTS.items()}, 20
    )
    return papers, script


def generate(papers: Path, script: Path, out: Path, **options: Any) -> Any:
    return generator.generate(RECIPE, papers, out=out, model=f"scripted:{script}", **options)


def test_a_known_funnel_is_reproduced_exactly(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    result = generate(papers, script, tmp_path / "run")
    rejected = lines(tmp_path / "run" / "rejected.jsonl")
    found = {
        line["provenance"]["source"]["line"] - 1: "{stage}/{code}".format(**line["reasons"][0])
        for line in rejected
    }
    assert found == {number: reason for number, (_, reason) in FAULTS.items()}
    assert result.counts["accepted"] == 20 - len(FAULTS)
    assert result.counts["items"] == 20
    assert result.counts["pending"] == result.counts["failed"] == 0


def test_every_record_has_the_published_shape(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    first = lines(tmp_path / "run" / "dialogues.jsonl")[0]
    assert list(first) == ["text", "dialogue", "meta_segments", "meta_paper", "parsed_dialogue"]
    assert first["dialogue"] == good_dialogue(0)
    assert segment_text(0) in first["text"]
    assert [turn["speaker"] for turn in first["parsed_dialogue"]["turns"]] == ["person", "bot"] * 4


def test_raw_text_is_kept_and_the_fault_is_found_in_it(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    by_code = {
        line["reasons"][0]["code"]: line for line in lines(tmp_path / "run" / "rejected.jsonl")
    }
    line = by_code["ungrounded"]
    start, end = line["reasons"][0]["span"]
    assert "Penguins" in line["raw"][0][start:end]
    assert by_code["placeholder_text"]["raw"] == [FAULTS[6][0]["text"]]


def test_provenance_stands_beside_the_records_line_by_line(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    records = lines(tmp_path / "run" / "dialogues.jsonl")
    origins = lines(tmp_path / "run" / "provenance.jsonl")
    assert [o["id"] for o in origins] == [r["meta_segments"][0]["id"] for r in records]
    assert origins[0]["tokens"] == {"prompt": 500, "completion": 120}
    assert origins[0]["measures"]["pairs"] == 4


@pytest.mark.parametrize("concurrency", [1, 64])
def test_output_does_not_depend_on_concurrency(
    inputs: tuple[Path, Path], tmp_path: Path, concurrency: int
) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "a", concurrency=7)
    generate(papers, script, tmp_path / "b", concurrency=concurrency)
    assert views(tmp_path / "a") == views(tmp_path / "b")


def test_running_again_calls_nothing_and_changes_nothing(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    first = generate(papers, script, tmp_path / "run")
    before = views(tmp_path / "run")
    again = generate(papers, script, tmp_path / "run")
    assert again.counts == first.counts
    assert views(tmp_path / "run") == before


def test_a_larger_limit_goes_on_where_the_smaller_ended(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    assert generate(papers, script, tmp_path / "run", limit=4).counts["items"] == 4
    generate(papers, script, tmp_path / "run")
    generate(papers, script, tmp_path / "whole")
    assert views(tmp_path / "run") == views(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        pytest.param({"lang": "zh"}, "lang", id="language"),
        pytest.param({"sampling": {"writer": {"temperature": 0.1}}}, "temperature", id="sampling"),
        pytest.param({"parser": "original"}, "parser", id="parser"),
        pytest.param({"seed": 4}, "seed", id="seed"),
    ],
)
def test_other_settings_are_refused_and_named(
    inputs: tuple[Path, Path], tmp_path: Path, changed: dict[str, Any], named: str
) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    with pytest.raises(generator.SettingsDiffer, match=named):
        generate(papers, script, tmp_path / "run", **changed)


def test_changed_inputs_are_refused(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    papers.write_text(papers.read_text() + "\n{}\n")
    with pytest.raises(generator.SettingsDiffer, match="inputs"):
        generate(papers, script, tmp_path / "run")


def test_a_branch_reuses_the_answers_of_another_run(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    settings = generator.FilterSettings(off=frozenset({"ungrounded"}))
    result = generate(papers, script, tmp_path / "other", branch=tmp_path / "run", filters=settings)
    store = RunStore(tmp_path / "other" / "store.sqlite", create=False, writable=False)
    old = RunStore(tmp_path / "run" / "store.sqlite", create=False, writable=False)
    assert store.counts()["calls"] == old.counts()["calls"]
    assert result.counts["accepted"] == 20 - len(FAULTS) + 1
    store.close()
    old.close()


def test_a_run_can_be_replayed_without_its_model(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    generator.generate(RECIPE, papers, out=tmp_path / "copy", model=f"replay:{tmp_path / 'run'}")
    a, b = (lines(tmp_path / run / "dialogues.jsonl") for run in ("run", "copy"))
    assert a == b


def test_generate_works_inside_a_running_event_loop(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs

    async def notebook_cell() -> Any:
        return generate(papers, script, tmp_path / "run")

    assert asyncio.run(notebook_cell()).counts["items"] == 20


class Moody(BaseHTTPRequestHandler):
    """A chat server that refuses one item until it is told to be kind."""

    kind = False
    calls = 0

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["content-length"])).decode()
        type(self).calls += 1
        number = next(n for n in range(9) if f"study the {marker(n)} in" in asked)
        good = self.kind or number != 1
        message = {"role": "assistant", "content": good_dialogue(number)}
        value: dict[str, Any] = {"choices": [{"message": message, "finish_reason": "stop"}]}
        if not good:
            value = {"error": {"message": "not today", "type": "invalid_request_error"}}
        body = json.dumps(value).encode()
        self.send_response(200 if good else 400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def test_failed_items_are_tried_again_by_the_next_run_over_real_http(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 4)
    with ThreadingHTTPServer(("127.0.0.1", 0), Moody) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        model = f"openai:m@http://127.0.0.1:{server.server_port}/v1"
        first = generator.generate(RECIPE, papers, out=tmp_path / "run", model=model)
        assert (first.counts["accepted"], first.counts["failed"]) == (3, 1)
        assert not first.complete
        Moody.kind = True
        again = generator.generate(RECIPE, papers, out=tmp_path / "run", model=model)
        assert (again.counts["accepted"], again.counts["failed"]) == (4, 0)
        assert Moody.calls == 5
        server.shutdown()


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        pytest.param("bad_key", generator.BadKey, id="bad key"),
        pytest.param("quota_exhausted", generator.QuotaExhausted, id="empty account"),
        pytest.param("model_not_found", generator.ModelNotFound, id="unknown model"),
        pytest.param("unreachable", generator.Unreachable, id="nobody there"),
    ],
)
def test_what_stops_the_run_loses_nothing(tmp_path: Path, kind: str, error: type) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 6)
    script = write_script(tmp_path / "s.jsonl", {3: {"error": {"kind": kind}}}, 6)
    result = generate(papers, script, tmp_path / "run", concurrency=1)
    assert isinstance(result.stopped, error)
    assert result.counts["accepted"] >= 3
    assert len(lines(tmp_path / "run" / "dialogues.jsonl")) == result.counts["accepted"]


def test_an_item_that_comes_twice_is_counted_once(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3)
    twice = tmp_path / "copy.jsonl"
    twice.write_bytes(papers.read_bytes())
    script = write_script(tmp_path / "s.jsonl", {}, 3)
    out = tmp_path / "run"
    result = generator.generate(RECIPE, [papers, twice], out=out, model=f"scripted:{script}")
    assert result.counts["items"] == 3
    repeated = [s for s in lines(out / "skipped.jsonl") if s["code"] == "duplicate_input"]
    assert len(repeated) == 3


HOSTILE = "{{ 7*7 }} {% for x in y %} {# no #} {0} %s ' \" < & \u2028 \x00 \ud800 {{\\alpha}}"


def test_hostile_paper_text_goes_through_as_data(tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    write_papers(papers, 1)
    record = json.loads(papers.read_text())
    record["sections"][0]["text"] = segment_text(0) + " " + HOSTILE
    papers.write_text(json.dumps(record) + "\n")
    script = write_script(tmp_path / "s.jsonl", {}, 1)
    result = generate(papers, script, tmp_path / "run")
    assert result.counts["accepted"] == 1
    text = lines(tmp_path / "run" / "dialogues.jsonl")[0]["text"]
    assert "{{ 7*7 }} {% for x in y %} {# no #} {0} %s ' \" < & \u2028" in text
    assert "\ud800" not in text


def test_two_megabytes_in_one_section_go_through(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 1)
    record = json.loads(papers.read_text())
    record["sections"][0]["text"] = f"We study the {marker(0)} in depth. " + segment_text(0) * 1600
    papers.write_text(json.dumps(record) + "\n")
    result = generate(papers, write_script(tmp_path / "s.jsonl", {}, 1), tmp_path / "run")
    assert result.counts["accepted"] == 1


def run_command(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "generator.cli", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more,
    )  # fmt: skip


def slow_script(path: Path, count: int) -> Path:
    """Answers that take a while each, so that a kill finds some in flight."""
    return write_script(
        path, {n: good(n, latency_s=0.01 + 0.01 * (n % 3)) for n in range(count)}, count
    )


@pytest.mark.slow
def test_killed_at_random_moments_a_run_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    count = 60
    papers = write_papers(tmp_path / "papers.jsonl", count)
    script = slow_script(tmp_path / "s.jsonl", count)
    generate(papers, script, tmp_path / "whole", concurrency=4)
    out = tmp_path / "killed"
    command = ("generate", RECIPE, papers, "--out", out, "--model", f"scripted:{script}",
               "--concurrency", 4, "--quiet")  # fmt: skip
    rng = random.Random(11)
    seen: dict[str, float] = {}
    kills = 0
    while kills < 40:
        process = run_command(*command)
        try:
            process.wait(rng.uniform(0.15, 0.6))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
        if (out / "store.sqlite").exists():
            store = RunStore(out / "store.sqlite", create=True, writable=False)
            rows = store._reader.execute("SELECT key, at FROM calls").fetchall()
            # A call that was stored keeps the time of its one answer for ever.
            assert all(seen.get(key, at) == at for key, at in rows)
            assert len(rows) >= len(seen)
            seen = dict(rows)
            store.close()
        if process.returncode == 0:
            break
    final = run_command(*command)
    final.communicate()
    assert final.returncode == 0
    assert kills >= 3
    assert views(out) == views(tmp_path / "whole")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl+C", "SIGTERM"])
def test_an_interrupted_run_drains_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 200)
    script = slow_script(tmp_path / "s.jsonl", 200)
    out = tmp_path / "run"
    process = run_command(
        "generate", RECIPE, papers, "--out", out, "--model", f"scripted:{script}",
        "--concurrency", 2,
    )  # fmt: skip
    while not (out / "store.sqlite-wal").exists() and process.poll() is None:
        pass
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "run the same command again" in errors
    counts = RunStore(out / "store.sqlite", create=False, writable=False).counts()
    assert counts["accepted"] == len(lines(out / "dialogues.jsonl"))
    assert counts["calls"] == counts["accepted"] + counts["rejected"]


def test_the_manifest_holds_no_key(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    canary = "sk-canary-5b1e"
    generate(papers, script, tmp_path / "run", environ={"OPENAI_API_KEY": canary})
    for path in (tmp_path / "run").iterdir():
        assert canary.encode() not in path.read_bytes()


def test_a_directory_of_something_else_is_not_touched(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.tex").write_text("precious")
    with pytest.raises(generator.WrongUse, match=r"thesis\.tex"):
        generate(papers, script, out)
    assert [p.name for p in out.iterdir()] == ["thesis.tex"]


def test_counts_add_up_in_the_report(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run")
    summary = generator.summarise(tmp_path / "run")
    assert summary.adds_up
    firsts = Counter({f"{r.stage}/{r.code}": r.first for r in summary.reasons if r.first})
    assert firsts == Counter(reason for _, reason in FAULTS.values())
    assert marker(0) in (tmp_path / "run" / "dialogues.jsonl").read_text()
    assert RunDirectory(tmp_path / "run").read_manifest()["recipe"] == RECIPE


@pytest.mark.parametrize("concurrency", [1, 3, 64])
@pytest.mark.parametrize("target", [1, 5, 9])
def test_a_target_is_met_exactly_and_by_the_first_in_input_order(
    inputs: tuple[Path, Path], tmp_path: Path, concurrency: int, target: int
) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "all")
    every = (tmp_path / "all" / "dialogues.jsonl").read_bytes().splitlines(keepends=True)
    result = generate(papers, script, tmp_path / "some", target=target, concurrency=concurrency)
    assert result.counts["accepted"] == target
    assert (tmp_path / "some" / "dialogues.jsonl").read_bytes() == b"".join(every[:target])


def test_a_target_costs_few_calls_more_at_a_high_concurrency(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 90)
    prose = {n: {"text": "No dialogue here. It is prose."} for n in range(0, 90, 3)}
    script = write_script(tmp_path / "script.jsonl", prose, 90)
    asked = {}
    for at_once in (1, 64):
        out = tmp_path / f"at{at_once}"
        generate(papers, script, out, target=6, concurrency=at_once)
        with closing(RunStore(out / "store.sqlite", create=False, writable=False)) as store:
            asked[at_once] = {row[0] for row in store._reader.execute("SELECT key FROM calls")}
    assert len(asked[1]) in (9, 10)  # An item may be in work while the one before it is judged.
    assert len(asked[64]) < 30
    assert len(asked[1] - asked[64]) <= 1


def test_a_larger_target_pays_for_nothing_twice(inputs: tuple[Path, Path], tmp_path: Path) -> None:
    papers, script = inputs
    generate(papers, script, tmp_path / "run", target=2, concurrency=8)
    store = RunStore(tmp_path / "run" / "store.sqlite", create=False, writable=False)
    times = dict(store._reader.execute("SELECT key, at FROM calls").fetchall())
    store.close()
    assert len(times) == 2
    result = generate(papers, script, tmp_path / "run", target=8, concurrency=8)
    store = RunStore(tmp_path / "run" / "store.sqlite", create=False, writable=False)
    later = dict(store._reader.execute("SELECT key, at FROM calls").fetchall())
    store.close()
    assert result.counts["accepted"] == 8
    assert {key: later[key] for key in times} == times


def test_a_target_out_of_reach_takes_all_there_is(
    inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    papers, script = inputs
    assert generate(papers, script, tmp_path / "run", target=500).counts["accepted"] == 9
    done = run_command("generate", RECIPE, papers, "--out", tmp_path / "again", "--model",
                       f"scripted:{script}", "--target", 500)  # fmt: skip
    _, errors = done.communicate()
    assert done.returncode == 1
    assert "9 accepted, 500 were wanted" in errors


def test_a_run_that_yields_nothing_ends_early_and_says_why(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 40)
    script = write_script(
        tmp_path / "s.jsonl", {n: {"text": "No dialogue here. It is prose."} for n in range(40)}, 40
    )
    result = generate(papers, script, tmp_path / "run", give_up_after=10, concurrency=2)
    assert isinstance(result.stopped, generator.RunStopped)
    assert "parse/not_a_dialogue" in str(result.stopped)
    assert result.counts["rejected"] < 40
    # Going on regardless is one option away, and nothing is asked again.
    assert generate(papers, script, tmp_path / "run", give_up_after=0).counts["rejected"] == 40


def test_only_cut_off_answers_are_done_again_with_a_larger_cap(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3)
    asked: list[tuple[str, int]] = []

    class Capped(Moody):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            prompt, cap = body["messages"][-1]["content"], body["max_tokens"]
            number = next(n for n in range(3) if f"study the {marker(n)} in" in prompt)
            asked.append((marker(number), cap))
            text, cut = good_dialogue(number), number == 1 and cap < 2000
            choice = {
                "message": {"role": "assistant", "content": text[:200] if cut else text},
                "finish_reason": "length" if cut else "stop",
            }
            data = json.dumps({"choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Capped) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        model = f"openai:m@http://127.0.0.1:{server.server_port}/v1"
        first = generator.generate(RECIPE, papers, out=tmp_path / "run", model=model)
        assert (first.counts["accepted"], first.counts["rejected"]) == (2, 1)
        again = generator.generate(
            RECIPE, papers, out=tmp_path / "run", model=model, retry_truncated=True,
            sampling={"writer": {"max_tokens": 3000}},
        )  # fmt: skip
        server.shutdown()
    assert again.counts["accepted"] == 3
    assert asked[3:] == [(marker(1), 3000)]
    caps = [o["other_max_tokens"] for o in lines(tmp_path / "run" / "provenance.jsonl")]
    assert caps == [{}, {"writer": 3000}, {}]
