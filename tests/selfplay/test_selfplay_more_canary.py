"""The text never reaches the person: over every message policy, with a grammar, in both languages.

Every road is taken that makes a further request of the person: corrections after faulty
turns, a summary in parts, a ready-made summary, a text trimmed for the bot.
"""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from talking_server import Body, talking

import generator
from generator.backends import BackendOptions, make_backend
from generator.probe import advice, probe
from generator.recipes.selfplay import SelfPlayOptions
from generator.store import RunStore, unpack_request
from parsers.segments import SegmentRule

RECIPE = "paperpersichat-selfplay"
READY = "A ready gauge tells the level of the river."
CANARY = "quetzalcoatlus-7731"
POLICIES = ("as-given", "fold-system", "alternate")
RULE = SegmentRule(budget=4000, min_chars=600)

WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "roles": {"asking short questions": "person", "briefly answer": "bot"},
        "text": (
            "The gauge stands in a shaft beside the river. ",
            "It sends one level to the office in every hour. ",
            "A level that jumps is sent twice before anybody is woken. ",
            "In the first winter the battery lasted for ninety days. ",
        ),
        "summary": "A report on a gauge that sends river levels to an office.",
        "questions": (
            "Where does the gauge stand?",
            "What happens when a level jumps?",
            "How often does it send a level?",
            "Did the battery last?",
        ),
        "answers": (
            "It stands in a shaft beside the river.",
            "A level that jumps is sent twice before anybody is woken.",
            "It sends one level to the office in every hour.",
            "In the first winter the battery lasted for ninety days.",
        ),
        "no question": "That sounds useful.",
        "two questions": "Who reads it? And what does it cost?",
    },
    "zh": {
        "roles": {"看不到的文章": "person", "简要回答问题": "bot"},
        "text": (
            "水位计安装在河边的竖井里。",
            "它每个小时向办公室发送一次水位。",
            "水位突变时先重发一次，然后才叫醒值班的人。",
            "第一个冬天电池用了九十天。",
        ),
        "summary": "报告介绍一台向办公室发送河流水位的水位计。",
        "questions": (
            "水位计安装在哪里？",
            "水位突变时会怎样？",
            "它多久发送一次？",
            "电池用了多久？",
        ),
        "answers": (
            "安装在河边的竖井里。",
            "先重发一次，然后才叫醒值班的人。",
            "每个小时向办公室发送一次水位。",
            "第一个冬天电池用了九十天。",
        ),
        "no question": "听起来很有用。",
        "two questions": "由谁查看？要花多少钱？",
    },
}


