"""Every fault, over a real connection, as the project's own backends see it."""

import asyncio
import json

import pytest
from fake_asking import (
    CHAT,
    PROMPT,
    SAMPLING,
    Hand,
    ask,
    ask_async,
    chat_body,
    get,
    header,
    post,
    value,
)

from generator import errors
from generator.backends import BackendOptions
from generator.fakeserver import FAULTS, FakeServer, FakeServerSettings, parse_fault
from generator.values import Completion, Message, Request, Usage

QUICK = {"slow": ":0.03", "slow_drip": ":0.03"}
NAMED = [name for name in FAULTS if name != "rate_limit_window"]


def _ended_as(outcome):
    return "an answer" if isinstance(outcome, Completion) else type(outcome).__name__


def _asked(base_url, name, **more):
    limit_s = 0.3 if name == "hang" else 20.0
    options = BackendOptions(request_timeout_s=limit_s)
    return ask(base_url, model=f"fake#{name}{QUICK.get(name, '')}", options=options, **more)


@pytest.mark.parametrize("name", NAMED)
def test_a_chat_call_ends_as_the_catalogue_says(base_url, name):
    outcome = _asked(base_url, name)
    assert _ended_as(outcome) == FAULTS[name].ends_as
    assert FAULTS[name].ends_as == "an answer" or hasattr(errors, FAULTS[name].ends_as)


@pytest.mark.parametrize("name", [name for name in NAMED if not FAULTS[name].chat_only])
def test_a_completion_call_ends_the_same_way(base_url, name):
    outcome = _asked(base_url, name, kind="openai-completions", request=PROMPT)
    assert _ended_as(outcome) == FAULTS[name].ends_as


def test_a_window_lets_so_many_in(base_url):
    first, second = (
        ask(base_url, model="fake#rate_limit_window:1/90", request=CHAT) for _ in range(2)
    )
    assert isinstance(first, Completion)
    assert isinstance(second, errors.RateLimited)
    assert 0 < second.retry_after_s <= 90


@pytest.mark.parametrize(
    ("fault", "low_s", "high_s"),
    [
        pytest.param("rate_limit:2.5", 2.5, 2.5, id="seconds"),
        pytest.param("rate_limit:7200", 7200, 7200, id="hours"),
        pytest.param("rate_limit_ms:250", 0.25, 0.25, id="milliseconds"),
        pytest.param("rate_limit_date:30", 29, 31.1, id="date"),
        pytest.param("rate_limit_reset:3", 3, 3, id="reset header"),
        pytest.param("overloaded:4", 4, 4, id="503"),
        pytest.param("overloaded_529:4", 4, 4, id="529"),
    ],
)
def test_the_wait_arrives(base_url, fault, low_s, high_s):
    error = ask(base_url, model=f"fake#{fault}")
    assert low_s <= error.retry_after_s <= high_s


@pytest.mark.parametrize("fault", ["rate_limit_none", "overloaded_none", "overloaded_529_none"])
def test_no_wait_is_said(base_url, fault):
    assert ask(base_url, model=f"fake#{fault}").retry_after_s is None


def test_what_the_odd_answers_hold(base_url):
    def got(name):
        return _asked(base_url, name)

    plain = ask(base_url)
    assert plain.usage.prompt_tokens
    assert plain.usage.completion_tokens
    assert got("usage_missing").usage == got("usage_null").usage == Usage()
    assert got("content_null_reasoning").text == ""
    assert got("content_null_reasoning").reasoning
    assert got("refusal").refusal
    assert got("think_block").text.startswith("<think>")
    assert got("think_block").text.endswith(f"</think>\n\n{plain.text}")
    assert "</think>" not in got("think_unclosed").text
    assert got("length").finish_reason == "length"
    assert plain.text.startswith(got("length").text)
    assert got("finish_null").finish_reason is None
    assert got("lone_surrogate").text == f"{plain.text} \ufffd"
    assert got("repeated_text").text.count(plain.text) == 3
    assert got("content_parts").text == got("blank_lines_then_json").text == plain.text
    assert got("slow").latency_s >= 0.03
    assert got("slow_drip").latency_s >= 0.02


@pytest.mark.parametrize(
    ("name", "note"),
    [
        pytest.param("unsupported_temperature", "temperature dropped", id="temperature"),
        pytest.param("unsupported_top_p", "top_p dropped", id="top_p"),
        pytest.param("unsupported_max_tokens", "sent as max_completion_tokens", id="max_tokens"),
    ],
)
def test_an_unsupported_parameter_is_learned(base_url, name, note):
    assert any(note in line for line in ask(base_url, model=f"fake#{name}").notes)


def test_max_completion_tokens_can_be_the_unwanted_one(base_url):
    refused = post(
        base_url, chat_body(max_completion_tokens=9), x_fault="unsupported_max_completion_tokens"
    )
    taken = post(base_url, chat_body(max_tokens=9), x_fault="unsupported_max_completion_tokens")
    assert (refused.status, refused.json["error"]["param"]) == (400, "max_completion_tokens")
    assert taken.status == 200


