"""Answers: the same for the same request, acceptable to the filters, or those of a script."""

import asyncio
import json

import pytest
from fake_asking import CHAT, Hand, ask, ask_async, chat_body, post, value
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import errors
from generator.backends.script_file import read_script
from generator.backends.scripted import FAULTS as SCRIPT_FAULTS
from generator.backends.scripted import ScriptedBackend
from generator.calling.key import request_hash
from generator.fakeserver import FakeServer, FakeServerSettings
from generator.fakeserver.made_answers import made_answer
from generator.filters import DialogueSample, run_filters
from generator.grammar import dialogue_json_schema
from generator.values import Completion, Constraint, Message, Request, Sampling
from parsers.dialogue import Dialogue, parse_dialogue
from prompts import load_template

ENGLISH = (
    "Harbour pilots log the tide before every departure from the northern basin. "
    "A small buoy network reports the current once a minute over a slow radio link. "
    "The reports are smoothed by a filter that forgets old values within half an hour. "
    "Ferries receive a corrected table instead of the printed almanac of the year. "
    "During the trial the average error of arrival shrank from nine to four minutes. "
    "Captains complained about the display, which was hard to read in bright sunlight. "
    "A second version prints the table on paper and hangs it beside the wheel. "
    "The authors suggest that every harbour with strong currents could copy the method."
)
CHINESE = (
    "港口的领航员在每次离港之前都会记录潮位。一个小型浮标网络每分钟通过低速无线电报告一次水流。"
    "这些报告由一个会在半小时内忘记旧数值的滤波器加以平滑。渡轮收到的是修正后的表格，而不是当年印好的历书。"
    "在试验期间，平均到港误差从九分钟缩小到四分钟。船长们抱怨显示屏在强光下很难看清。"
    "第二个版本把表格印在纸上，挂在舵轮旁边。作者认为水流强的港口都可以照搬这种方法。"
)
TEXTS = {"en": ENGLISH, "zh": CHINESE}


def _davinci(lang, variant, text):
    return load_template("paperpersichat-davinci", lang, variant).render(text=text, title="Tides")


def _answer(request, seed=0):
    return made_answer(request, request_hash(request), seed)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("variant", ["plain", "few-shot", "schema"])
def test_a_made_dialogue_passes_parser_and_filters(lang, variant):
    text = TEXTS[lang]
    prompt = _davinci(lang, variant, text) + {"few-shot": "Summary:"}.get(variant, "") * (
        lang == "en"
    )
    constraint = dialogue_json_schema() if variant == "schema" else None
    for seed in range(8):
        raw = _answer(Request(messages=(Message("user", prompt),), constraint=constraint), seed)
        if prompt.endswith("Summary:"):
            raw = "Summary:" + raw
        dialogue = parse_dialogue(raw)
        assert isinstance(dialogue, Dialogue), raw
        assert len(dialogue.turns) == 8
        verdict = run_filters(DialogueSample(text, dialogue, lang, raw))
        assert verdict.accepted, (verdict.reasons, raw)
        said = [turn.text for turn in dialogue.turns if turn.speaker == "bot"]
        assert all(answer.rstrip(".。") in text for answer in said)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=400), st.integers(min_value=0, max_value=3))
def test_anything_gets_a_text(text, kind):
    instruction = ("Write a dialogue. ", "You are asking short questions. ", "Summarize this. ", "")
    messages = (Message("user", instruction[kind] + text),)
    answer = _answer(Request(messages=messages))
    assert answer.strip()
    assert "\n" not in answer or kind == 0 or "dialog" in text.lower() or "对话" in text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_turns_of_self_play(lang):
    bot, person = {
        "en": (
            "You should briefly answer the questions on the following text.",
            "You should be asking short questions about an article you can't see.",
        ),
        "zh": (
            "你应当根据下面的文本简要回答。",
            "你看不到文章，请根据摘要每次提出一个简短的问题。",
        ),
    }[lang]
    text = TEXTS[lang]
    question = _answer(
        Request(messages=(Message("system", f"{person}\n{text}"), Message("user", "…")))
    )
    assert question[-1] in "?？"
    topic = {"en": "What about the second version on paper?", "zh": "第二个版本把表格印在哪里？"}[
        lang
    ]
    asked = (Message("system", f"{bot}\n{text}"), Message("user", topic))
    first = _answer(Request(messages=asked))
    assert first in text
    assert ("paper" if lang == "en" else "纸上") in first
    again = (*asked, Message("assistant", first), Message("user", topic))
    assert _answer(Request(messages=again)) != first


