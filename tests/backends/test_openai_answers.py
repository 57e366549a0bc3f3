"""Every shape of a 200 that servers really send, over a real connection."""

import json

import pytest
from loopback_server import PROMPT, Reply, answered, chat_body, error_body, failed, reply

from generator.errors import (
    BadKey,
    BadResponse,
    ContentFiltered,
    QuotaExhausted,
    RateLimited,
    ServerFault,
)
from generator.values import Usage


def test_a_plain_answer_keeps_text_usage_model_and_time(ask):
    usage = {
        "prompt_tokens": 7,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    completion = answered(ask(reply(chat_body("  Héllo 你好\n", usage=usage))))
    assert completion.text == "  Héllo 你好\n"
    assert completion.finish_reason == "stop"
    assert completion.usage == Usage(7, 3, 4)
    assert completion.model == "m-1"
    assert completion.latency_s is not None
    assert completion.latency_s > 0
    assert completion.notes == ()


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param(None, Usage(), id="null"),
        pytest.param({}, Usage(), id="empty"),
        pytest.param("many", Usage(), id="not an object"),
        pytest.param({"prompt_tokens": 5}, Usage(prompt_tokens=5), id="partial"),
        pytest.param({"prompt_tokens": 0, "completion_tokens": None}, Usage(0), id="zero is known"),
        pytest.param({"prompt_tokens": True, "completion_tokens": 2.5}, Usage(), id="not counts"),
        pytest.param({"prompt_tokens_details": None}, Usage(), id="null details"),
        pytest.param({"prompt_tokens": -1, "completion_tokens": "3"}, Usage(), id="below zero"),
        pytest.param({"prompt_tokens": 2**64 - 1, "completion_tokens": 2}, Usage(None, 2), id="-1"),
    ],
)
def test_unknown_usage_is_none(ask, usage, expected):
    assert answered(ask(reply(chat_body(usage=usage)))).usage == expected


def test_missing_usage_is_none(ask):
    assert answered(ask(reply(chat_body()))).usage == Usage()


@pytest.mark.parametrize(
    ("message", "text", "reasoning", "refusal"),
    [
        pytest.param(
            {"content": None, "reasoning_content": "Hm."}, "", "Hm.", None, id="reasoning_content"
        ),
        pytest.param({"content": None, "reasoning": "Hm."}, "", "Hm.", None, id="reasoning"),
        pytest.param({"content": "A", "reasoning": "Hm."}, "A", "Hm.", None, id="both"),
        pytest.param({"content": "A", "thinking": "Hm."}, "A", "Hm.", None, id="thinking"),
        pytest.param({"content": None, "refusal": "I won't."}, "", None, "I won't.", id="refusal"),
        pytest.param({"content": None}, "", None, None, id="null content alone"),
        pytest.param({"content": "x", "refusal": None}, "x", None, None, id="null refusal"),
        pytest.param(
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            "ab",
            None,
            None,
            id="text parts",
        ),
        pytest.param(
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                    {"type": "text", "text": "A"},
                ]
            },
            "A",
            "Hm.",
            None,
            id="thinking part",
        ),
        pytest.param(
            {"content": [{"type": "refusal", "refusal": "No."}]}, "", None, "No.", id="refusal part"
        ),
        pytest.param({"content": ["a", 3, "b"]}, "ab", None, None, id="bare strings as parts"),
        pytest.param(
            {"content": "<think>x</think>y"}, "<think>x</think>y", None, None, id="raw is kept"
        ),
    ],
)
def test_message_shapes(ask, message, text, reasoning, refusal):
    completion = answered(ask(reply(chat_body(message))))
    assert (completion.text, completion.reasoning, completion.refusal) == (text, reasoning, refusal)


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param({"text": "Hi."}, id="text"),
        pytest.param({"text": "Hi.", "message": None}, id="text beside a null message"),
        pytest.param({"delta": {"role": "assistant", "content": "Hi."}}, id="delta"),
        pytest.param({"message": {"content": {"type": "text", "text": "Hi."}}}, id="one part"),
    ],
)
def test_a_chat_answer_in_another_place_is_read(ask, choice):
    body = {"choices": [{**choice, "finish_reason": "stop"}]}
    assert answered(ask(reply(body))).text == "Hi."


@pytest.mark.parametrize("reason", ["length", "tool_calls", None])
def test_finish_reason_is_kept(ask, reason):
    assert answered(ask(reply(chat_body("cut of", reason)))).finish_reason == reason


