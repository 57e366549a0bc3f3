"""What goes over the wire, and how a backend learns what a server wants said differently."""

import asyncio
import json

import pytest
from loopback_server import (
    CHAT,
    PROMPT,
    answered,
    chat_body,
    error_body,
    failed,
    reply,
    serving,
)

from generator.backends import BackendOptions, make_backend
from generator.backends.openai_requests import arranged
from generator.errors import ConnectionFault, RequestRefused, WrongUse
from generator.values import Constraint, Message, Request, Sampling

GOOD = reply(chat_body("Hi."))
SCHEMA = Constraint("json_schema", '{"type": "object"}')
GRAMMAR = Constraint("gbnf", 'root ::= "yes"')


def _request(**sampling):
    return Request(messages=CHAT.messages, sampling=Sampling(**sampling))


def _unsupported(param, **fields):
    return reply(error_body(code="unsupported_parameter", param=param, **fields), status=400)


def test_only_what_is_set_is_sent(ask):
    assert ask(GOOD).seen[0].body == {
        "model": "my-model",
        "messages": [{"role": "user", "content": "Say something."}],
    }


def test_all_settings_are_sent_zeros_included(ask):
    request = _request(
        temperature=0.0, top_p=0.0, max_tokens=5, seed=0, stop=("\n",), extra=(("min_p", 0.1),)
    )
    body = ask(GOOD, request=request).seen[0].body
    del body["messages"], body["model"]
    assert body == {
        "temperature": 0.0,
        "top_p": 0.0,
        "max_tokens": 5,
        "seed": 0,
        "stop": ["\n"],
        "min_p": 0.1,
    }


@pytest.mark.parametrize("name", ["messages", "model", "n", "stream"])
def test_an_extra_cannot_change_the_request_itself(ask, name):
    assert isinstance(failed(ask(GOOD, request=_request(extra=((name, 2),)))), WrongUse)


@pytest.mark.parametrize(
    ("kind", "constraint", "expected"),
    [
        pytest.param(
            "openai",
            SCHEMA,
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {
                        "name": "answer",
                        "strict": True,
                        "schema": {"type": "object"},
                    },
                }
            },
            id="schema in chat",
        ),
        pytest.param("openai", GRAMMAR, {"grammar": 'root ::= "yes"'}, id="grammar in chat"),
        pytest.param(
            "openai-completions", GRAMMAR, {"grammar": 'root ::= "yes"'}, id="grammar in completion"
        ),
        pytest.param(
            "openai-completions", SCHEMA, {"json_schema": {"type": "object"}}, id="schema there"
        ),
    ],
)
def test_constraints_on_the_wire(ask, kind, constraint, expected):
    options = BackendOptions(constraints=frozenset({"gbnf", "json_schema"}))
    if kind == "openai":
        request, good = Request(messages=CHAT.messages, constraint=constraint), GOOD
    else:
        request = Request(prompt="Is it?", constraint=constraint)
        good = reply({"choices": [{"text": "yes"}]})
    body = ask(good, request=request, kind=kind, options=options).seen[0].body
    assert body.items() >= expected.items()


def test_a_schema_that_is_no_json(ask):
    request = Request(messages=CHAT.messages, constraint=Constraint("json_schema", "{"))
    assert "no JSON" in str(failed(ask(GOOD, request=request)))


@pytest.mark.parametrize(
    ("kind", "request_", "words"),
    [
        pytest.param("openai", PROMPT, "takes chat messages", id="a prompt to chat"),
        pytest.param("openai-completions", CHAT, "takes a prompt", id="chat to completions"),
        pytest.param(
            "openai",
            Request(messages=CHAT.messages, constraint=GRAMMAR),
            "gbnf",
            id="a grammar nobody declared",
        ),
    ],
)
def test_a_request_the_backend_cannot_take_is_not_sent(ask, kind, request_, words):
    outcome = ask(GOOD, request=request_, kind=kind)
    error = failed(outcome)
    assert isinstance(error, WrongUse)
    assert words in str(error)
    assert not outcome.seen


