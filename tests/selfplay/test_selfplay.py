"""Two-agent self-play over a real HTTP server: who sees what, repair, resume, one corpus."""

from __future__ import annotations

import importlib
import json
import signal
import subprocess
import sys
import time
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from talking_server import (
    ANSWERS,
    QUESTIONS,
    SUMMARY,
    Body,
    plain_answer,
    role_of,
    talking,
    turn_of,
)

import generator
from generator.recipes.selfplay import SelfPlayOptions
from generator.recipes.selfplay.person import PersonView

RECIPE = "paperpersichat-selfplay"
CANARY = "quetzalcoatlus-7731"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl", "skipped.jsonl")
SENTENCES = (
    "The system keeps a ledger of sensor readings in two small tables.",
    "Each reading is compared with the median of its neighbours.",
    "A suspicious value is held back for a second look.",
    "Over the week only one false alarm remained, where nine had been raised before.",
    "The authors say that it can run on a single cheap board.",
)


def write_papers(path: Path, count: int = 1) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            body = f"Paper {number}. The board is called {CANARY}. " + " ".join(SENTENCES * 6)
            sections = [{"heading": "Introduction", "text": body}] + [
                {"heading": name, "text": "Short."}
                for name in ("Method", "Experiments", "Results", "Acknowledgements")
            ]
            paper = {"title": f"P{number}", "abstract": f"About {number}.", "sections": sections}
            file.write(json.dumps(paper) + "\n")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def run(tmp_path: Path, model: str, name: str = "run", papers: int = 1, **options: Any) -> Any:
    path = tmp_path / "papers.jsonl"
    if not path.exists():
        write_papers(path, papers)
    return generator.generate(RECIPE, path, out=tmp_path / name, model=model, **options)


def test_four_rounds_make_one_record(tmp_path: Path) -> None:
    with talking() as server:
        result = run(tmp_path, server.model)
    assert result.counts["accepted"] == 1, lines(tmp_path / "run" / "rejected.jsonl")
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    said = [text for pair in zip(QUESTIONS, ANSWERS, strict=True) for text in pair][:8]
    assert record["dialogue"] == "\n".join(said)
    assert record["parsed_dialogue"]["summary"] == SUMMARY
    assert [t["text"] for t in record["parsed_dialogue"]["turns"]] == said
    assert len(server.bodies) == 9


def test_the_published_sampling_goes_over_the_wire(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model)
    for body in server.bodies:
        assert (body["temperature"], body["top_p"], body["max_tokens"]) == (0.7, 1.0, 512)


def test_the_text_never_reaches_the_person(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model, papers=3)
    assert all(CANARY in json.dumps(body) for body in server.of_role("bot"))
    assert len(server.of_role("person")) == 12
    for body in server.of_role("person"):
        assert CANARY not in json.dumps(body)
        assert not any(sentence in json.dumps(body) for sentence in SENTENCES)


def test_what_the_person_is_built_from_has_no_room_for_a_text() -> None:
    assert {f.name for f in fields(PersonView)} == {"summary", "turns"}
    source = Path(sys.modules[PersonView.__module__].__file__ or "").read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert not any("segment" in line or "paper" in line for line in imports)


def test_each_side_sees_its_own_turns_as_its_own(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model)
    last_question, last_answer = server.of_role("person")[-1], server.of_role("bot")[-1]
    roles = [m["role"] for m in last_question["messages"]]
    assert roles == ["system", "user"] + ["assistant", "user"] * 3
    assert [m["content"] for m in last_question["messages"][2:]] == [
        text for pair in zip(QUESTIONS[:3], ANSWERS[:3], strict=True) for text in pair
    ]
    assert [m["role"] for m in last_answer["messages"]] == ["system"] + [
        "user",
        "assistant",
    ] * 3 + ["user"]


def test_requests_only_ever_grow(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model)
    for role in ("person", "bot"):
        requests = [body["messages"] for body in server.of_role(role)]
        for shorter, longer in pairwise(requests):
            assert longer[: len(shorter)] == shorter


FAULTY = {
    "no question": ("The text seems interesting to me so far.", "no_question"),
    "two questions": ("What is it for? And who made it?", "merged_questions"),
    "asked before": (QUESTIONS[0], "repeated_question"),
}