@pytest.mark.parametrize(
    ("reason", "usual"),
    [
        ("max_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("LENGTH", "length"),
        ("end_turn", "stop"),
        ("eos_token", "stop"),
        ("STOP", "stop"),
        ("SAFETY", "content_filter"),
        ("sensitive", "content_filter"),
        ("content-filter", "content_filter"),
        ("Something", "Something"),
        (7, None),
    ],
)
def test_a_finish_reason_is_said_in_the_usual_words(ask, reason, usual):
    assert answered(ask(reply(chat_body("Half", reason)))).finish_reason == usual
    body = {"choices": [{"text": "Half", "finish_reason": reason}]}
    outcome = ask(reply(body), request=PROMPT, kind="openai-completions")
    assert answered(outcome).finish_reason == usual


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource"])
def test_an_answer_the_server_gave_up_on_is_none(ask, reason):
    error = failed(ask(reply(chat_body("Half of it", reason))))
    assert isinstance(error, BadResponse)
    assert reason in str(error)
    assert "Half of it" in (error.body or "")
    body = {"choices": [{"text": "Half of it", "finish_reason": reason}]}
    outcome = ask(reply(body), request=PROMPT, kind="openai-completions")
    assert isinstance(failed(outcome), BadResponse)


@pytest.mark.parametrize("reason", ["SAFETY", "content-filter"])
def test_a_filter_under_another_name_that_left_nothing(ask, reason):
    assert isinstance(failed(ask(reply(chat_body({"content": None}, reason)))), ContentFiltered)


def test_partial_text_before_the_content_filter_is_an_answer(ask):
    completion = answered(ask(reply(chat_body("Half", "content_filter"))))
    assert (completion.text, completion.finish_reason) == ("Half", "content_filter")


@pytest.mark.parametrize("message", [{"content": None}, {"content": ""}, None])
def test_content_filter_without_text(ask, message):
    body = chat_body({} if message is None else message, "content_filter")
    if message is None:
        body["choices"][0]["message"] = None
    error = failed(ask(reply(body)))
    assert isinstance(error, ContentFiltered)
    assert "content_filter" in (error.body or "")


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(reply({"choices": None}), id="choices null"),
        pytest.param(reply({"id": "x"}), id="choices missing"),
        pytest.param(reply({"choices": []}), id="choices empty"),
        pytest.param(reply({"choices": ["text"]}), id="choice is a text"),
        pytest.param(reply({"choices": [{"message": None}]}), id="message null"),
        pytest.param(reply({"choices": [{"message": {"content": 7}}]}), id="content is a number"),
        pytest.param(reply(b""), id="empty"),
        pytest.param(reply(b" \n\n \n"), id="blank lines only"),
        pytest.param(reply(b'{"choices": [{"mess'), id="cut JSON"),
        pytest.param(reply(b"[1, 2]"), id="a list"),
        pytest.param(reply(b'"hello"'), id="a text"),
        pytest.param(reply(b"data: {}\n\ndata: [DONE]\n\n"), id="a stream"),
        pytest.param(reply(b'{"choices": "\xff\xfe\xff"}'), id="not UTF-8"),
        pytest.param(reply(b"[" * 100_000), id="nested without end"),
        pytest.param(
            reply(b"<!doctype html><p>Hi</p>", content_type="text/html"), id="an HTML page"
        ),
        pytest.param(reply(b"  <html></html>", content_type="application/json"), id="HTML unsaid"),
    ],
)
def test_a_200_without_an_answer(ask, given):
    outcome = ask(given)
    error = failed(outcome)
    assert isinstance(error, BadResponse)
    assert error.status == 200
    assert error.body is not None
    assert len(error.body) <= 20_000
    assert outcome.base_url in str(error)
    assert len(outcome.seen) == 1


def test_an_html_page_says_what_to_check(ask):
    error = failed(ask(reply(b"<html>Welcome</html>", content_type="text/html; charset=utf-8")))
    assert "Not an API endpoint?" in str(error)
    assert "Welcome" not in str(error)


def test_a_compression_nobody_asked_for_is_named(ask):
    error = failed(ask(reply(b"\x0b\x02\x80", headers={"Content-Encoding": "br\x1b"})))
    assert isinstance(error, BadResponse)
    assert "compressed" in str(error)
    assert "br" in str(error)
    assert str(error).isprintable()


def test_keep_alive_lines_before_the_json_are_no_fault(ask):
    assert answered(ask(reply(b"\n\n\n" + json.dumps(chat_body("Hi.")).encode()))).text == "Hi."