@pytest.mark.parametrize(
    ("refusal", "first", "second"),
    [
        pytest.param(_unsupported("max_tokens"), "max_tokens", "max_completion_tokens", id="code"),
        pytest.param(
            reply(error_body(param="max_tokens", code=None), status=400),
            "max_tokens",
            "max_completion_tokens",
            id="param alone",
        ),
        pytest.param(
            reply({"detail": [{"type": "extra_forbidden", "loc": ["body", "max_tokens"]}]}, 422),
            "max_tokens",
            "max_completion_tokens",
            id="list of forbidden fields",
        ),
        pytest.param(
            reply(
                {
                    "object": "error",
                    "message": {
                        "detail": [{"type": "extra_forbidden", "loc": ["body", "max_tokens"]}]
                    },
                    "type": "invalid_request_error",
                    "param": None,
                    "code": None,
                },
                422,
            ),
            "max_tokens",
            "max_completion_tokens",
            id="list inside the message",
        ),
    ],
)
def test_the_token_limit_is_renamed_at_once(ask, refusal, first, second):
    outcome = ask(refusal, GOOD, request=_request(max_tokens=9))
    assert answered(outcome).notes == (f"max_tokens sent as {second}: the server wants it so",)
    assert [seen.body.get(first) for seen in outcome.seen] == [9, None]
    assert [seen.body.get(second) for seen in outcome.seen] == [None, 9]


@pytest.mark.parametrize(
    ("name", "value"), [("temperature", 0.0), ("top_p", 0.5), ("seed", 0), ("stop", ("x",))]
)
def test_an_unsupported_setting_is_dropped_and_noted(ask, name, value):
    outcome = ask(_unsupported(name), GOOD, request=_request(**{name: value}))
    assert answered(outcome).notes == (f"{name} dropped: the server does not support it",)
    assert name in outcome.seen[0].body
    assert name not in outcome.seen[1].body
    assert len(outcome.seen) == 2


def test_several_unsupported_settings_are_dropped_one_by_one(ask):
    value = reply(error_body(code="unsupported_value", param="temperature"), status=400)
    replies = (_unsupported("max_tokens"), value, _unsupported("top_p"), GOOD)
    outcome = ask(*replies, request=_request(temperature=0.7, top_p=0.9, max_tokens=9))
    assert len(answered(outcome).notes) == 3
    assert outcome.seen[3].body.keys() == {"model", "messages", "max_completion_tokens"}


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(error_body(code="decimal_above_max_value", param="temperature"), id="value"),
        pytest.param(error_body(code=400, param="temperature"), id="a status as code"),
        pytest.param(error_body("temperature is not supported"), id="words alone"),
        pytest.param(error_body(code="unsupported_parameter", param="min_p"), id="an extra"),
        pytest.param(error_body(code="unsupported_parameter", param="top_p"), id="one not sent"),
        pytest.param(error_body(code="unsupported_parameter", param=["temperature"]), id="list"),
    ],
)
def test_other_refusals_change_nothing(ask, refusal):
    request = _request(temperature=3.0, extra=(("min_p", 0.1),))
    outcome = ask(reply(refusal, status=400), GOOD, request=request)
    assert isinstance(failed(outcome), RequestRefused)
    assert len(outcome.seen) == 1


def test_a_server_that_wants_neither_name_ends_it(ask):
    replies = (_unsupported("max_tokens"), _unsupported("max_completion_tokens"), GOOD)
    outcome = ask(*replies, request=_request(max_tokens=9))
    assert isinstance(failed(outcome), RequestRefused)
    assert len(outcome.seen) == 2


def _talk(backend_at, replies, *requests, gathered=False):
    """The outcomes of several calls of one backend, and the bodies the server saw."""

    async def main():
        async with serving(lambda n, seen: replies(n, seen)) as server:
            backend = backend_at(server.base_url)
            try:
                if gathered:
                    calls = [backend.complete(request) for request in requests]
                    outcomes = await asyncio.gather(*calls, return_exceptions=True)
                else:
                    outcomes = []
                    for request in requests:
                        try:
                            outcomes.append(await backend.complete(request))
                        except (RequestRefused, ConnectionFault) as error:
                            outcomes.append(error)
                return outcomes, [seen.body for seen in server.seen]
            finally:
                await backend.aclose()

    return asyncio.run(asyncio.wait_for(main(), 20))


def _strict(_, seen):
    """A server that knows only max_completion_tokens and no temperature."""
    for param in ("max_tokens", "temperature"):
        if param in seen.body:
            return _unsupported(param)
    return GOOD


def test_what_was_learned_is_kept_and_still_noted(backend_at):
    request = _request(max_tokens=9, temperature=0.5)
    outcomes, bodies = _talk(backend_at, _strict, request, request)
    assert len(bodies) == 4
    assert outcomes[0].notes == outcomes[1].notes
    assert len(outcomes[1].notes) == 2


def test_learning_at_the_same_time_loses_nothing(backend_at):
    requests = [_request(max_tokens=9), _request(temperature=0.5), _request()]
    outcomes, _ = _talk(backend_at, _strict, *requests, gathered=True)
    assert [outcome.text for outcome in outcomes] == ["Hi."] * 3
    _, bodies = _talk(backend_at, _strict, *requests, _request(max_tokens=9, temperature=0.5))
    assert len(bodies) == 6


