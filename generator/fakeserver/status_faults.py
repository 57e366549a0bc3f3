"""Faults that are an HTTP error: what servers and the proxies before them really send."""

from __future__ import annotations

import math
from collections.abc import Callable
from email.utils import formatdate
from functools import partial

from generator.fakeserver.fault_model import AN_ANSWER, FaultCall, FaultKind
from generator.fakeserver.replies import Reply, error_reply, html_reply, json_reply

_ASKED_S = "seconds to wait"
_Headers = tuple[tuple[str, str], ...]


def too_many(headers: _Headers = (), what: str = "requests") -> Reply:
    """A 429 of a rate limit."""
    return error_reply(
        429,
        f"Rate limit reached for {what} on the fake server.",
        kind=what,
        code="rate_limit_exceeded",
        headers=headers,
    )


def wait_headers(wait_s: float) -> _Headers:
    """Retry-After in whole seconds (rounded up), and the exact wait in milliseconds."""
    return (
        ("retry-after", str(math.ceil(wait_s))),
        ("retry-after-ms", str(math.ceil(wait_s * 1000))),
    )


def _rate_limit(call: FaultCall) -> Reply:
    return too_many((("retry-after", f"{call.argument:g}"),))


def _rate_limit_ms(call: FaultCall) -> Reply:
    return too_many((("retry-after-ms", f"{call.argument:g}"),))


def _rate_limit_date(call: FaultCall) -> Reply:
    # A date has whole seconds: rounded up, so that the wait is never too short.
    moment = formatdate(math.ceil(call.now_s + call.argument), usegmt=True)
    return too_many((("retry-after", moment),))


def _rate_limit_reset(call: FaultCall) -> Reply:
    milliseconds = f"{math.ceil(call.argument * 1000)}ms"
    return too_many(
        (
            ("x-ratelimit-limit-requests", "100"),
            ("x-ratelimit-remaining-requests", "0"),
            ("x-ratelimit-reset-requests", milliseconds),
        )
    )


def _overloaded(status: int, hint: bool, call: FaultCall) -> Reply:
    headers: _Headers = (("retry-after", f"{call.argument:g}"),) if hint else ()
    message = "The fake server is overloaded."
    return error_reply(status, message, kind="overloaded_error", headers=headers)


def _unsupported(parameter: str, instead: str, call: FaultCall) -> Reply:
    hint = f" Use '{instead}' instead." if instead else ""
    return error_reply(
        400,
        f"Unsupported parameter: '{parameter}' is not supported with this model.{hint}",
        code="unsupported_parameter",
        param=parameter,
    )


def _unsupported_value(call: FaultCall) -> Reply:
    return error_reply(
        400,
        "Unsupported value: 'temperature' does not support this value with this model. "
        "Only the default (1) value is supported.",
        code="unsupported_value",
        param="temperature",
    )


def context_overflow(prompt_tokens: int, answer_tokens: int, context_tokens: int) -> Reply:
    """The prompt and the room asked for the answer are more than the context."""
    return error_reply(
        400,
        f"This model's maximum context length is {context_tokens} tokens. However, you requested "
        f"{prompt_tokens + answer_tokens} tokens ({prompt_tokens} in the prompt, {answer_tokens} "
        "for the answer). Please reduce the length of the prompt.",
        code="context_length_exceeded",
        param="messages",
    )


def _context_overflow(call: FaultCall) -> Reply:
    return context_overflow(call.prompt_tokens + call.context_tokens, 0, call.context_tokens)


def _context_overflow_llamacpp(call: FaultCall) -> Reply:
    return error_reply(
        400,
        "the request exceeds the available context size, try increasing it",
        kind="exceed_context_size_error",
        code=400,
        n_prompt_tokens=call.prompt_tokens + call.context_tokens,
        n_ctx=call.context_tokens,
    )


def _unprocessable(call: FaultCall) -> Reply:
    place = "messages" if call.form == "chat" else "prompt"
    detail = {"type": "value_error", "loc": ["body", place], "msg": "Value error, not like this"}
    return json_reply(422, {"detail": [detail]})


def _content_filter(call: FaultCall) -> Reply:
    return error_reply(
        400,
        "The response was filtered due to the prompt triggering the content management policy.",
        code="content_filter",
        param="prompt",
        innererror={"code": "ResponsibleAIPolicyViolation"},
    )


def _says(
    status: int, message: str, kind: str, code: str | None = None
) -> Callable[[FaultCall], Reply]:
    return lambda _: error_reply(status, message, kind=kind, code=code)


def _page(status: int, title: str) -> Callable[[FaultCall], Reply]:
    return lambda _: html_reply(status, title)


def _model_not_found(call: FaultCall) -> Reply:
    return model_not_found(call.model)


def model_not_found(model: str) -> Reply:
    """The 404 about a model."""
    message = f"The model '{model}' does not exist or you do not have access to it."
    return error_reply(404, message, code="model_not_found", param="model")


def bad_key() -> Reply:
    """The 401 about a key; it does not repeat the key."""
    return error_reply(401, "Incorrect API key provided.", code="invalid_api_key")


def _redirect(call: FaultCall) -> Reply:
    return Reply(308, b"", (("location", "/v2/elsewhere"),), content_type="text/plain")