@pytest.fixture(autouse=True)
def _whole_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Head and body of an answer in one packet: apart, they cost 40 ms of delayed ACK a call."""
    monkeypatch.setattr("socketserver.StreamRequestHandler.wbufsize", -1)


def role_in(body: Body, lang: str) -> str:
    first = body["messages"][0]["content"]
    return next((r for words, r in WORDS[lang]["roles"].items() if words in first), "summarizer")


def turn_in(body: Body, role: str) -> int:
    said = [m["role"] for m in body["messages"]]
    return said.count("assistant") if role == "person" else said.count("user") - 1


class Talk:
    """Answers in one language; every turn has to be asked twice, the person's by turns for
    another fault, and the summary is empty at first."""

    def __init__(self, lang: str, longest_text: int | None = None) -> None:
        self.lang, self.longest_text = lang, longest_text
        self.asked: set[tuple[str, int]] = set()

    def __call__(self, body: Body) -> str | Body:
        words, role = WORDS[self.lang], role_in(body, self.lang)
        size = sum(len(m["content"]) for m in body["messages"])
        if self.longest_text is not None and role != "person" and size > self.longest_text:
            return {"error": {"code": "context_length_exceeded", "message": "long"}, "status": 400}
        turn = 0 if role == "summarizer" else turn_in(body, role)
        again = (role, turn) in self.asked
        self.asked.add((role, turn))
        if role == "summarizer":
            return str(words["summary"]) if again else ""
        if role == "person" and not again:
            return str(words["no question" if turn % 2 else "two questions"])
        if role == "bot" and not again:
            return ""
        return str(words["questions" if role == "person" else "answers"][turn])


def write_paper(path: Path, lang: str) -> Path:
    said = "".join(WORDS[lang]["text"])
    body = said * (1200 // len(said)) + f"({CANARY}) " + said
    sections = [{"heading": "Introduction", "text": body}] + [
        {"heading": name, "text": "-"} for name in ("Method", "Experiments", "Results", "End")
    ]
    paper = {"title": "A gauge", "abstract": "-", "sections": sections}
    path.write_text(json.dumps(paper) + "\n", encoding="utf-8")
    return path


def play(tmp_path: Path, model: str, lang: str, **options: Any) -> generator.RunResult:
    paper = write_paper(tmp_path / "paper.jsonl", lang)
    return generator.generate(
        RECIPE, paper, out=tmp_path / "run", model=model, lang=lang, segments=RULE, **options
    )


def bodies_of(bodies: list[Body], role: str, lang: str) -> list[Body]:
    return [body for body in bodies if role_in(body, lang) == role]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("held", [False, True], ids=["free", "grammar"])
@pytest.mark.parametrize("policy", POLICIES)
def test_no_request_of_the_person_holds_the_text(
    tmp_path: Path, policy: str, held: bool, lang: str
) -> None:
    backend = {"backend.roles": policy}
    if held:
        backend |= {"backend.constraints": "gbnf", "backend.follows_instructions": "false"}
    sampling = dict.fromkeys(("summarizer", "person", "bot"), backend)
    with talking(Talk(lang)) as server:
        play(tmp_path, server.model, lang, sampling=sampling)
    asked = bodies_of(server.bodies, "person", lang)
    assert len(asked) == 8
    assert not any(CANARY in json.dumps(body) for body in asked)
    assert all(CANARY in json.dumps(body) for body in bodies_of(server.bodies, "bot", lang))
    assert all(("grammar" in body) == held for body in asked)
    roles = [[m["role"] for m in body["messages"]] for body in asked]
    start = ["system", "user"] if policy == "as-given" else ["user"]
    assert all(r[: len(start)] == start for r in roles)
    assert all(a != b for r in roles for a, b in pairwise(r))


@pytest.mark.parametrize("policy", POLICIES)
def test_neither_parts_nor_trimming_let_the_text_through(tmp_path: Path, policy: str) -> None:
    with talking(Talk("en", longest_text=900)) as server:
        play(
            tmp_path, server.model, "en", on_overflow="trim",
            sampling={"backend": {"roles": policy}},
        )  # fmt: skip
    assert len(bodies_of(server.bodies, "summarizer", "en")) > 3
    assert len(bodies_of(server.bodies, "bot", "en")) > 8
    asked = bodies_of(server.bodies, "person", "en")
    assert len(asked) == 8
    assert not any(CANARY in json.dumps(body) for body in asked)


def test_a_ready_made_summary_is_all_the_person_gets(tmp_path: Path) -> None:
    with talking(Talk("en")) as server:
        play(tmp_path, server.model, "en")
        (line,) = (tmp_path / "run" / "provenance.jsonl").read_text().splitlines()
        ready = tmp_path / "summaries.jsonl"
        ready.write_text(
            json.dumps(
                {
                    "id": json.loads(line)["id"],
                    "summary": READY,
                }
            )
        )
        server.bodies.clear()
        server.answer = Talk("en")
        generator.generate(
            RECIPE, tmp_path / "paper.jsonl", out=tmp_path / "again", model=server.model,
            segments=RULE, options=SelfPlayOptions(summaries=ready),
        )  # fmt: skip
    asked = bodies_of(server.bodies, "person", "en")
    assert len(asked) == 8
    assert not bodies_of(server.bodies, "summarizer", "en")
    assert not any(CANARY in json.dumps(body) for body in asked)
    assert all(READY in body["messages"][0]["content"] for body in asked)


def test_the_stored_requests_of_a_scripted_person_do_not_hold_the_text(tmp_path: Path) -> None:
    words = WORDS["en"]
    script: list[dict[str, Any]] = [
        {"match": {"contains": ["briefly answer", question]}, "text": answer}
        for question, answer in zip(words["questions"], words["answers"], strict=True)
    ][::-1]
    for turn in (3, 2, 1, 0):
        said = ["asking short questions", *words["answers"][:turn]]
        script.append({"match": {"contains": said}, "text": words["questions"][turn]})
    script.append({"text": words["summary"]})
    path = tmp_path / "script.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in script), encoding="utf-8")
    result = play(tmp_path, f"scripted:{path}", "en")
    assert result.counts["accepted"] == 1
    store = RunStore(tmp_path / "run" / "store.sqlite", create=False, writable=False)
    ((_, verdict),) = store.judged()
    calls = [store.find_call(a["key"], item=a["item"]) for a in verdict.answers]
    asked = [(c.role, json.dumps(unpack_request(c.request))) for c in calls if c is not None]
    store.close()
    assert [role for role, _ in asked] == ["summarizer", *["person", "bot"] * 4]
    assert [CANARY in request for role, request in asked] == [role != "person" for role, _ in asked]


def strict(body: Body, kind: str) -> str | None:
    """What a strict server says to these messages, None when it takes them."""
    roles = [m["role"] for m in body["messages"]]
    if kind == "no system role" and "system" in roles:
        return "System role not supported"
    turns = [role for role in roles if role != "system"]
    if any(role != ("user", "assistant")[n % 2] for n, role in enumerate(turns)) or not turns:
        return "Conversation roles must alternate user/assistant/user/assistant/..."
    return None


@pytest.mark.parametrize("kind", ["no system role", "alternation"])
def test_what_probe_advises_makes_the_recipe_work(tmp_path: Path, kind: str) -> None:
    talk, refused = Talk("en"), []

    def answer(body: Body) -> str | Body:
        why = strict(body, kind)
        if why is not None:
            refused.append(why)
            return {"error": {"message": why, "type": "invalid_request_error"}, "status": 400}
        return talk(body)

    async def ask(spec: str) -> str:
        backend = make_backend(spec, environ={}, options=BackendOptions())
        found = [finding async for finding in probe(backend)]
        await backend.aclose()
        return advice(found)

    with talking(answer) as server:
        advised = asyncio.run(ask(server.model))
        assert refused
        refused.clear()
        policy = advised.partition("backend.roles=")[2].split()[0]
        talk.asked.clear()
        result = play(tmp_path, server.model, "en", sampling={"backend": {"roles": policy}})
    assert result.counts["accepted"] == 1
    assert not refused