def test_a_fault_of_chat_answers_is_not_pretended_for_a_completion(base_url):
    body = {"model": "fake#refusal", "prompt": "Once"}
    assert post(base_url, body, "/completions").status == 400


@pytest.mark.parametrize(
    "fault", ["nonsense", "slow:fast", "quota:3", "length*2", "", "rate_limit_window:0/1"]
)
def test_a_fault_that_does_not_exist_is_a_400(base_url, fault):
    answer = post(base_url, chat_body(), x_fault=fault)
    assert answer.status == 400
    assert answer.json["error"]["code"] == "unknown_fault"


def test_the_first_attempts_can_fail_and_the_count_begins_again():
    hand = Hand(FakeServerSettings(faults=(parse_fault("server_error*2"),)))
    assert [hand.send().reply.status for _ in range(6)] == [500, 500, 200, 500, 500, 200]
    assert [entry.attempt for entry in hand.rehearsal.journal.entries] == [1, 2, 3, 1, 2, 3]


def test_an_answer_the_client_did_not_wait_for_is_no_answer():
    hand = Hand()
    ticket = hand.begin()
    hand.rehearsal.end(ticket, delivered=False)
    (entry,) = hand.rehearsal.journal.entries
    assert (entry.answered, entry.status) == (False, 0)
    assert hand.send().attempt == 2


def test_only_whole_answers_count_as_answered(base_url):
    del base_url
    with FakeServer() as server:
        outcomes = [
            _asked(server.base_url, name) for name in ("torn_body", "reset", "html_200", "slow")
        ]
        stats = server.stats()
        lines = get(server.base_url.removesuffix("/v1") + "/log").body.splitlines()
    assert [_ended_as(outcome) for outcome in outcomes] == [
        "ConnectionFault", "ConnectionFault", "BadResponse", "an answer",
    ]  # fmt: skip
    assert (stats["requests"], stats["answered"], stats["in_flight"]) == (4, 1, 0)
    assert stats["by_fault"] == {"html_200": 1, "reset": 1, "slow": 1, "torn_body": 1}
    entries = [json.loads(line) for line in lines]
    assert [entry["answered"] for entry in entries] == [False, False, False, True]
    assert [entry["status"] for entry in entries] == [200, 0, 200, 200]


def test_a_hanging_client_is_noticed_when_it_goes():
    with FakeServer(FakeServerSettings(faults=(parse_fault("slow:60"),))) as server:
        outcome = ask(server.base_url, options=BackendOptions(request_timeout_s=0.2))
        assert isinstance(outcome, errors.ConnectionFault)
        for _ in range(100):
            if not server.stats()["in_flight"]:
                break
            ask(server.base_url, model="fake#content_empty")
        assert server.stats()["in_flight"] == 0


def test_the_header_of_the_window_rounds_up():
    hand = Hand()
    body = chat_body()
    assert hand.send(body, x_fault="rate_limit_window:1/2.5").reply.status == 200
    hand.now_s += 0.2
    refused = hand.send(body, x_fault="rate_limit_window:1/2.5")
    assert (header(refused, "retry-after"), header(refused, "retry-after-ms")) == ("3", "2300")
    hand.now_s += 2.3
    assert hand.send(body, x_fault="rate_limit_window:1/2.5").reply.status == 200


def test_rates_at_high_concurrency_leave_the_answers_alone():
    requests = [
        Request(messages=(Message("user", f"Say number {n}."),), sampling=SAMPLING)
        for n in range(40)
    ]
    faults = tuple(map(parse_fault, ("server_error=0.3", "torn_body=0.2", "length=0.2")))

    async def all_of(base_url, todo):
        answers = {}
        for _ in range(40):
            outcomes = await ask_async(base_url, *todo)
            answers |= {
                r: o for r, o in zip(todo, outcomes, strict=True) if _ended_as(o) == "an answer"
            }
            todo = [request for request in todo if request not in answers]
            if not todo:
                return {r.messages: (a.text, a.finish_reason, a.usage) for r, a in answers.items()}
        raise AssertionError(f"{len(todo)} requests were never answered")

    with FakeServer(FakeServerSettings(seed=3, faults=faults)) as server:
        forwards = asyncio.run(all_of(server.base_url, requests))
        again = asyncio.run(all_of(server.base_url, requests[::-1]))
        stats = server.stats()
    assert forwards == again
    assert {answer[1] for answer in forwards.values()} == {"stop", "length"}
    assert stats["answered"] == 80
    assert stats["by_fault"]["server_error"] > 0
    assert stats["by_fault"]["torn_body"] > 0


def test_a_context_overflow_tells_the_counts():
    error = value(Hand().send(x_fault="context_overflow_llamacpp"))["error"]
    assert error["n_prompt_tokens"] > error["n_ctx"] > 0


def test_errors_do_not_change_the_shape_of_the_answer():
    hand = Hand()
    assert set(value(hand.send())) == {"id", "object", "created", "model", "choices", "usage"}
    assert value(hand.send(x_fault="quota"))["error"]["code"] == "insufficient_quota"
