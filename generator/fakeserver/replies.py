"""What goes over the wire: a reply, and the JSON bodies of an OpenAI-compatible server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from generator.values import Completion, PromptForm

Delivery = Literal["whole", "drip", "hang", "torn", "torn_chunked", "closed", "reset", "not_http"]
Envelope = dict[str, Any]

JSON = "application/json"
HTML = "text/html; charset=utf-8"
# Fixed, so that the same request gets the same bytes.
_CREATED = 1_700_000_000


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP reply and how it is delivered.

    `delay_s` passes before the first byte; a `drip` delivery spreads the body
    over `drip_s` seconds. `headers` do not hold the content length.
    """

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = JSON
    delivery: Delivery = "whole"
    delay_s: float = 0.0
    drip_s: float = 0.0


def json_reply(status: int, value: Any, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    """A reply with a JSON body. Lone surrogates go out as `\\ud…` escapes."""
    return Reply(status, json.dumps(value, separators=(",", ":")).encode("ascii"), headers)


def error_reply(
    status: int,
    message: str,
    *,
    kind: str = "invalid_request_error",
    code: str | int | None = None,
    param: str | None = None,
    headers: tuple[tuple[str, str], ...] = (),
    **more: Any,
) -> Reply:
    """An error as OpenAI words it: `{"error": {"message", "type", "param", "code"}}`."""
    error = {"message": message, "type": kind, "param": param, "code": code, **more}
    return json_reply(status, {"error": error}, headers)


def html_reply(status: int, title: str) -> Reply:
    """A page as a proxy or a web server sends it."""
    page = f"<html>\n<head><title>{title}</title></head>\n<body><h1>{title}</h1></body>\n</html>\n"
    return Reply(status, page.encode(), content_type=HTML)


def envelope(form: PromptForm, model: str, digest: str, answers: Sequence[Completion]) -> Envelope:
    """The JSON object around the answers, one choice each; usage is that of all together."""
    chat = form == "chat"
    choices = [
        {
            "index": index,
            **(
                {"message": {"role": "assistant", "content": answer.text, "refusal": None}}
                if chat
                else {"text": answer.text}
            ),
            "logprobs": None,
            "finish_reason": answer.finish_reason,
        }
        for index, answer in enumerate(answers)
    ]
    return {
        "id": ("chatcmpl-" if chat else "cmpl-") + digest[:24],
        "object": "chat.completion" if chat else "text_completion",
        "created": _CREATED,
        "model": model,
        "choices": choices,
        "usage": _usage(answers),
    }


def usage_counts(prompt_tokens: int, completion_tokens: int) -> Mapping[str, int]:
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }


def _usage(answers: Sequence[Completion]) -> dict[str, Any]:
    prompt = answers[0].usage.prompt_tokens or 0
    completion = sum(answer.usage.completion_tokens or 0 for answer in answers)
    counts: dict[str, Any] = dict(usage_counts(prompt, completion))
    cached = answers[0].usage.cached_prompt_tokens
    if cached is not None:
        counts["prompt_tokens_details"] = {"cached_tokens": cached}
    return counts
