"""Every strange answer ends as something typed, at its own item, and the run goes on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from whole_runs import (
    attempts,
    body_of,
    failures,
    fake_server,
    first_reasons,
    hurried,
    lines,
    open_store,
    run,
    write_papers,
)

from generator.backends.openai_access import openai_access
from generator.backends.openai_backend import OpenAIBackend, Seams
from generator.backends.openai_http import http_library
from generator.backends.spec import parse_spec
from generator.calling.retry import RetryPolicy
from generator.fakeserver.journal import Entry
from generator.store import unpack_request
from generator.values import Message, Request, Sampling

OUTCOMES = {
    "usage_missing": "accepted",
    "usage_null": "accepted",
    "content_parts": "accepted",
    "finish_null": "accepted",
    "think_block": "accepted",
    "think_close_only": "accepted",
    "think_unclosed": "call/truncated",
    "length": "call/truncated",
    "content_null_reasoning": "call/empty_answer",
    "content_empty": "call/empty_answer",
    "refusal": "call/refusal",
    "refusal_text": "parse/refusal",
    "content_filter_200": "call/content_filter",
    "content_filter_400": "call/content_filter",
    "content_filter_cut": "call/content_filter",
    "context_overflow": "call/context_overflow",
    "context_overflow_llamacpp": "call/context_overflow",
    "lone_surrogate": "filter/garbled_text",
    "prose": "parse/not_a_dialogue",
    "bad_request": "request_refused",
}
"""What becomes of an item whose request meets the fault: its place, reason or failure."""

ITEMS = 110


@dataclass(frozen=True)
class Faulty:
    """One run over many items, of which most met one of the faults."""

    out: Path
    entries: tuple[Entry, ...]
    stopped: object

    def of_fault(self, fault: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.fault == fault]

    def calls(self, fault: str) -> list[Any]:
        """The stored calls whose request met the fault."""
        store = open_store(self.out)
        found = [store.find_call_by_request(entry.request) for entry in self.of_fault(fault)]
        store.close()
        return found


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Faulty]:
    place = tmp_path_factory.mktemp("faulty")
    papers = write_papers(place / "papers.jsonl", ITEMS, times=2)
    # The first fault that strikes counts, so a rising rate gives each about the same share.
    names = list(OUTCOMES)
    rates = [f"{name}={1 / (len(names) + 1 - n):.4f}" for n, name in enumerate(names)]
    with fake_server(*rates) as server:
        result = run(server, papers, place / "run")
        yield Faulty(place / "run", server.entries(), result.stopped)


def test_each_fault_has_its_typed_outcome_and_the_run_goes_on(faulty: Faulty) -> None:
    assert faulty.stopped is None
    assert len(faulty.entries) == ITEMS
    met = Counter(entry.fault for entry in faulty.entries)
    assert set(OUTCOMES) <= set(met)
    expected = Counter[str]()
    for fault, count in met.items():
        expected[OUTCOMES[fault] if fault else "accepted"] += count
    found = Counter(first_reasons(faulty.out).values())
    found.update(text.partition(":")[0] for text in failures(faulty.out).values())
    found["accepted"] = len(lines(faulty.out / "dialogues.jsonl"))
    assert found == expected


@pytest.mark.parametrize("fault", ["usage_missing", "usage_null"])
def test_tokens_nobody_counted_are_unknown_and_not_zero(faulty: Faulty, fault: str) -> None:
    keys = {call.key for call in faulty.calls(fault)}
    origins = [o for o in lines(faulty.out / "provenance.jsonl") if set(o["calls"]) & keys]
    assert len(origins) == len(keys)
    assert {json.dumps(o["tokens"]) for o in origins} == {'{"prompt": null, "completion": null}'}


@pytest.mark.parametrize("fault", ["think_block", "think_close_only"])
def test_thoughts_stay_in_the_raw_text_and_out_of_the_turns(faulty: Faulty, fault: str) -> None:
    records = {record["dialogue"]: record for record in lines(faulty.out / "dialogues.jsonl")}
    calls = faulty.calls(fault)
    assert calls
    for call in calls:
        assert "</think>" in call.completion.text
        parsed = records[call.completion.text]["parsed_dialogue"]
        assert "think>" not in json.dumps(parsed)
        assert len(parsed["turns"]) == 8


def test_reasoning_without_an_answer_is_kept(faulty: Faulty) -> None:
    assert all(call.completion.reasoning for call in faulty.calls("content_null_reasoning"))
    assert faulty.calls("content_null_reasoning")


@pytest.mark.parametrize("fault", ["refusal", "content_filter_200", "length", "content_empty"])
def test_what_asking_again_would_not_change_is_asked_once(faulty: Faulty, fault: str) -> None:
    requests = [entry.request for entry in faulty.of_fault(fault)]
    assert len(set(requests)) == len(requests)


def test_prompt_and_raw_text_of_every_refused_sample_are_kept(faulty: Faulty) -> None:
    store = open_store(faulty.out)
    rejected = lines(faulty.out / "rejected.jsonl")
    for line in rejected:
        calls = [store.find_call(key, item=line["provenance"]["item"])
                 for key in line["provenance"]["calls"]]  # fmt: skip
        assert line["raw"] == [call.completion.text for call in calls if call]
        for call in calls:
            assert call is not None
            said = unpack_request(call.request)["messages"][0]["content"]
            number = line["provenance"]["source"]["line"] - 1
            assert body_of(number, times=2) in said
    assert sum(bool(line["raw"]) for line in rejected) > len(rejected) / 2
    store.close()


@pytest.mark.parametrize("view", ["dialogues.jsonl", "rejected.jsonl", "provenance.jsonl"])
def test_every_line_of_a_file_has_the_same_keys(faulty: Faulty, view: str) -> None:
    # Table loaders take the columns and their types from the first lines.
    shapes = {
        (*line, *((name, *line[name]) for name in ("source", "tokens") if name in line))
        for line in lines(faulty.out / view)
    }
    assert len(shapes) == 1


RETRIED = {
    "choices_null": ("bad_response", 200),
    "choices_missing": ("bad_response", 200),
    "choices_empty": ("bad_response", 200),
    "message_null": ("bad_response", 200),
    "error_object_in_200": ("server_fault", 500),
    "error_in_choice": ("server_fault", 502),
    "rate_limit_in_200": ("rate_limited", 429),
    "empty_200": ("bad_response", 200),
    "html_200": ("bad_response", 200),
    "invalid_json": ("bad_response", 200),
    "truncated_json": ("bad_response", 200),
    "not_an_object": ("bad_response", 200),
    "torn_body": ("connection_fault", None),
    "torn_chunked": ("connection_fault", None),
    "broken_gzip": ("connection_fault", None),
    "reset": ("connection_fault", None),
    "closed": ("connection_fault", None),
    "server_error": ("server_fault", 500),
    "gateway_timeout": ("server_fault", 504),
}


def test_an_answer_that_is_none_is_asked_for_again_and_its_body_kept(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", len(RETRIED) + 3, times=2)
    # Every second request is answered: a server that never answers is taken for nobody at all.
    schedule = [
        {"fault": name, "from": 2 * n, "to": 2 * n} for n, name in enumerate(RETRIED, start=1)
    ]
    patient = RetryPolicy(max_attempts=len(RETRIED))
    with fake_server(schedule=schedule) as server:
        result = hurried(server, papers, tmp_path / "run", retry=patient)
        assert server.stats()["by_fault"] == dict.fromkeys(sorted(RETRIED), 1)
    assert result.counts["accepted"] == len(RETRIED) + 3
    failed = attempts(tmp_path / "run")
    assert Counter((a.code, a.status) for a in failed) == Counter(RETRIED.values())
    for attempt in failed:
        if attempt.code != "connection_fault":
            assert attempt.body is not None
    assert sum("Not an API endpoint?" in attempt.detail for attempt in failed) == 1


@pytest.mark.parametrize("fault", ["blank_lines_then_json", "wrong_content_type", "event_stream"])
def test_odd_wrapping_of_an_answer_is_no_fault(tmp_path: Path, fault: str) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 2)
    with fake_server(fault) as server:
        assert run(server, papers, tmp_path / "run").counts["accepted"] == 2
        assert server.stats()["requests"] == 2


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        ("unsupported_max_tokens", "max_tokens sent as max_completion_tokens"),
        ("unsupported_temperature", "temperature dropped"),
        ("unsupported_top_p", "top_p dropped"),
    ],
)
def test_an_unsupported_setting_costs_one_request_of_the_run_and_is_recorded(
    tmp_path: Path, fault: str, note: str
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 5)
    with fake_server(fault) as server:
        result = run(server, papers, tmp_path / "run", concurrency=1)
        assert server.stats()["by_status"] == {"200": 5, "400": 1}
    assert result.counts["accepted"] == 5
    for origin in lines(tmp_path / "run" / "provenance.jsonl"):
        assert [text[: len(note)] for text in origin["notes"]] == [note]


def test_a_deployment_that_wants_the_old_name_of_the_token_limit_gets_it() -> None:
    http, sent = http_library(), list[dict[str, Any]]()

    def answer(request: Any) -> Any:
        sent.append(json.loads(request.content))
        if "max_completion_tokens" in sent[-1]:
            error = {"code": "unsupported_parameter", "param": "max_completion_tokens"}
            return http.Response(400, json={"error": error})
        choice = {"message": {"content": "Hi."}, "finish_reason": "stop"}
        return http.Response(200, json={"choices": [choice]})

    async def ask_twice() -> list[str]:
        spec = parse_spec("openai:m")
        backend = OpenAIBackend(
            spec, openai_access(spec, {"OPENAI_API_KEY": "sk-none"}), form="chat", concurrency=1,
            seams=Seams(transport=lambda: http.MockTransport(answer)),
        )  # fmt: skip
        request = Request((Message("user", "Hello"),), sampling=Sampling(max_tokens=9))
        try:
            return [(await backend.complete(request)).text for _ in range(2)]
        finally:
            await backend.aclose()

    assert asyncio.run(ask_twice()) == ["Hi.", "Hi."]
    assert [body.get("max_tokens") for body in sent] == [None, 9, 9]


@pytest.mark.parametrize(
    ("policy", "accepted"), [("reject", 3), ("trim", 4)], ids=["reject", "trim"]
)
def test_a_text_too_long_for_the_model_is_its_items_affair(
    tmp_path: Path, policy: str, accepted: int
) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 3, times=2)
    long = write_papers(tmp_path / "long.jsonl", 1, first=3, times=5)
    both = tmp_path / "both.jsonl"
    both.write_bytes(long.read_bytes() + papers.read_bytes())
    with fake_server(context_tokens=1500 + 500) as server:
        result = run(server, both, tmp_path / "run", on_overflow=policy)
    assert result.stopped is None
    assert result.counts["accepted"] == accepted
    reasons = list(first_reasons(tmp_path / "run").values())
    assert reasons == ["call/context_overflow"] * (4 - accepted)
    cut = [o["measures"].get("trimmed_chars", 0) for o in lines(tmp_path / "run/provenance.jsonl")]
    assert sum(chars > 0 for chars in cut) == accepted - 3
