"""Servers that stream their answer though nobody asked for a stream."""

import json

import pytest
from loopback_server import PROMPT, answered, error_body, failed, reply

from generator.errors import BadResponse, QuotaExhausted, ServerFault
from generator.values import Usage


def _stream(*events, done=True, newline="\n"):
    lines = [": PROCESSING", *(f"data: {json.dumps(event)}" for event in events)]
    lines += ["data: [DONE]"] if done else []
    text = "".join(f"{line}{newline}{newline}" for line in lines)
    return reply(text.encode(), content_type="text/event-stream")


def _chunk(finish_reason=None, index=0, **delta):
    return {
        "model": "m-1",
        "choices": [{"index": index, "delta": delta, "finish_reason": finish_reason}],
    }


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("done", [True, False], ids=["done", "finished"])
def test_a_stream_nobody_asked_for_is_put_together(ask, done, newline):
    events = [
        _chunk(role="assistant", content=""),
        _chunk(reasoning_content="Hm."),
        _chunk(content="你好,"),
        _chunk(content="No.", index=1),
        _chunk(content=" \ud83d\ude42\u2028x"),
        _chunk("max_tokens"),
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}},
    ]
    completion = answered(ask(_stream(*events, done=done, newline=newline)))
    assert completion.text == "你好, 🙂\u2028x"
    assert (completion.finish_reason, completion.reasoning) == ("length", "Hm.")
    assert (completion.usage, completion.model) == (Usage(9, 4), "m-1")


def test_a_stream_of_a_legacy_completion(ask):
    events = ({"choices": [{"text": "Hi", "index": 0}]}, {"choices": [{"text": ".", "index": 0}]})
    outcome = ask(_stream(*events), request=PROMPT, kind="openai-completions")
    assert answered(outcome).text == "Hi."


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        pytest.param(_stream(_chunk(content="Ha"), done=False), BadResponse, id="broken off"),
        pytest.param(
            reply(b'data: {"choices": [{"delta": {"content": "Ha"}}]}\n\ndata: {"cho'),
            BadResponse,
            id="torn",
        ),
        pytest.param(_stream(), BadResponse, id="nothing but its end"),
        pytest.param(
            _stream(_chunk(content="Ha"), error_body(code=502)), ServerFault, id="error in the end"
        ),
        pytest.param(
            _stream(_chunk(content="Ha"), error_body(code="insufficient_quota")),
            QuotaExhausted,
            id="quota in the end",
        ),
        pytest.param(
            _stream(_chunk(content="Ha"), _chunk("error")), BadResponse, id="given up by its server"
        ),
        pytest.param(_stream({"error": "overloaded"}, done=False), ServerFault, id="error alone"),
    ],
)
def test_a_stream_without_a_whole_answer(ask, given, kind):
    assert type(failed(ask(given))) is kind
