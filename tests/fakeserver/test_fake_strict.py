"""What strict servers refuse, and the limits."""

import json

import pytest
from fake_asking import CHAT, Hand, ask, chat_body, get, header, post, value

from generator.backends import BackendOptions
from generator.errors import BadKey, ContextOverflow, ModelNotFound, RequestRefused
from generator.fakeserver import FakeServer, FakeServerSettings
from generator.values import Completion, Message, Request

STRICT = FakeServerSettings(strict=True)
SELF_PLAY = Request(
    messages=(
        Message("system", "You should be asking short questions."),
        Message("assistant", "What is it about?"),
        Message("user", "It is about caches."),
    )
)


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param(["user: Hi"], id="user"),
        pytest.param(["system: Be brief", "user: Hi"], id="system first"),
        pytest.param(["developer: Be brief", "user: Hi"], id="developer is a system"),
        pytest.param(["user: Hi", "assistant: Hello", "user: Bye"], id="alternating"),
    ],
)
def test_roles_that_pass(turns):
    assert Hand(STRICT).send(chat_body(*turns)).reply.status == 200


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param(["system: Be brief"], id="system only"),
        pytest.param(["user: Hi", "system: Be brief"], id="system last"),
        pytest.param(["system: A", "system: B", "user: Hi"], id="two systems"),
        pytest.param(["user: Hi", "system: B", "user: Hi"], id="system inside"),
        pytest.param(["user: Hi", "user: Hi"], id="user twice"),
        pytest.param(["system: A", "assistant: Hi", "user: Hi"], id="assistant first"),
        pytest.param(["user: Hi", "assistant: Hello"], id="assistant last"),
    ],
)
def test_roles_that_do_not(turns):
    body = chat_body(*turns)
    assert Hand(STRICT).send(body).reply.status == 400
    assert Hand().send(body).reply.status == 200


def test_self_play_needs_the_roles_bent():
    with FakeServer(STRICT) as server:
        assert isinstance(ask(server.base_url, SELF_PLAY), RequestRefused)
        options = BackendOptions(roles="alternate")
        assert isinstance(ask(server.base_url, SELF_PLAY, options=options), Completion)


def test_a_server_without_a_system_role():
    hand = Hand(FakeServerSettings(system_allowed=False))
    assert hand.send(chat_body("system: A", "user: B")).reply.status == 400
    assert hand.send(chat_body("user: B")).reply.status == 200


@pytest.mark.parametrize(
    ("more", "param"),
    [
        pytest.param({"top_k": 40}, "top_k", id="unknown"),
        pytest.param({"temperature": 2.5}, "temperature", id="too hot"),
        pytest.param({"top_p": -0.1}, "top_p", id="negative"),
        pytest.param({"stop": list("abcde")}, "stop", id="five stops"),
        pytest.param({"logit_bias": []}, "logit_bias", id="a list for an object"),
        pytest.param({"user": 7}, "user", id="a number for a text"),
        pytest.param({"presence_penalty": True}, "presence_penalty", id="true for a number"),
    ],
)
@pytest.mark.parametrize("status", [400, 422])
def test_strict_parameters(more, param, status):
    hand = Hand(FakeServerSettings(strict=True, refusal_status=status))
    ticket = hand.send(chat_body(**more))
    assert ticket.reply.status == status
    said = value(ticket)
    assert (said["error"]["param"] if status == 400 else said["detail"][0]["loc"][-1]) == param
    assert Hand().send(chat_body(**more)).reply.status == 200


@pytest.mark.parametrize(
    ("more", "param"),
    [
        pytest.param({"temperature": "hot"}, "temperature", id="text"),
        pytest.param({"max_tokens": 1.5}, "max_tokens", id="half a token"),
        pytest.param({"max_tokens": 0}, "max_tokens", id="no token"),
        pytest.param({"max_tokens": 5, "max_completion_tokens": 5}, "max_tokens", id="both"),
        pytest.param({"seed": True}, "seed", id="bool"),
        pytest.param({"n": 0}, "n", id="no choice"),
        pytest.param({"n": 99}, "n", id="too many choices"),
        pytest.param({"stop": [1]}, "stop", id="stop number"),
        pytest.param({"stream": True}, "stream", id="stream"),
        pytest.param({"messages": []}, "messages", id="no message"),
        pytest.param({"messages": "Hi"}, "messages", id="text for messages"),
        pytest.param({"messages": [{"role": "wizard", "content": "Hi"}]}, "messages", id="role"),
        pytest.param({"messages": [{"role": "user", "content": 3}]}, "messages", id="content"),
        pytest.param({"model": None}, "model", id="no model"),
        pytest.param({"response_format": {"type": "xml"}}, "response_format", id="format"),
        pytest.param({"grammar": 'root ::= "a"'}, "grammar", id="grammar without a script"),
    ],
)
def test_what_is_always_refused(more, param):
    ticket = Hand().send(chat_body(**more))
    assert ticket.reply.status == 400
    assert value(ticket)["error"]["param"] == param


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000], ids=repr
)
def test_a_body_that_is_no_object(base_url, raw):
    assert post(base_url, raw or b" ").status == 400


@pytest.mark.parametrize("prompt", [None, ["a", "b"], [], 5, {"a": 1}], ids=repr)
def test_a_prompt_that_is_no_text(prompt):
    assert Hand().send({"model": "fake", "prompt": prompt}, "completion").reply.status == 400