def test_a_renaming_that_did_not_help_is_not_kept(backend_at):
    def replies(n, _):
        return (_unsupported("max_tokens"), reply(b"", status=400), GOOD)[n]

    outcomes, bodies = _talk(backend_at, replies, _request(max_tokens=9), _request(max_tokens=9))
    assert isinstance(outcomes[0], RequestRefused)
    assert bodies[2]["max_tokens"] == 9


def test_openai_itself_is_asked_with_the_new_name_of_the_token_limit():
    from generator.backends.openai_access import openai_access
    from generator.backends.openai_backend import OpenAIBackend, Seams
    from generator.backends.openai_http import http_library
    from generator.backends.spec import parse_spec

    http, sent = http_library(), []

    def answer(request):
        sent.append(json.loads(request.content))
        return http.Response(200, json=chat_body())

    async def main(kind, form):
        spec = parse_spec(f"{kind}:m")
        access = openai_access(spec, {"OPENAI_API_KEY": "sk-none"})
        seams = Seams(transport=lambda: http.MockTransport(answer))
        backend = OpenAIBackend(spec, access, form=form, concurrency=1, seams=seams)
        try:
            await backend.complete(_request(max_tokens=3))
        finally:
            await backend.aclose()

    asyncio.run(main("openai", "chat"))
    assert sent[0]["max_completion_tokens"] == 3


def test_lone_surrogates_of_a_request_are_replaced_and_noted(ask):
    request = Request(messages=(Message("user", "a\ud800b"),))
    outcome = ask(GOOD, request=request)
    assert outcome.seen[0].body["messages"][0]["content"] == "a�b"
    assert answered(outcome).notes == ("request: lone surrogates replaced by U+FFFD",)


S, U, A = (
    Message("system", "Be brief."),
    Message("user", "Hello?"),
    Message("assistant", "Yes."),
)


@pytest.mark.parametrize(
    ("messages", "policy", "expected"),
    [
        pytest.param((S, U), "as-given", (S, U), id="as given"),
        pytest.param(
            (S, U, A),
            "fold-system",
            (Message("user", "Be brief.\n\nHello?"), A),
            id="system folded",
        ),
        pytest.param((S,), "fold-system", (Message("user", "Be brief."),), id="system alone"),
        pytest.param(
            (S, A, U), "fold-system", (A, Message("user", "Be brief.\n\nHello?")), id="answer first"
        ),
        pytest.param(
            (S, A, U), "alternate", (Message("user", "Be brief."), A, U), id="opens with a user"
        ),
        pytest.param(
            (S, U, U, A, S),
            "alternate",
            (Message("user", "Be brief.\n\nBe brief.\n\nHello?\n\nHello?"), A),
            id="neighbours joined",
        ),
    ],
)
def test_messages_for_strict_servers(messages, policy, expected):
    assert arranged(messages, policy) == expected


def test_the_role_policy_reaches_the_wire(ask):
    outcome = ask(GOOD, request=Request(messages=(S, U)), options=BackendOptions(roles="alternate"))
    assert [message["role"] for message in outcome.seen[0].body["messages"]] == ["user"]


@pytest.mark.parametrize(
    ("spec", "forms", "constraints", "follows"),
    [
        ("openai:gpt-4o-mini", {"chat"}, {"json_schema"}, True),
        ("openai:m@http://127.0.0.1:8000/v1", {"chat"}, {"json_schema"}, True),
        ("openai-completions:davinci-002", {"completion"}, set(), False),
        ("openai-completions:gpt-3.5-turbo-instruct", {"completion"}, set(), True),
        ("openai-completions:m@http://127.0.0.1:8000/v1", {"completion"}, {"gbnf"}, True),
    ],
)
def test_declared_capabilities(spec, forms, constraints, follows):
    capabilities = make_backend(spec, environ={"OPENAI_API_KEY": "sk-none"}).capabilities
    assert capabilities.prompt_forms == forms
    assert capabilities.constraints == constraints
    assert capabilities.follows_instructions is follows
    assert capabilities.context_tokens is None


def test_options_declare_what_a_backend_cannot_know():
    options = BackendOptions(
        constraints=frozenset({"gbnf"}), follows_instructions=False, context_tokens=2048
    )
    capabilities = make_backend(
        "openai:m@http://127.0.0.1:8000/v1", environ={}, options=options
    ).capabilities
    assert capabilities.constraints == {"gbnf"}
    assert capabilities.follows_instructions is False
    assert capabilities.context_tokens == 2048