_REQUEST = "invalid_request_error"

STATUS_FAULTS: tuple[FaultKind, ...] = (
    FaultKind(
        "rate_limit", "429 with `Retry-After` in seconds", "RateLimited",
        argument=_ASKED_S, default=1.0, error=_rate_limit,
    ),
    FaultKind(
        "rate_limit_ms", "429 with `retry-after-ms`", "RateLimited",
        argument="milliseconds to wait", default=200.0, error=_rate_limit_ms,
    ),
    FaultKind(
        "rate_limit_date", "429 with `Retry-After` as an HTTP date", "RateLimited",
        argument=_ASKED_S, default=1.0, error=_rate_limit_date,
    ),
    FaultKind(
        "rate_limit_reset", "429 with `x-ratelimit-reset-requests` and no `Retry-After`",
        "RateLimited", argument=_ASKED_S, default=1.0, error=_rate_limit_reset,
    ),
    FaultKind(
        "rate_limit_none", "429 that does not say how long to wait", "RateLimited",
        error=lambda _: too_many(),
    ),
    FaultKind(
        "rate_limit_at_once", "429 with `Retry-After: 0`", "RateLimited",
        error=lambda _: too_many((("retry-after", "0"),)),
    ),
    FaultKind(
        "quota", "429 whose code is `insufficient_quota`", "QuotaExhausted",
        error=_says(429, "You exceeded your current quota.", "insufficient_quota",
                    "insufficient_quota"),
    ),
    FaultKind(
        "payment_required", "402", "QuotaExhausted",
        error=_says(402, "Insufficient balance.", "billing_error"),
    ),
    FaultKind("bad_key", "401", "BadKey", error=lambda _: bad_key()),
    FaultKind(
        "forbidden", "403 with an error object", "BadKey",
        error=_says(403, "This key may not use the endpoint.", "permission_error"),
    ),
    FaultKind(
        "forbidden_html", "403 as a page of a firewall", "RequestRefused", "request",
        error=_page(403, "403 Forbidden"),
    ),
    FaultKind("model_not_found", "404 about the model", "ModelNotFound", error=_model_not_found),
    FaultKind(
        "wrong_path", "404 about the path", "Unreachable",
        error=lambda _: Reply(404, b"Not Found", content_type="text/plain; charset=utf-8"),
    ),
    FaultKind("redirect", "308 to another path", "Unreachable", error=_redirect),
    FaultKind(
        "bad_request", "400", "RequestRefused", "request",
        error=_says(400, "The request is not acceptable.", _REQUEST),
    ),
    FaultKind(
        "too_large", "413", "RequestRefused", "request",
        error=_says(413, "The request is too large.", "request_too_large"),
    ),
    FaultKind(
        "unprocessable", "422 with a list of details", "RequestRefused", "request",
        error=_unprocessable,
    ),
    FaultKind(
        "content_filter_400", "400 whose code is `content_filter`", "ContentFiltered", "request",
        error=_content_filter,
    ),
    FaultKind(
        "context_overflow", "400 whose code is `context_length_exceeded`", "ContextOverflow",
        "request", error=_context_overflow,
    ),
    FaultKind(
        "context_overflow_llamacpp", "400 of type `exceed_context_size_error`, with both counts",
        "ContextOverflow", "request", error=_context_overflow_llamacpp,
    ),
    FaultKind(
        "unsupported_temperature", "400: `temperature` must be the default", AN_ANSWER, "request",
        parameter="temperature", error=_unsupported_value,
    ),
    *(
        FaultKind(
            f"unsupported_{name}",
            f"400: `{name}` is not supported" + (f", wants `{instead}`" if instead else ""),
            AN_ANSWER, "request", parameter=name, error=partial(_unsupported, name, instead),
        )
        for name, instead in (
            ("top_p", ""),
            ("seed", ""),
            ("stop", ""),
            ("max_tokens", "max_completion_tokens"),
            ("max_completion_tokens", "max_tokens"),
        )
    ),
    FaultKind(
        "request_timeout", "408", "ServerFault",
        error=_says(408, "The request took too long.", "timeout"),
    ),
    FaultKind(
        "server_error", "500", "ServerFault",
        error=_says(500, "The fake server had an error.", "server_error"),
    ),
    FaultKind("bad_gateway", "502 as a page", "ServerFault", error=_page(502, "502 Bad Gateway")),
    FaultKind(
        "gateway_timeout", "504 as a page", "ServerFault", error=_page(504, "504 Gateway Time-out"),
    ),
    FaultKind(
        "overloaded", "503 with `Retry-After`", "ServerFault",
        argument=_ASKED_S, default=1.0, error=partial(_overloaded, 503, True),
    ),
    FaultKind("overloaded_none", "503", "ServerFault", error=partial(_overloaded, 503, False)),
    FaultKind(
        "overloaded_529", "529 with `Retry-After`", "ServerFault",
        argument=_ASKED_S, default=1.0, error=partial(_overloaded, 529, True),
    ),
    FaultKind("overloaded_529_none", "529", "ServerFault", error=partial(_overloaded, 529, False)),
)  # fmt: skip