def test_chunked_answers_are_read(ask):
    body = json.dumps(chat_body("Hi.")).encode()
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (b"\n", body[:20], body[20:]))
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert answered(ask(Reply(head + chunks + b"0\r\n\r\n"))).text == "Hi."


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param("overloaded", ServerFault, id="a text"),
        pytest.param({"message": "timed out"}, ServerFault, id="no code"),
        pytest.param({"message": "timed out", "code": 504}, ServerFault, id="status as code"),
        pytest.param({"message": "slow", "code": 429}, RateLimited, id="429 as code"),
        pytest.param({"code": "rate_limit_exceeded"}, RateLimited, id="rate limit by its name"),
        pytest.param({"type": "rate_limit_error"}, RateLimited, id="rate limit by its type"),
        pytest.param([{"code": "insufficient_quota"}], QuotaExhausted, id="quota in a list"),
        pytest.param({"code": "insufficient_quota"}, QuotaExhausted, id="quota"),
        pytest.param({"code": 401}, BadKey, id="401 as code"),
        pytest.param({"code": "content_filter"}, ContentFiltered, id="content filter"),
    ],
)
@pytest.mark.parametrize("place", ["top", "choice"])
def test_an_error_in_a_200(ask, error, kind, place):
    if place == "top":
        body = {"choices": None, "error": error}
    else:
        body = chat_body("", "error")
        body["choices"][0]["error"] = error
    raised = failed(ask(reply(body)))
    assert type(raised) is kind
    assert "HTTP 200" in str(raised) or kind is BadKey


def test_a_null_error_beside_an_answer_is_no_error(ask):
    assert answered(ask(reply({**chat_body("Hi."), "error": None}))).text == "Hi."


@pytest.mark.parametrize(
    "error", [{}, {"message": "", "type": "", "param": "", "code": None}], ids=["empty", "blank"]
)
def test_an_error_object_that_says_nothing_is_no_error(ask, error):
    assert answered(ask(reply({**chat_body("Hi."), "error": error}))).text == "Hi."


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        pytest.param(
            {"object": "error", "message": "boom", "code": 50001},
            ServerFault,
            "boom",
            id="FastChat",
        ),
        pytest.param({"code": 401, "msg": "no such token"}, BadKey, "key", id="code and msg"),
        pytest.param(
            {"base_resp": {"status_code": 1000, "status_msg": "unknown"}, "choices": None},
            ServerFault,
            "unknown",
            id="MiniMax",
        ),
        pytest.param(
            {"success": False, "errors": [{"code": 7, "message": "no route"}]},
            ServerFault,
            "no route",
            id="Cloudflare",
        ),
        pytest.param({"detail": "later"}, ServerFault, "later", id="FastAPI"),
    ],
)
def test_a_200_that_is_an_error_object_itself(ask, body, kind, words):
    raised = failed(ask(reply(body)))
    assert type(raised) is kind
    assert words in str(raised)


def test_lone_surrogates_are_replaced_and_noted(ask):
    raw = json.dumps(chat_body("a\ud800b")).replace("a\\ud800b", "a\\ud800b \\ud83d\\ude00")
    completion = answered(ask(reply(raw.encode())))
    assert completion.text == "a�b 😀"
    assert completion.notes == ("answer: lone surrogates replaced by U+FFFD",)


def test_a_legacy_completion(ask):
    body = {"model": "m", "choices": [{"text": " there was", "finish_reason": "length"}]}
    outcome = ask(reply(body), request=PROMPT, kind="openai-completions")
    completion = answered(outcome)
    assert (completion.text, completion.finish_reason) == (" there was", "length")
    assert outcome.seen[0].path == "/v1/completions"
    assert outcome.seen[0].body == {"model": "my-model", "prompt": "Once upon a time"}


@pytest.mark.parametrize(
    ("choice", "kind"),
    [
        pytest.param({"text": None}, BadResponse, id="text null"),
        pytest.param({"message": {"content": "x"}}, BadResponse, id="a chat answer"),
        pytest.param(
            {"text": None, "finish_reason": "content_filter"}, ContentFiltered, id="filtered"
        ),
    ],
)
def test_a_legacy_completion_without_text(ask, choice, kind):
    outcome = ask(reply({"choices": [choice]}), request=PROMPT, kind="openai-completions")
    assert type(failed(outcome)) is kind


def test_an_error_body_is_bounded(ask):
    error = failed(ask(reply(error_body("x" * 100_000), status=500)))
    assert isinstance(error, ServerFault)
    assert len(error.body or "") == 20_000
    assert len(str(error)) < 500
