"""Error answers: decided by status and by the error object's code, type and param."""

import email.utils
import json

import pytest
from loopback_server import NOW, error_body, failed, reply

from generator.backends.openai_access import Access
from generator.backends.openai_errors import ErrorAnswer, error_of
from generator.backends.openai_faults import read_fault
from generator.errors import (
    BadKey,
    ContentFiltered,
    ContextOverflow,
    ModelNotFound,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    ServerFault,
    Unreachable,
)

AZURE_FILTER = error_body(
    code="content_filter", innererror={"code": "ResponsibleAIPolicyViolation"}, status=400
)
AZURE_INNER_FILTER = error_body(
    code="BadRequest", innererror={"code": "ResponsibleAIPolicyViolation"}
)
FLAGGED = error_body(code=403, metadata={"reasons": ["violence"], "flagged_input": "…"})
VLLM_404 = {"object": "error", "message": "…", "type": "NotFoundError", "param": None, "code": 404}
LLAMA_404 = error_body("File Not Found", code=404, type="not_found_error")
OLLAMA_404 = error_body('model "x" not found', type="not_found_error", code=None)
OPENAI_404 = error_body("Invalid URL", type="invalid_request_error", code=None)
LLAMA_FULL = error_body(
    code=400, type="exceed_context_size_error", n_prompt_tokens=9000, n_ctx=8192
)
GEMINI = [{"error": {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED"}}]


QUOTA = {"code": "insufficient_quota", "message": "You exceeded your quota."}
UPSTREAM = {"message": "Provider returned error", "code": 429}
GEMINI_KEY = [
    {
        "error": {
            "code": 400,
            "message": "API key not valid.",
            "status": "INVALID_ARGUMENT",
            "details": [{"@type": "…google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}],
        }
    }
]


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        pytest.param(401, error_body(code="invalid_api_key"), BadKey, id="401"),
        pytest.param(401, b"", BadKey, id="401 without a body"),
        pytest.param(400, error_body(code="invalid_api_key"), BadKey, id="key refused by a 400"),
        pytest.param(403, error_body(code="forbidden"), BadKey, id="403"),
        pytest.param(
            403, error_body(code="unsupported_country_region_territory"), BadKey, id="403 region"
        ),
        pytest.param(403, error_body(code="model_not_found"), ModelNotFound, id="403 model"),
        pytest.param(403, FLAGGED, ContentFiltered, id="403 moderation"),
        pytest.param(403, b"<html>blocked</html>", RequestRefused, id="403 of a firewall"),
        pytest.param(404, error_body(code="model_not_found"), ModelNotFound, id="404 model"),
        pytest.param(404, error_body(code="DeploymentNotFound"), ModelNotFound, id="404 Azure"),
        pytest.param(404, error_body(param="model"), ModelNotFound, id="404 param model"),
        pytest.param(404, VLLM_404, ModelNotFound, id="404 vLLM model"),
        pytest.param(404, OLLAMA_404, ModelNotFound, id="404 Ollama model"),
        pytest.param(404, LLAMA_404, Unreachable, id="404 llama.cpp path"),
        pytest.param(404, OPENAI_404, Unreachable, id="404 OpenAI path"),
        pytest.param(404, {"detail": "Not Found"}, Unreachable, id="404 FastAPI path"),
        pytest.param(404, b"<html>404</html>", Unreachable, id="404 HTML"),
        pytest.param(405, b"", Unreachable, id="405"),
        pytest.param(402, error_body("Insufficient Balance"), QuotaExhausted, id="402"),
        pytest.param(429, error_body(code="insufficient_quota"), QuotaExhausted, id="429 quota"),
        pytest.param(
            429, error_body(type="insufficient_quota", code=None), QuotaExhausted, id="429 type"
        ),
        pytest.param(
            429, error_body(code="billing_hard_limit_reached"), QuotaExhausted, id="429 billing"
        ),
        pytest.param(
            403, error_body(code="AccountOverdueError"), QuotaExhausted, id="403 overdue account"
        ),
        pytest.param(400, error_body(code="Arrearage"), QuotaExhausted, id="400 arrears"),
        pytest.param(429, error_body(code="rate_limit_exceeded"), RateLimited, id="429"),
        pytest.param(
            429, error_body("You exceeded your current quota"), RateLimited, id="429 by words alone"
        ),
        pytest.param(429, b"slow down", RateLimited, id="429 plain text"),
        pytest.param(429, GEMINI, RateLimited, id="429 in a list"),
        pytest.param(429, {"error": "insufficient_quota"}, QuotaExhausted, id="quota as text"),
        pytest.param(
            429,
            {"error": "insufficient_quota", "message": "You exceeded"},
            QuotaExhausted,
            id="quota beside a message",
        ),
        pytest.param(429, {"error": [QUOTA]}, QuotaExhausted, id="quota in a list"),
        pytest.param(429, {"errors": [QUOTA]}, QuotaExhausted, id="quota among errors"),
        pytest.param(429, {"detail": QUOTA}, QuotaExhausted, id="quota in detail"),
        pytest.param(429, {"detail": {"error": QUOTA}}, QuotaExhausted, id="quota deeper"),
        pytest.param(429, {"error": {"error": QUOTA}}, QuotaExhausted, id="quota wrapped"),
        pytest.param(
            429, {"code": "insufficient_quota", "error": "No."}, QuotaExhausted, id="quota outside"
        ),
        pytest.param(
            429, {"error": "No.", "error_type": "insufficient_quota"}, QuotaExhausted, id="TGI form"
        ),
        pytest.param(
            429,
            {"error": {**UPSTREAM, "metadata": {"raw": json.dumps({"error": QUOTA})}}},
            QuotaExhausted,
            id="quota of the provider behind OpenRouter",
        ),
        pytest.param(429, error_body(code=402), QuotaExhausted, id="402 as code"),
        pytest.param(400, error_body(type="budget_exceeded"), QuotaExhausted, id="LiteLLM budget"),
        pytest.param(
            403, error_body(code="insufficient_user_quota"), QuotaExhausted, id="New API quota"
        ),
        pytest.param(429, error_body(code="1113"), QuotaExhausted, id="Zhipu arrears"),
        pytest.param(400, GEMINI_KEY, BadKey, id="Gemini key"),
        pytest.param(400, error_body(code="1301"), ContentFiltered, id="Zhipu filter"),
        pytest.param(429, {"error": None, "message": "No."}, RateLimited, id="429 null error"),
        pytest.param(
            429, b'{"error":{"message":' + b"[" * 1000 + b"]" * 1000 + b"}}", RateLimited, id="deep"
        ),
        pytest.param(421, b"", ServerFault, id="421"),
        pytest.param(424, {"error": "x", "error_type": "generation"}, ServerFault, id="424 TGI"),
        pytest.param(498, b"", ServerFault, id="498 Groq"),
        pytest.param(499, b"", ServerFault, id="499"),
        pytest.param(520, b"<html>520</html>", ServerFault, id="520 Cloudflare"),
        pytest.param(413, error_body(code="rate_limit_exceeded"), RequestRefused, id="413 Groq"),
        pytest.param(408, b"", ServerFault, id="408"),
        pytest.param(409, b"", ServerFault, id="409"),
        pytest.param(500, error_body("rate limit"), ServerFault, id="500"),
        pytest.param(502, b"<html>Bad Gateway</html>", ServerFault, id="502 HTML"),
        pytest.param(503, error_body("Loading model", code=503), ServerFault, id="503"),
        pytest.param(529, error_body(type="overloaded_error"), ServerFault, id="529"),
        pytest.param(400, error_body(code="context_length_exceeded"), ContextOverflow, id="full"),
        pytest.param(400, LLAMA_FULL, ContextOverflow, id="full llama.cpp"),
        pytest.param(400, error_body(param="input_tokens", code=400), ContextOverflow, id="vLLM"),
        pytest.param(400, AZURE_FILTER, ContentFiltered, id="filter Azure"),
        pytest.param(400, AZURE_INNER_FILTER, ContentFiltered, id="filter inner error"),
        pytest.param(
            400, error_body(code="data_inspection_failed"), ContentFiltered, id="filter DashScope"
        ),
        pytest.param(400, error_body("context length"), RequestRefused, id="400 by words alone"),
        pytest.param(400, {"error": "no such thing"}, RequestRefused, id="400 error is a text"),
        pytest.param(400, [], RequestRefused, id="400 empty list"),
        pytest.param(413, b"", RequestRefused, id="413"),
        pytest.param(415, b"", RequestRefused, id="415"),
        pytest.param(422, {"detail": [{"loc": ["body"], "type": "x"}]}, RequestRefused, id="422"),
    ],
)
def test_what_an_error_means(ask, status, body, kind):
    outcome = ask(reply(body, status=status))
    error = failed(outcome)
    assert type(error) is kind
    assert len(outcome.seen) == 1
    assert outcome.base_url in str(error)
    assert str(status) in str(error)


def test_the_refused_request_keeps_the_servers_answer(ask):
    error = failed(ask(reply(error_body("Give me less.", code="too_much"), status=400)))
    assert isinstance(error, RequestRefused)
    assert error.status == 400
    assert "Give me less." in (error.body or "")
    assert "too_much: Give me less." in str(error)


def test_an_overflow_names_both_numbers(ask):
    error = failed(ask(reply(LLAMA_FULL, status=400)))
    assert "9000 tokens, room for 8192" in str(error)
    assert (error.prompt_tokens, error.context_tokens) == (9000, 8192)


def test_a_redirect_is_named_and_not_followed(ask):
    headers = {"Location": "https://elsewhere.example/v1/chat?token=abc"}
    outcome = ask(reply(b"", status=307, headers=headers))
    error = failed(outcome)
    assert type(error) is Unreachable
    assert "https://elsewhere.example/v1/chat" in str(error)
    assert "abc" not in str(error)
    assert len(outcome.seen) == 1


def test_the_servers_words_stay_on_one_bounded_line(ask):
    error = failed(ask(reply(error_body("a\n\tb " + "c" * 9000), status=422)))
    assert "\n" not in str(error)
    assert "a b c" in str(error)
    assert len(str(error)) < 500


def test_words_of_a_server_hold_no_key_and_no_control_characters(ask):
    body = error_body(
        "Bad \x1b[31m \u202e key sk-secret-1\ud800", code="sk-secret-1\n" + "c" * 9000
    )
    environ = {"DIALOGSMITH_API_KEY": "sk-secret-1"}
    error = failed(ask(reply(body, status=400), environ=environ))
    assert str(error).isprintable()
    assert "sk-secret-1" not in str(error) + (error.body or "")
    assert len(str(error)) < 900


def test_the_target_of_a_redirect_is_bounded_and_holds_no_key(ask):
    headers = {"Location": "https://e.example/sk-secret-1/\x1b[31m" + "x" * 9000}
    environ = {"DIALOGSMITH_API_KEY": "sk-secret-1"}
    error = failed(ask(reply(b"", status=302, headers=headers), environ=environ))
    assert "https://e.example/[key]/" in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 900


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param({"error": UPSTREAM}, "Provider returned error", id="the server's own"),
        pytest.param(
            {"error": {**UPSTREAM, "metadata": {"raw": '{"detail": "tier is full"}'}}},
            "Provider returned error: tier is full",
            id="those of the server behind it",
        ),
        pytest.param({"error": ["no", "way"]}, '["no", "way"]', id="a list of texts"),
        pytest.param(
            {"errors": [{"code": 10000, "message": "Not so fast"}]}, "Not so fast", id="Cloudflare"
        ),
        pytest.param(b"Model is overloaded\n", "Model is overloaded", id="plain text"),
        pytest.param(b"<html>Sorry</html>", "HTTP 429.", id="a page is not repeated"),
    ],
)
def test_what_the_server_says_is_shown(ask, body, words):
    assert words in str(failed(ask(reply(body, status=429))))


def test_googles_retry_delay_is_a_wait(ask):
    delay = {"@type": "…google.rpc.RetryInfo", "retryDelay": "34.5s"}
    body = [{"error": {"code": 429, "message": "No.", "details": [delay]}}]
    assert failed(ask(reply(body, status=429))).retry_after_s == 34.5
    told = reply(body, status=429, headers={"Retry-After": "2"})
    assert failed(ask(told)).retry_after_s == 2.0


def _date(seconds_ahead):
    return email.utils.formatdate(NOW + seconds_ahead, usegmt=True)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param({"Retry-After": "7"}, 7.0, id="seconds"),
        pytest.param({"Retry-After": "86400"}, 86400.0, id="a day"),
        pytest.param({"Retry-After": "1.5"}, 1.5, id="fraction"),
        pytest.param({"Retry-After-Ms": "250"}, 0.25, id="milliseconds"),
        pytest.param({"Retry-After-Ms": "250", "Retry-After": "1"}, 0.25, id="both"),
        pytest.param({"Retry-After": _date(300)}, 300.0, id="date"),
        pytest.param({"Retry-After": _date(-300)}, 0.0, id="past date"),
        pytest.param({"Retry-After": "soon"}, None, id="nonsense"),
        pytest.param({}, None, id="none"),
    ],
)
def test_the_wait_a_server_asks_for(backend_at, status, headers, expected):
    import asyncio

    from loopback_server import CHAT, serving

    async def main():
        answer = reply(error_body(), status=status, headers=headers)
        async with serving(lambda *_: answer) as server:
            backend = backend_at(server.base_url, now=lambda: NOW)
            try:
                with pytest.raises((RateLimited, ServerFault)) as raised:
                    await backend.complete(CHAT)
            finally:
                await backend.aclose()
            return raised.value

    assert asyncio.run(main()).retry_after_s == expected


def test_reset_headers_count_for_a_rate_limit_only():
    access = Access("http://h/v1", None, ())
    headers = {"x-ratelimit-reset-tokens": "6m0s"}
    for status, expected in ((429, 360.0), (503, None)):
        answer = ErrorAnswer(status, headers, b"", read_fault(None))
        assert error_of(answer, access, "m", NOW).retry_after_s == expected