def test_a_nan_is_refused(base_url):
    raw = b'{"model": "fake", "messages": [{"role": "user", "content": "x"}], "odd": NaN}'
    assert post(base_url, raw).status == 400


def test_several_choices():
    several = value(Hand().send(chat_body("Tell me about rain and hail.", n=3)))
    assert [choice["index"] for choice in several["choices"]] == [0, 1, 2]
    one_only = Hand(FakeServerSettings(several_choices=False))
    assert one_only.send(chat_body(n=3)).reply.status == 400
    assert one_only.send(chat_body(n=1)).reply.status == 200


def test_models():
    with FakeServer(FakeServerSettings(models=("small", "large"))) as server:
        listed = get(f"{server.base_url}/models").json["data"]
        assert [model["id"] for model in listed] == ["small", "large"]
        assert isinstance(ask(server.base_url, model="large"), Completion)
        assert isinstance(ask(server.base_url, model="huge"), ModelNotFound)


def test_any_model_answers_unless_strict():
    assert Hand().send({**chat_body(), "model": "whatever"}).reply.status == 200
    assert Hand(STRICT).send({**chat_body(), "model": "whatever"}).reply.status == 404


def test_the_key_is_wanted_and_never_shown(tmp_path):
    log = tmp_path / "log.jsonl"
    settings = FakeServerSettings(api_key="sk-right-one", log=log)
    with FakeServer(settings) as server:
        wrong = {"DIALOGSMITH_API_KEY": "sk-wrong-one"}
        right = {"DIALOGSMITH_API_KEY": "sk-right-one"}
        assert isinstance(ask(server.base_url), BadKey)
        assert isinstance(ask(server.base_url, environ=wrong), BadKey)
        assert isinstance(ask(server.base_url, environ=right), Completion)
        assert get(f"{server.base_url}/models").status == 401
        shown = [
            post(server.base_url, chat_body(), authorization="Bearer sk-wrong-one").body,
            *(get(server.base_url.removesuffix("/v1") + path).body for path in ("/stats", "/log")),
            log.read_bytes(),
            repr(settings).encode(),
        ]
    assert not [text for text in shown if b"sk-" in text]


def test_the_context():
    hand = Hand(FakeServerSettings(context_tokens=100))
    assert hand.send(chat_body("x" * 4 * 80, max_tokens=16)).reply.status == 200
    refused = hand.send(chat_body("x" * 4 * 80, max_tokens=17))
    assert value(refused)["error"]["code"] == "context_length_exceeded"
    with FakeServer(FakeServerSettings(context_tokens=100)) as server:
        assert isinstance(ask(server.base_url, CHAT), ContextOverflow)


def test_requests_a_minute():
    hand = Hand(FakeServerSettings(rpm=2))
    statuses = []
    for _ in range(4):
        statuses.append(hand.send().reply.status)
        hand.now_s += 10
    assert statuses == [200, 200, 429, 429]
    assert header(hand.send(), "retry-after") == "20"
    hand.now_s += 20
    assert [hand.send().reply.status for _ in range(3)] == [200, 200, 429]


def test_tokens_a_minute_count_prompt_and_answer():
    hand = Hand(FakeServerSettings(tpm=200))
    big = hand.send(chat_body("x" * 4000))
    assert (big.reply.status, big.prompt_tokens) == (200, 1004)
    assert hand.send(chat_body("short")).reply.status == 429
    hand.now_s += 60
    first = hand.send(chat_body("x" * 400))
    assert first.prompt_tokens == 104
    assert 0 < first.completion_tokens <= 92
    room = 200 - 104 - first.completion_tokens
    assert hand.send(chat_body("x" * 4 * (room - 4) + "yy")).reply.status == 429
    assert hand.send(chat_body("x" * 4 * (room - 4))).reply.status == 200


def test_requests_at_once():
    hand = Hand(FakeServerSettings(concurrency=2))
    first, second, third = (hand.begin() for _ in range(3))
    assert [t.reply.status for t in (first, second, third)] == [200, 200, 429]
    assert header(third, "retry-after") is None
    for ticket in (first, second, third):
        hand.rehearsal.end(ticket, delivered=True)
    assert hand.send().reply.status == 200
    assert hand.rehearsal.journal.stats()["most_in_flight"] == 3


def test_other_paths_and_methods(base_url):
    root = base_url.removesuffix("/v1")
    assert get(f"{root}/health").json == {"status": "ok"}
    assert get(f"{root}/chat/completions").status == 404
    assert get(f"{base_url}/chat/completions").status == 405
    assert post(base_url, chat_body(), "/embeddings").status == 404
    assert isinstance(get(f"{root}/stats").json["by_status"], dict)


def test_a_completion_without_max_tokens_is_short_when_strict():
    body = {
        "model": "fake",
        "prompt": "Write a dialogue. " + "The cache keeps small objects in two queues. " * 9,
    }
    strict = json.loads(Hand(STRICT).send(body, "completion").reply.body)
    assert strict["choices"][0]["finish_reason"] == "length"
    assert strict["usage"]["completion_tokens"] <= 16
    loose = json.loads(Hand().send(body, "completion").reply.body)
    assert loose["choices"][0]["finish_reason"] == "stop"