def test_small_talk_is_in_the_language_of_the_prompt():
    assert _answer(Request(messages=(Message("user", "Hello!"),))).isascii()
    assert "，" in _answer(Request(messages=(Message("user", "你好！"),)))


SCHEMAS = {
    "any object": ({"type": "object"}, {}),
    "by name": (
        {"properties": {"question": {"type": "string"}, "n": {"type": "integer"}}},
        {"question": "", "n": 1},
    ),
    "enum and union": (
        {"properties": {"label": {"enum": ["yes", "no"]}, "ok": {"type": ["null", "boolean"]}}},
        {"label": "yes", "ok": True},
    ),
    "reference": (
        {
            "$defs": {"seven": {"const": 7}},
            "type": "array",
            "items": {"$ref": "#/$defs/seven"},
            "minItems": 2,
            "maxItems": 2,
        },
        [7, 7],
    ),
    "anyOf": ({"anyOf": [{"type": "number", "minimum": 3}]}, 3),
    "endless": ({"properties": {"child": {"$ref": "#"}}}, {"child": None}),
}


@pytest.mark.parametrize(("schema", "expected"), SCHEMAS.values(), ids=SCHEMAS)
def test_json_by_schema(schema, expected):
    constraint = Constraint("json_schema", json.dumps(schema))
    made = json.loads(_answer(Request(messages=(Message("user", ENGLISH),), constraint=constraint)))
    if isinstance(made, dict) and "question" in made:
        assert made.pop("question").endswith("?")
        expected = {"n": 1}
    while isinstance(made, dict) and made.get("child"):
        made = made["child"]
    assert made == expected


def test_the_same_request_gets_the_same_bytes_in_any_order(base_url):
    bodies = [
        chat_body(f"Write a dialogue about this.\n\n{ENGLISH} Number {n}.") for n in range(12)
    ]
    forwards = [post(base_url, body).body for body in bodies]
    backwards = [post(base_url, body).body for body in reversed(bodies)][::-1]
    assert forwards == backwards
    assert len(set(forwards)) == len(bodies)


def test_the_same_request_gets_the_same_answer_at_any_concurrency(base_url):
    requests = [
        Request(messages=(Message("user", f"Write a dialogue.\n\n{ENGLISH} Number {n}."),))
        for n in range(24)
    ]
    at_once = asyncio.run(ask_async(base_url, *requests))
    one_by_one = [ask(base_url, request) for request in requests]
    assert [a.text for a in at_once] == [a.text for a in one_by_one]


def test_another_seed_gives_other_answers():
    body = chat_body(f"Write a dialogue about this.\n\n{ENGLISH}")
    texts = {
        value(Hand(FakeServerSettings(seed=seed)).send(body))["choices"][0]["message"]["content"]
        for seed in range(12)
    }
    assert len(texts) > 3


def test_max_tokens_and_stop_cut_made_answers():
    asked = f"Write a dialogue about this.\n\n{ENGLISH}"
    cut = value(Hand().send(chat_body(asked, max_completion_tokens=10)))
    assert cut["choices"][0]["finish_reason"] == "length"
    assert cut["usage"]["completion_tokens"] == 10
    stopped = value(Hand().send(chat_body(asked, stop=["\nPerson:"])))
    assert "\n" not in stopped["choices"][0]["message"]["content"]
    assert stopped["choices"][0]["finish_reason"] == "stop"


