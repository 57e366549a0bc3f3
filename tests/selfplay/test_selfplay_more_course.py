"""Self-play under way: stops at any call, faults of the server, concurrency, Chinese, farewells."""

from __future__ import annotations

import asyncio
import json
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
from generator.calling.retry import RetryPolicy
from generator.job import run_job
from generator.progress import SilentProgress
from generator.recipes import get_recipe
from generator.recipes.model import RecipeSettings
from generator.recipes.selfplay import SelfPlayOptions
from generator.refiltering import refilter
from generator.settings import RunSettings
from parsers.segments import SegmentRule

RECIPE = "paperpersichat-selfplay"
VIEWS = ("dialogues.jsonl", "rejected.jsonl", "provenance.jsonl")
BUSY = {"error": {"message": "later"}}


@pytest.fixture(autouse=True)
def _whole_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Head and body of an answer in one packet: apart, they cost 40 ms of delayed ACK a call."""
    monkeypatch.setattr("socketserver.StreamRequestHandler.wbufsize", -1)


def write_papers(path: Path, texts: list[str]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            sections = [{"heading": "Introduction", "text": text}] + [
                {"heading": name, "text": "-"}
                for name in ("Method", "Experiments", "Results", "End")
            ]
            paper = {"title": f"P{number}", "abstract": "-", "sections": sections}
            file.write(json.dumps(paper) + "\n")
    return path


def english(number: int = 0) -> str:
    said = " ".join(ANSWERS[:4])
    return f"Paper {number}. " + " ".join([said] * 10)


def play(tmp_path: Path, model: str, name: str = "run", **options: Any) -> generator.RunResult:
    path = tmp_path / "papers.jsonl"
    if not path.exists():
        write_papers(path, [english()])
    return generator.generate(RECIPE, path, out=tmp_path / name, model=model, **options)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def turns_of(run: Path) -> list[str]:
    (record,) = lines(run / "dialogues.jsonl")
    return [turn["text"] for turn in record["parsed_dialogue"]["turns"]]


def troubled(body: Body) -> str:
    """Two turns of the person and one of the bot are faulty until they are asked with a hint."""
    last = body["messages"][-1]["content"]
    if role_of(body) == "person" and turn_of(body) in (1, 3) and "only one question" not in last:
        return "What is it for? And who made it?"
    if role_of(body) == "bot" and turn_of(body) == 2 and "plain text" not in last:
        return ""
    return plain_answer(body)


@pytest.mark.parametrize("after", [0, 3, 8, 11])
def test_stopped_at_any_call_the_same_requests_follow(tmp_path: Path, after: int) -> None:
    with talking(troubled) as server:
        play(tmp_path, server.model, "whole")
        whole = list(server.bodies)
        assert len(whole) == 12
        server.bodies.clear()

        def refuse(body: Body) -> str | Body:
            if len(server.bodies) > after:
                return {"error": {"message": "no such key"}, "status": 401}
            return troubled(body)

        server.answer = refuse
        assert play(tmp_path, server.model, "stopped").stopped is not None
        answered = server.bodies[:after]
        server.bodies.clear()
        server.answer = troubled
        assert play(tmp_path, server.model, "stopped").counts["accepted"] == 1
    assert answered + server.bodies == whole
    for view in VIEWS:
        assert (tmp_path / "stopped" / view).read_bytes() == (
            tmp_path / "whole" / view
        ).read_bytes()


class Failing:
    """The bot's third turn fails with `status` the first `times` times."""

    def __init__(self, status: int, times: int) -> None:
        self.status, self.times = status, times

    def __call__(self, body: Body) -> str | Body:
        if role_of(body) == "bot" and turn_of(body) == 2 and self.times:
            self.times -= 1
            return {**BUSY, "status": self.status}
        return plain_answer(body)


def play_unwaiting(
    tmp_path: Path, model: str, name: str = "run", options: SelfPlayOptions | None = None
) -> generator.RunResult:
    """The same run with attempts that follow each other at once."""
    settings = RunSettings(
        recipe=RECIPE,
        inputs=(str(write_papers(tmp_path / "papers.jsonl", [english()])),),
        out=tmp_path / name,
        model=model,
        recipe_settings=RecipeSettings(segments=get_recipe(RECIPE).segments, options=options),
        retry=RetryPolicy(max_attempts=6, first_wait_s=0.0),
    )
    return asyncio.run(run_job(settings, environ={}, progress=SilentProgress()))


