"""From the JSON body of a request to what is asked, or to the error reply it deserves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from generator.calling.key import request_hash
from generator.fakeserver.replies import Reply, error_reply, json_reply
from generator.fakeserver.token_count import count_messages, count_tokens
from generator.values import (
    ChatRole,
    Constraint,
    Message,
    PromptForm,
    Request,
    Sampling,
)

MOST_CHOICES = 16
_ROLES = ("system", "developer", "user", "assistant")
_NAMED = frozenset(
    (
        *("model", "messages", "prompt", "n", "stream", "stream_options", "response_format"),
        *("temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "stop"),
        *("grammar", "json_schema"),
    )
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that can be answered.

    `digest` is `request_hash` of the request as the calling layer knows it, the
    hash under which a run stores its call. `choices` is `n`, `prompt_tokens` the
    server's count.
    """

    form: PromptForm
    body: Mapping[str, Any]
    model: str
    request: Request
    digest: str
    choices: int
    prompt_tokens: int


class Refused(Exception):
    """The request cannot be answered; `reply` says so."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


def decoded(raw: bytes) -> dict[str, Any]:
    """The JSON object in a request's body. Raises `Refused`."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refused(error_reply(400, "We could not parse the JSON body.")) from None
    if not isinstance(body, dict):
        raise Refused(error_reply(400, "The body must be a JSON object."))
    return body


def read_asked(body: Mapping[str, Any], form: PromptForm, status: Literal[400, 422] = 400) -> Asked:
    """What the body asks. `status` is that of complaints about a value. Raises `Refused`."""
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise wrong("model", "must be the name of a model", status)
    if body.get("stream"):
        raise Refused(
            error_reply(
                400,
                "The fake server does not stream: send the request without stream, or with false.",
                code="unsupported_value",
                param="stream",
            )
        )
    choices = body.get("n")
    if choices is None:
        choices = 1
    if not _is_int(choices) or not 1 <= choices <= MOST_CHOICES:
        raise wrong("n", f"must be a whole number from 1 to {MOST_CHOICES}", status)
    messages, prompt = _texts(body, form, status)
    sampling = _sampling(body, status)
    request = Request(messages, prompt, sampling, _constraint(body, form, status))
    contents = [message.content for message in messages]
    tokens = count_tokens(prompt) if prompt is not None else count_messages(contents)
    try:
        digest = request_hash(request)
    except ValueError:
        raise Refused(error_reply(400, "The body holds NaN or an infinity.")) from None
    return Asked(form, body, model, request, digest, choices, tokens)


def wrong(name: str, what: str, status: Literal[400, 422]) -> Refused:
    """A complaint about one parameter: OpenAI's words for a 400, FastAPI's for a 422."""
    if status == 422:
        detail = {"type": "value_error", "loc": ["body", name], "msg": f"Value error, {what}"}
        return Refused(json_reply(422, {"detail": [detail]}))
    return Refused(
        error_reply(
            400, f"Invalid value for '{name}': it {what}.", code="invalid_value", param=name
        )
    )


def _texts(
    body: Mapping[str, Any], form: PromptForm, status: Literal[400, 422]
) -> tuple[tuple[Message, ...], str | None]:
    if form == "completion":
        prompt = body.get("prompt")
        if isinstance(prompt, list) and len(prompt) == 1:
            prompt = prompt[0]
        if not isinstance(prompt, str):
            raise wrong("prompt", "must be one text", status)
        return (), prompt
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise wrong("messages", "must be a list of messages, at least one", status)
    return tuple(_message(message, status) for message in messages), None


def _message(message: Any, status: Literal[400, 422]) -> Message:
    if not isinstance(message, dict) or message.get("role") not in _ROLES:
        raise wrong("messages", f"must hold objects with a role ({', '.join(_ROLES)})", status)
    content = message.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        whole = len(texts) == len(content) and all(isinstance(text, str) for text in texts)
        content = "".join(map(str, texts)) if whole else None
    if not isinstance(content, str):
        raise wrong("messages", "must hold messages whose content is text", status)
    role = "system" if message["role"] == "developer" else message["role"]
    return Message(cast(ChatRole, role), content)


def _sampling(body: Mapping[str, Any], status: Literal[400, 422]) -> Sampling:
    numbers: dict[str, float | None] = {}
    for name in ("temperature", "top_p"):
        value = body.get(name)
        if value is not None and not _is_number(value):
            raise wrong(name, "must be a number", status)
        numbers[name] = value
    counts: dict[str, int | None] = {}
    for name in ("max_tokens", "max_completion_tokens", "seed"):
        count = body.get(name)
        if count is not None and (not _is_int(count) or (name != "seed" and count < 1)):
            raise wrong(name, "must be a whole number" + (" from 1" * (name != "seed")), status)
        counts[name] = count
    most, other = counts["max_tokens"], counts["max_completion_tokens"]
    if most is not None and other is not None:
        raise wrong("max_tokens", "does not go together with max_completion_tokens", status)
    stop = body.get("stop")
    stops = [stop] if isinstance(stop, str) else stop or []
    if not isinstance(stops, list) or not all(isinstance(text, str) for text in stops):
        raise wrong("stop", "must be a text or a list of texts", status)
    extra = tuple((name, value) for name, value in body.items() if name not in _NAMED)
    return Sampling(
        temperature=numbers["temperature"],
        top_p=numbers["top_p"],
        max_tokens=other if most is None else most,
        seed=counts["seed"],
        stop=tuple(stops),
        extra=extra,
    )


def _constraint(
    body: Mapping[str, Any], form: PromptForm, status: Literal[400, 422]
) -> Constraint | None:
    grammar = body.get("grammar")
    if grammar is not None:
        if not isinstance(grammar, str):
            raise wrong("grammar", "must be a text in GBNF", status)
        return Constraint("gbnf", grammar)
    schema = body.get("json_schema")
    if form == "chat":
        wanted = body.get("response_format")
        if wanted is None:
            return None
        kind = wanted.get("type") if isinstance(wanted, dict) else None
        if kind == "text":
            return None
        if kind == "json_object":
            schema = {"type": "object"}
        elif kind == "json_schema" and isinstance(wanted.get("json_schema"), dict):
            schema = wanted["json_schema"].get("schema")
    if schema is None and form == "completion":
        return None
    if not isinstance(schema, dict):
        name = "response_format" if form == "chat" else "json_schema"
        raise wrong(name, "must hold a JSON schema", status)
    return Constraint("json_schema", json.dumps(schema, ensure_ascii=False))


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