SCRIPT = b"""
{"settings": {"choose": "hash"}}
{"match": {"contains": "weather"}, "text": "It rains.", "finish_reason": "length"}
{"match": {"contains": "weather"}, "text": "It snows.", "usage": {"prompt_tokens": 5}}
{"text": "One."}
{"text": "Two.", "latency_s": 0.5}
{"text": "Three."}
"""


def test_one_script_serves_the_backend_and_the_server():
    script = read_script(SCRIPT, "script")
    sampling = Sampling(temperature=0.7, max_tokens=20, stop=("x",), extra=(("top_k", 5),))
    requests = [
        Request(messages=(Message("user", f"{word} {n}"),), sampling=sampling)
        for n in range(12)
        for word in ("weather", "other")
    ]
    requests += [Request(prompt=f"other {n}") for n in range(6)]

    async def slept(_):
        return None

    backend = ScriptedBackend(script, sleep=slept)
    expected = [asyncio.run(backend.complete(request)) for request in requests]
    chats = [request for request in requests if request.messages]
    with FakeServer(
        FakeServerSettings(script=read_script(SCRIPT.replace(b"0.5", b"0.0"), "script"))
    ) as server:
        got = asyncio.run(ask_async(server.base_url, *chats))
        got += asyncio.run(
            ask_async(server.base_url, *requests[len(chats) :], kind="openai-completions")
        )
    assert [(a.text, a.finish_reason) for a in got] == [(a.text, a.finish_reason) for a in expected]
    assert {a.text for a in got} == {"It rains.", "It snows.", "One.", "Two.", "Three."}
    snow = next(a for a in got if a.text == "It snows.")
    assert (snow.usage.prompt_tokens, snow.usage.completion_tokens) == (5, 3)


def test_the_latency_of_a_script_is_kept():
    script = read_script(b'{"text": "Slow.", "latency_s": 0.75}', "script")
    assert Hand(FakeServerSettings(script=script)).send().reply.delay_s == 0.75


@pytest.mark.parametrize("kind", SCRIPT_FAULTS)
def test_the_errors_of_a_script(kind):
    lines = json.dumps({"error": {"kind": kind}}) + "\n" + json.dumps({"text": "Fine."})
    script = read_script(
        (json.dumps({"error": {"kind": kind}, "times": 1}) + "\n" + lines).encode(), "s"
    )
    with FakeServer(FakeServerSettings(script=script)) as server:
        assert type(ask(server.base_url)) is SCRIPT_FAULTS[kind]


def test_a_scripted_error_that_passes():
    lines = (
        b'{"error": {"kind": "rate_limited", "retry_after_s": 2.5}, "times": 2}\n{"text": "Fine."}'
    )
    with FakeServer(FakeServerSettings(script=read_script(lines, "s"))) as server:
        outcomes = [ask(server.base_url) for _ in range(3)]
    assert [getattr(o, "retry_after_s", None) for o in outcomes] == [2.5, 2.5, None]
    assert isinstance(outcomes[2], Completion)


def test_no_line_of_the_script_fits():
    script = read_script(b'{"match": {"contains": "tulips"}, "text": "Red."}', "script")
    with FakeServer(FakeServerSettings(script=script)) as server:
        assert isinstance(ask(server.base_url, CHAT), errors.RequestRefused)


def test_a_grammar_is_taken_with_a_script():
    script = read_script(b'{"text": "a"}', "script")
    body = chat_body(grammar='root ::= "a"')
    assert Hand(FakeServerSettings(script=script)).send(body).reply.status == 200


def test_the_logged_hash_is_the_one_a_run_stores():
    request = Request(
        messages=(Message("system", "S"), Message("user", "u")),
        sampling=Sampling(
            temperature=1, top_p=0.5, max_tokens=7, seed=3, stop=("a",), extra=(("k", [1]),)
        ),
        constraint=dialogue_json_schema(),
    )
    with FakeServer() as server:
        ask(server.base_url, request)
        (entry,) = server.entries()
    assert entry.request == request_hash(request)
