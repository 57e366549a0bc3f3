"""From an error answer to the exception tree. Order matters: quota comes before rate limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.backends.openai_access import Access
from generator.backends.openai_faults import FaultObject, kept_body, shown
from generator.backends.waits import asked_wait_s, retry_after_s
from generator.errors import (
    BadKey,
    ContentFiltered,
    ContextOverflow,
    DialogsmithError,
    ModelNotFound,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    ServerFault,
    Unreachable,
)

_QUOTA = frozenset(
    (
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_not_active",
        "exceeded_current_quota_error",
        "insufficient_balance",
        "insufficient_credits",
        "arrearage",
        "accountoverdueerror",
        "insufficient_user_quota",
        "pre_consume_token_quota_failed",
        "budget_exceeded",
        "1113",
    )
)
_KEY = frozenset(
    (
        "invalid_api_key",
        "api_key_invalid",
        "authentication_error",
        "invalid_authentication_error",
        "account_deactivated",
    )
)
_MODEL = frozenset(
    (
        "model_not_found",
        "modelnotfound",
        "deploymentnotfound",
        "model_not_available",
        "model_decommissioned",
        "invalid_model",
    )
)
_CONTEXT = frozenset(("context_length_exceeded", "exceed_context_size_error"))
_FILTER = frozenset(
    (
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "data_inspection_failed",
        "datainspectionfailed",
        "invalid_prompt",
        "1301",
    )
)
_RATE = frozenset(
    (
        "rate_limit_exceeded",
        "rate_limit_error",
        "rate_limited",
        "too_many_requests",
        "resource_exhausted",
        "throttling",
    )
)
_NOT_FOUND_TYPES = frozenset(("notfounderror", "not_found_error"))
_FAULTY = frozenset((408, 409, 421, 424, 425, 498, 499))
"""Statuses below 500 that are about the moment. 421 is about the connection; 424 is TGI's for a
generation that failed, 498 Groq's for a full tier, 499 nginx's and Google's for one broken off."""


_PLAIN_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An error as it came: `status` is the HTTP status, or the one an error in a 200 names."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    fault: FaultObject
    in_a_200: bool = False


def error_of(answer: ErrorAnswer, access: Access, model: str, now_s: float) -> DialogsmithError:
    """What the error answer means. `now_s` is seconds since the epoch."""
    said = _said(answer, access)
    body = kept_body(answer.body, access.secrets)
    return (
        _stopping(answer, access, model, said)
        or _about_the_text(answer, said, body)
        or _about_the_moment(answer, said, body, now_s)
        or RequestRefused(
            f"{said} The same request cannot succeed", body=body, status=answer.status
        )
    )


def _stopping(
    answer: ErrorAnswer, access: Access, model: str, said: str
) -> DialogsmithError | None:
    """Errors that every further request would meet too."""
    status, fault = answer.status, answer.fault
    if 402 in (status, fault.status) or fault.words & _QUOTA:
        return QuotaExhausted(f"{said} The account has no credit left; top it up, then resume")
    if status == 401 or fault.words & _KEY:
        # The server's words are left out: some repeat a part of the key.
        what = "refuses the key. Check" if access.secrets else "wants a key, and none is set. Set"
        return BadKey(
            f"{access.base_url}: HTTP {status}: the server {what} "
            f"the environment variable {' or '.join(access.key_variables)}"
        )
    if fault.words & _MODEL or (status == 404 and _names_the_model(fault)):
        return ModelNotFound(f"{said} Is the model {model!r} the right name there?")
    if status in (404, 405) or 300 <= status < 400:
        return _wrong_address(answer, access, said)
    if status == 407:
        return Unreachable(f"{said} The proxy asks for a login; see HTTPS_PROXY and NO_PROXY")
    if status == 403 and fault.present and not fault.flagged and not fault.words & _FILTER:
        return BadKey(f"{said} The key of {' or '.join(access.key_variables)} may not do this")
    return None


def _about_the_text(answer: ErrorAnswer, said: str, body: str) -> DialogsmithError | None:
    """Errors that only this request meets."""
    fault = answer.fault
    if fault.words & _CONTEXT or fault.param == "input_tokens":
        counts = ""
        if fault.prompt_tokens is not None and fault.context_tokens is not None:
            counts = f" ({fault.prompt_tokens} tokens, room for {fault.context_tokens})"
        return ContextOverflow(
            f"{said} The prompt is longer than the model's context{counts}; use shorter segments",
            prompt_tokens=fault.prompt_tokens,
            context_tokens=fault.context_tokens,
            body=body,
            status=answer.status,
        )
    if fault.flagged or fault.words & _FILTER:
        return ContentFiltered(
            f"{said} The content filter stopped the request", body=body, status=answer.status
        )
    return None


def _about_the_moment(
    answer: ErrorAnswer, said: str, body: str, now_s: float
) -> DialogsmithError | None:
    """Errors that another attempt may not meet."""
    status, fault = answer.status, answer.fault
    # A 413 of Groq has such a code too, for a request that is too long for the limit by itself.
    told_so = answer.in_a_200 and fault.status is None and fault.words & _RATE
    if status == 429 or told_so:
        wait_s = retry_after_s(answer.headers, now_s)
        wait_s = fault.wait_s if wait_s is None else wait_s
        return RateLimited(said, retry_after_s=wait_s, body=body, status=429)
    if status >= 500 or status in _FAULTY:
        wait_s = asked_wait_s(answer.headers, now_s)
        wait_s = fault.wait_s if wait_s is None else wait_s
        return ServerFault(said, retry_after_s=wait_s, body=body, status=status)
    return None


def _names_the_model(fault: FaultObject) -> bool:
    """A 404 about the model, not about the path.

    llama.cpp says `not_found_error` with code 404 about a path; Ollama says it
    without a code, and vLLM `NotFoundError`, about a model.
    """
    if fault.param == "model" or "notfounderror" in fault.words:
        return True
    return bool(fault.words & _NOT_FOUND_TYPES) and fault.status is None


def _wrong_address(answer: ErrorAnswer, access: Access, said: str) -> Unreachable:
    if 300 <= answer.status < 400:
        target = answer.headers.get("location", "").partition("?")[0]
        where = f" to {shown(target, access.secrets)}" if target and "@" not in target else ""
        return Unreachable(
            f"{access.base_url}: HTTP {answer.status}: the server redirects{where}, which is not "
            "followed; give the address it stands for"
        )
    return Unreachable(
        f"{said} Not an API endpoint, or no such model? The base URL usually ends in /v1"
    )


def _said(answer: ErrorAnswer, access: Access) -> str:
    fault = answer.fault
    status = "an error in an HTTP 200" if answer.in_a_200 else f"HTTP {answer.status}"
    texts = (fault.code or "", fault.message or _plain_text(answer))
    words = (shown(text, access.secrets) for text in texts)
    parts = dict.fromkeys(word.rstrip(".") for word in words if word)
    return ": ".join((f"{access.base_url}: {status}", *parts)) + "."


def _plain_text(answer: ErrorAnswer) -> str:
    """The body itself where it is meant to be read: no JSON, and no page (axum, gateways)."""
    if answer.fault.present or answer.body.lstrip()[:1] in (b"<", b"{", b"["):
        return ""
    return answer.body[:_PLAIN_LIMIT].decode("utf-8", "replace")