@pytest.mark.parametrize("fault", FAULTY, ids=list(FAULTY))
def test_a_faulty_turn_is_asked_again_and_leaves_no_trace(tmp_path: Path, fault: str) -> None:
    bad, _ = FAULTY[fault]
    tried: list[str] = []

    def answer(body: Body) -> str:
        if role_of(body) == "person" and turn_of(body) == 1 and not tried:
            tried.append(bad)
            return bad
        return plain_answer(body)

    with talking(answer) as server:
        result = run(tmp_path, server.model)
    assert result.counts["accepted"] == 1
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    assert [t["text"] for t in record["parsed_dialogue"]["turns"]][2] == QUESTIONS[1]
    again = server.of_role("person")[2]
    assert again["messages"][:-1] == server.of_role("person")[1]["messages"][:-1]
    hint = again["messages"][-1]["content"].removeprefix(ANSWERS[0])
    assert hint.strip()
    later = json.dumps([b for b in server.bodies if turn_of(b) >= 2])
    assert hint.strip() not in later
    (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
    assert origin["measures"]["retried_turns"] == 1


@pytest.mark.parametrize("fault", FAULTY, ids=list(FAULTY))
def test_a_turn_that_stays_faulty_rejects_the_dialogue(tmp_path: Path, fault: str) -> None:
    bad, code = FAULTY[fault]

    def answer(body: Body) -> str:
        return bad if role_of(body) == "person" and turn_of(body) == 2 else plain_answer(body)

    with talking(answer) as server:
        run(tmp_path, server.model, options=SelfPlayOptions(turn_retries=1))
    (line,) = lines(tmp_path / "run" / "rejected.jsonl")
    assert (line["reasons"][0]["stage"], line["reasons"][0]["code"]) == ("turn", code)
    assert len(line["parsed"]["turns"]) == 4
    assert len(server.of_role("person")) == 4


@pytest.mark.parametrize(
    ("policy", "accepted"), [("reject", 0), ("keep", 1)], ids=["reject", "keep"]
)
def test_a_dialogue_cut_short_follows_the_policy(
    tmp_path: Path, policy: Any, accepted: int
) -> None:
    def answer(body: Body) -> str | Body:
        if role_of(body) == "bot" and turn_of(body) == 2:
            return {"error": {"code": "content_filter", "message": "no"}, "status": 400}
        return plain_answer(body)

    with talking(answer) as server:
        result = run(tmp_path, server.model, options=SelfPlayOptions(on_failure=policy))
    assert result.counts["accepted"] == accepted
    if accepted:
        (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
        assert len(record["parsed_dialogue"]["turns"]) == 4
        (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
        assert (origin["measures"]["rounds"], origin["measures"]["ended_by"]) == (
            2,
            "content_filter",
        )
    else:
        (line,) = lines(tmp_path / "run" / "rejected.jsonl")
        assert line["reasons"][0]["code"] == "content_filter"


def test_a_farewell_ends_the_dialogue(tmp_path: Path) -> None:
    def answer(body: Body) -> str:
        if role_of(body) == "person" and turn_of(body) == 3:
            return "Thank you very much, that was helpful. Goodbye!"
        return plain_answer(body)

    with talking(answer) as server:
        assert run(tmp_path, server.model).counts["accepted"] == 1
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    assert len(record["parsed_dialogue"]["turns"]) == 6


def test_labels_quotes_and_thoughts_are_stripped(tmp_path: Path) -> None:
    def answer(body: Body) -> str:
        said = plain_answer(body)
        if role_of(body) == "person":
            return f"<think>I see only a summary.</think>\n**Person:** “{said}”"
        return f"Bot: {said}"

    with talking(answer) as server:
        assert run(tmp_path, server.model).counts["accepted"] == 1
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    assert record["dialogue"].split("\n")[:2] == [QUESTIONS[0], ANSWERS[0]]


def test_an_unanswerable_question_is_kept_and_marked(tmp_path: Path) -> None:
    def answer(body: Body) -> str:
        if role_of(body) == "bot" and turn_of(body) == 1:
            return "There is not enough information in the text."
        return plain_answer(body)

    with talking(answer) as server:
        assert run(tmp_path, server.model).counts["accepted"] == 1
    (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
    assert origin["measures"]["unanswerable_turns"] == 1
    assert origin["measures"]["unanswerable_at"] == "4"


def test_a_dialogue_of_refusals_is_rejected(tmp_path: Path) -> None:
    refusals = (
        "There is not enough information in the text.",
        "The text does not say.",
        "That is not mentioned in the text.",
        "There is no information about that in the text.",
    )

    def answer(body: Body) -> str:
        return refusals[turn_of(body)] if role_of(body) == "bot" else plain_answer(body)

    with talking(answer) as server:
        run(tmp_path, server.model)
    (line,) = lines(tmp_path / "run" / "rejected.jsonl")
    assert "all_unanswerable" in [r["code"] for r in line["reasons"]]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        pytest.param("", "missing_summary", id="empty"),
        pytest.param("on and on " * 300, "overlong_summary", id="runaway"),
        pytest.param("A system.", "short_summary", id="a fragment"),
    ],
)
def test_a_bad_summary_is_asked_for_again_then_rejected(
    tmp_path: Path, bad: str, code: str
) -> None:
    with talking(lambda b: bad if role_of(b) == "summarizer" else plain_answer(b)) as server:
        run(tmp_path, server.model)
        assert len(server.of_role("summarizer")) == 3
        assert not server.of_role("person")
    (line,) = lines(tmp_path / "run" / "rejected.jsonl")
    assert line["reasons"][0]["code"] == code


def test_a_text_longer_than_the_context_is_summarised_in_parts(tmp_path: Path) -> None:
    parts: list[str] = []

    def answer(body: Body) -> str | Body:
        if role_of(body) != "summarizer":
            return plain_answer(body)
        asked = body["messages"][-1]["content"]
        if len(asked) > 1200:
            return {"error": {"code": "context_length_exceeded", "message": "long"}, "status": 400}
        parts.append(asked)
        return f"Part {len(parts)} says how readings are checked."

    with talking(answer) as server:
        assert run(tmp_path, server.model, concurrency=1).counts["items"] == 1
    seen = "".join(part.split("\n\n", 1)[1] for part in parts)
    assert all(sentence in seen for sentence in SENTENCES)
    first = server.of_role("person")[0]["messages"][0]["content"]
    assert all(f"Part {n} says" in first for n in range(1, len(parts) + 1))
    assert len(parts) >= 2


def test_ready_made_summaries_are_taken_by_segment_id(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl")
    listed = subprocess.run(
        [sys.executable, "-m", "generator.cli", "segments", str(papers), "--budget", "4000"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    segment = json.loads(listed.split("\n")[0])["id"]
    ready = "A ready summary of how readings are checked before an alarm."
    summaries = tmp_path / "s.jsonl"
    summaries.write_text(json.dumps({"id": segment, "summary": ready}) + "\n")
    with talking() as server:
        run(tmp_path, server.model, options=SelfPlayOptions(summaries=summaries))
        assert not server.of_role("summarizer")
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    assert record["parsed_dialogue"]["summary"] == ready


@pytest.mark.parametrize("line", ['{"id": 3}', "{", '{"id": "a", "summary": " "}'])
def test_a_bad_summary_file_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "x", "summary": "fine"}\n' + line + "\n")
    with pytest.raises(generator.WrongUse, match=r"s\.jsonl:2"):
        run(tmp_path, "openai:m@http://127.0.0.1:9/v1", options=SelfPlayOptions(summaries=path))


def test_roles_can_have_models_of_their_own(tmp_path: Path) -> None:
    with talking() as everyone, talking() as bots:
        result = run(
            tmp_path, everyone.model, roles={"bot": bots.model},
            sampling={"bot": {"temperature": 0.0, "max_tokens": 99}},
        )  # fmt: skip
    assert result.counts["accepted"] == 1
    assert len(bots.bodies) == 4
    assert {role_of(b) for b in everyone.bodies} == {"summarizer", "person"}
    assert {(b["temperature"], b["max_tokens"]) for b in bots.bodies} == {(0.0, 99)}


def test_one_and_sixty_four_at_once_give_the_same_files(tmp_path: Path) -> None:
    with talking() as server:
        for name, concurrency in (("a", 1), ("b", 64)):
            run(tmp_path, server.model, name, papers=40, concurrency=concurrency)
    for view in VIEWS:
        assert (tmp_path / "a" / view).read_bytes() == (tmp_path / "b" / view).read_bytes()


def test_refilter_reads_the_same_dialogue_back(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model, papers=3)
    before = {name: (tmp_path / "run" / name).read_bytes() for name in VIEWS}
    result = generator.refilter(tmp_path / "run")
    assert not result.moved
    assert {name: (tmp_path / "run" / name).read_bytes() for name in VIEWS} == before


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 2, 5, 8])
def test_killed_after_any_turn_a_dialogue_goes_on_where_it_was(tmp_path: Path, after: int) -> None:
    papers = write_papers(tmp_path / "papers.jsonl")
    with talking() as server:
        run(tmp_path, server.model, "whole")
        whole = list(server.bodies)
        server.bodies.clear()
        command = [
            sys.executable, "-m", "generator.cli", "generate", RECIPE, str(papers), "--out",
            str(tmp_path / "killed"), "--model", server.model, "--quiet",
        ]  # fmt: skip
        plain = server.answer

        def answer(body: Body) -> str | Body:
            if len(server.bodies) == after + 1:
                process.send_signal(signal.SIGKILL)
                process.wait()
            return plain(body)

        server.answer = answer
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            process.poll()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        server.answer = plain
        answered = server.bodies[:after]
        server.bodies.clear()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert answered + server.bodies == whole
    for name in ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize(
    "label", ["Summary: ", "**Summary:** ", "Here is a short summary of the text:\n\n", "摘要："]
)
def test_a_label_of_the_summary_is_no_part_of_it(tmp_path: Path, label: str) -> None:
    def answer(body: Body) -> str:
        return label + SUMMARY if role_of(body) == "summarizer" else plain_answer(body)

    with talking(answer) as server:
        assert run(tmp_path, server.model).counts["accepted"] == 1
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    assert record["parsed_dialogue"]["summary"] == SUMMARY


def test_one_round_is_enough_where_one_is_asked_for(tmp_path: Path) -> None:
    with talking() as server:
        result = run(tmp_path, server.model, options=SelfPlayOptions(rounds=1))
    assert result.counts["accepted"] == 1


def test_a_turn_asked_again_has_another_seed(tmp_path: Path) -> None:
    with talking(lambda b: "" if role_of(b) == "summarizer" else plain_answer(b)) as server:
        run(tmp_path, server.model, seed=5)
    assert [body["seed"] for body in server.bodies] == [5, 6, 7]


def test_a_declared_context_is_kept_to(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model, sampling={"summarizer": {"backend.context_tokens": 900}})
    assert len(server.of_role("summarizer")) >= 2
    asked = "".join(body["messages"][0]["content"] for body in server.of_role("summarizer"))
    assert all(sentence in asked for sentence in SENTENCES)


def test_cut_off_turns_are_done_again_with_a_larger_cap(tmp_path: Path) -> None:
    def answer(body: Body) -> str | Body:
        if role_of(body) == "bot" and turn_of(body) == 1 and body["max_tokens"] < 700:
            message = {"role": "assistant", "content": "It is held back for a"}
            return {"choices": [{"message": message, "finish_reason": "length"}]}
        return plain_answer(body)

    with talking(answer) as server:
        assert run(tmp_path, server.model).counts["accepted"] == 0
        again = run(
            tmp_path, server.model, retry_truncated=True, sampling={"bot": {"max_tokens": 800}}
        )
    assert again.counts["accepted"] == 1


@pytest.mark.parametrize("policy", ["reject", "keep"])
def test_an_interrupted_wait_never_shortens_a_dialogue(tmp_path: Path, policy: Any) -> None:
    papers = write_papers(tmp_path / "papers.jsonl")
    limited = [True]

    def answer(body: Body) -> str | Body:
        if role_of(body) == "bot" and turn_of(body) == 2 and limited:
            return {"error": {"code": "rate_limit_exceeded", "message": "slow"}, "status": 429}
        return plain_answer(body)

    with talking(answer) as server:
        command = [
            sys.executable, "-m", "generator.cli", "generate", RECIPE, str(papers), "--out",
            str(tmp_path / "run"), "--model", server.model, "--on-failure", policy,
        ]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(server.of_role("bot")) < 3 and time.monotonic() < deadline:
            process.poll()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert process.returncode == 130
        assert (tmp_path / "run" / "dialogues.jsonl").read_bytes() == b""
        limited.clear()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    (record,) = lines(tmp_path / "run" / "dialogues.jsonl")
    assert len(record["parsed_dialogue"]["turns"]) == 8


def test_the_refilter_function_is_there_more_than_once() -> None:
    assert callable(generator.refilter)
    importlib.import_module("generator.commands.refilter")

    assert callable(generator.refilter)


def test_every_measure_of_self_play_is_described(tmp_path: Path) -> None:
    with talking() as server:
        run(tmp_path, server.model)
    (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
    page = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text("utf-8")
    assert [name for name in origin["measures"] if f"`{name}`" not in page] == []