@pytest.mark.parametrize("status", [500, 503])
def test_a_fault_that_goes_away_costs_the_turn_nothing(tmp_path: Path, status: int) -> None:
    with talking() as server:
        play_unwaiting(tmp_path, server.model, "calm")
        server.bodies.clear()
        server.answer = Failing(status, 3)
        play_unwaiting(tmp_path, server.model, "rough")
    assert len(server.bodies) == 9 + 3
    for view in VIEWS:
        assert (tmp_path / "calm" / view).read_bytes() == (tmp_path / "rough" / view).read_bytes()


def test_a_fault_that_stays_fails_the_item_and_the_next_run_ends_it(tmp_path: Path) -> None:
    with talking(Failing(500, 6)) as server:
        first = play_unwaiting(tmp_path, server.model)
        assert (first.counts["failed"], first.counts["rejected"]) == (1, 0)
        server.bodies.clear()
        second = play_unwaiting(tmp_path, server.model)
    assert (second.counts["failed"], second.counts["accepted"]) == (0, 1)
    assert [role_of(body) for body in server.bodies] == ["bot", "person", "bot"]
    assert len(turns_of(tmp_path / "run")) == 8


def test_kept_after_a_fault_that_stays_a_dialogue_says_so(tmp_path: Path) -> None:
    keep = SelfPlayOptions(on_failure="keep")
    with talking(Failing(500, 6)) as server:
        assert play_unwaiting(tmp_path, server.model, options=keep).counts["accepted"] == 1
        server.bodies.clear()
        assert play_unwaiting(tmp_path, server.model, options=keep).counts["accepted"] == 1
        assert not server.bodies
    assert turns_of(tmp_path / "run") == [QUESTIONS[0], ANSWERS[0], QUESTIONS[1], ANSWERS[1]]
    (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
    assert (origin["measures"]["rounds"], origin["measures"]["ended_by"]) == (2, "server_fault")


def test_different_answers_give_the_same_files_at_any_concurrency(tmp_path: Path) -> None:
    write_papers(tmp_path / "papers.jsonl", [english(number) for number in range(20)])
    script: list[dict[str, Any]] = [{"settings": {"choose": "hash"}}]
    pools = {
        "asking short questions": [*QUESTIONS, "Fine.", "What is it? And why?", "Thank you, bye!"],
        "briefly answer the": [*ANSWERS, "", "Person: And then?"],
        "Write a short summary": [SUMMARY, f"{SUMMARY} It was tried for a week.", ""],
    }
    for words, texts in pools.items():
        script += [{"match": {"contains": words}, "text": text} for text in texts]
    path = tmp_path / "script.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in script), encoding="utf-8")
    for name, concurrency in (("one", 1), ("many", 64)):
        play(
            tmp_path, f"scripted:{path}", name, concurrency=concurrency,
            give_up_after=0, options=SelfPlayOptions(rounds=2),
        )  # fmt: skip
    codes = {line["reasons"][0]["code"] for line in lines(tmp_path / "one" / "rejected.jsonl")}
    assert len(codes) > 2
    assert lines(tmp_path / "one" / "dialogues.jsonl")
    for view in VIEWS:
        assert (tmp_path / "one" / view).read_bytes() == (tmp_path / "many" / view).read_bytes()


def test_thresholds_changed_and_changed_back_leave_no_trace(tmp_path: Path) -> None:
    def answer(body: Body) -> str:
        if role_of(body) == "person" and turn_of(body) == 3:
            return "What is the paper about?"
        if role_of(body) == "bot" and turn_of(body) == 3:
            return ANSWERS[4]
        return plain_answer(body)

    with talking(answer) as server:
        assert play(tmp_path, server.model).counts["accepted"] == 1
    before = {view: (tmp_path / "run" / view).read_bytes() for view in VIEWS}
    for name, value, usual, code in (
        ("max_generic_questions", 0, 1, "generic_questions"),
        ("max_unanswerable_share", 0.1, 0.5, "too_many_unanswerable"),
        ("max_question_tokens", 5, 120, "overlong_turn"),
    ):
        moved = refilter(tmp_path / "run", filters={name: value}).moved
        assert moved == {("accepted", code): 1}
        refilter(tmp_path / "run", filters={name: usual})
        assert {view: (tmp_path / "run" / view).read_bytes() for view in VIEWS} == before


CHINESE_TEXT = (
    "水位计安装在河边的竖井里。它每个小时向办公室发送一次水位。"
    "水位突变时先重发一次，然后才叫醒值班的人。第一个冬天电池用了九十天。"
)
CHINESE_SUMMARY = "报告介绍一台水位计，说明水位突变时的处理，以及电池的寿命。"
CHINESE_QUESTIONS = (
    "水位计安装在哪里？",
    "水位突变时会怎样？",
    "它多久发送一次？",
    "电池用了多久？",
)
CHINESE_ANSWERS = (
    "安装在河边的竖井里。",
    "先重发一次，然后才叫醒值班的人。",
    "每个小时向办公室发送一次水位。",
    "第一个冬天电池用了九十天。",
)
_REFUSALS = ("文中没有足够的信息。", "信息不足，无法回答。", "文本未提及这一点。", "文章没有说明。")
CHINESE = {
    "label and quotes": ({("person", 1): ["读者：“水位突变时会怎样？”"]}, None, 8, 0),
    "thoughts and the bot's line": (
        {("person", 1): ["<think>想</think>水位突变时会怎样？\n助手：先重发一次。"]}, None, 8, 0,
    ),
    "no question": ({("person", 1): ["听起来很有用。"]}, None, 8, 1),
    "two questions": ({("person", 1): ["由谁查看？要花多少钱？"]}, None, 8, 1),
    "asked before": ({("person", 1): ["那么水位计安装在哪里呢？"]}, None, 8, 1),
    "farewell": ({("person", 2): ["非常感谢您的解答，再见！"]}, None, 4, 0),
    "one refusal": ({("bot", 1): [_REFUSALS[0]]}, None, 8, 0),
    "refusals alone": ({("bot", n): [_REFUSALS[n]] for n in range(4)}, "all_unanswerable", 8, 0),
    "generic": (
        {("person", 0): ["这篇文章主要讲了什么？"], ("person", 2): ["本文的主要贡献是什么？"]},
        "generic_questions", 8, 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHINESE, ids=list(CHINESE))
def test_a_whole_run_in_chinese(tmp_path: Path, case: str) -> None:
    special, code, turns, retried = CHINESE[case]
    left = {place: list(said) for place, said in special.items()}

    def answer(body: Body) -> str:
        first = body["messages"][0]["content"]
        if "概括" in first:
            return CHINESE_SUMMARY
        person = "看不到的文章" in first
        turn = [m["role"] for m in body["messages"]].count("assistant")
        waiting = left.get(("person" if person else "bot", turn))
        if waiting:
            return waiting.pop()
        return (CHINESE_QUESTIONS if person else CHINESE_ANSWERS)[turn]

    write_papers(tmp_path / "papers.jsonl", [CHINESE_TEXT * 12])
    with talking(answer) as server:
        play(tmp_path, server.model, lang="zh", segments=SegmentRule(budget=4000, min_chars=600))
    judged = lines(tmp_path / "run" / ("dialogues.jsonl" if code is None else "rejected.jsonl"))
    assert len(judged) == 1
    if code is not None:
        assert [reason["code"] for reason in judged[0]["reasons"]] == [code]
        assert len(judged[0]["parsed"]["turns"]) == turns
        return
    (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
    said = [turn["text"] for turn in judged[0]["parsed_dialogue"]["turns"]]
    assert said[::2] == list(CHINESE_QUESTIONS)[: turns // 2]
    assert origin["measures"]["retried_turns"] == retried
    assert origin["measures"]["unanswerable_at"] == ("4" if case == "one refusal" else "")


FAREWELLS = {
    "thanks": ("Thank you!", "You're welcome!"),
    "thanks at length": (
        "Got it, thanks for explaining how it works!",
        "Happy to help! Let me know if you have more questions.",
    ),
    "nothing left to ask": ("I have no further questions, thank you.", "Goodbye!"),
}


@pytest.mark.parametrize("case", FAREWELLS, ids=list(FAREWELLS))
def test_thanks_without_end_end_the_dialogue_at_once(tmp_path: Path, case: str) -> None:
    thanks, welcome = FAREWELLS[case]

    def answer(body: Body) -> str:
        if role_of(body) != "summarizer" and turn_of(body) > 1:
            return thanks if role_of(body) == "person" else welcome
        return plain_answer(body)

    with talking(answer) as server:
        play(tmp_path, server.model, options=SelfPlayOptions(rounds=8))
        assert len(server.bodies) == 6
    assert len(turns_of(tmp_path / "run")) == 4
    (origin,) = lines(tmp_path / "run" / "provenance.jsonl")
    assert origin["measures"]["ended_by"] == "farewell"
