"""What strict servers refuse: roles out of order, unknown parameters, values out of range. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from generator.fakeserver.asked import Asked, Refused, wrong
from generator.fakeserver.replies import error_reply, json_reply
from generator.fakeserver.settings import FakeServerSettings
from generator.values import Message

_Check = Callable[[Any], bool]
_MOST_STOPS = 4


def _between(low: float, high: float) -> _Check:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def _of(*kinds: type) -> _Check:
    return lambda value: type(value) in kinds


def _few_stops(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and len(value) <= _MOST_STOPS)


def _anything(value: Any) -> bool:
    return True


_BOTH: Mapping[str, tuple[_Check, str]] = MappingProxyType(
    {
        # Checked where the request is read.
        **dict.fromkeys(("model", "n", "stream", "max_tokens", "seed"), (_anything, "")),
        "temperature": (_between(0, 2), "must be from 0 to 2"),
        "top_p": (_between(0, 1), "must be from 0 to 1"),
        "presence_penalty": (_between(-2, 2), "must be from -2 to 2"),
        "frequency_penalty": (_between(-2, 2), "must be from -2 to 2"),
        "stop": (_few_stops, f"must hold at most {_MOST_STOPS} texts"),
        "logit_bias": (_of(dict), "must be an object"),
        "stream_options": (_of(dict), "must be an object"),
        "user": (_of(str), "must be a text"),
    }
)
_CHAT: Mapping[str, tuple[_Check, str]] = MappingProxyType(
    {
        **_BOTH,
        "messages": (_anything, ""),
        "max_completion_tokens": (_anything, ""),
        "response_format": (_anything, ""),
        "logprobs": (_of(bool), "must be true or false"),
        "top_logprobs": (_between(0, 20), "must be from 0 to 20"),
        "metadata": (_of(dict), "must be an object"),
        "store": (_of(bool), "must be true or false"),
        "reasoning_effort": (_of(str), "must be a text"),
        "service_tier": (_of(str), "must be a text"),
    }
)
_COMPLETION: Mapping[str, tuple[_Check, str]] = MappingProxyType(
    {
        **_BOTH,
        "prompt": (_anything, ""),
        "best_of": (_between(1, 20), "must be from 1 to 20"),
        "echo": (_of(bool), "must be true or false"),
        "logprobs": (_between(0, 5), "must be from 0 to 5"),
        "suffix": (_of(str), "must be a text"),
    }
)


def check_strictly(asked: Asked, settings: FakeServerSettings) -> None:
    """Raise `Refused` for what the settings do not allow."""
    status = settings.refusal_status
    if asked.choices > 1 and not settings.several_choices:
        raise wrong("n", "must be 1: this server gives one choice", status)
    if not settings.system_allowed and any(m.role == "system" for m in asked.request.messages):
        raise _roles("System role not supported")
    if settings.strict:
        _check_parameters(asked, status)
        if asked.form == "chat":
            _check_roles(asked.request.messages)


def _check_parameters(asked: Asked, status: Literal[400, 422]) -> None:
    known = _CHAT if asked.form == "chat" else _COMPLETION
    for name, value in asked.body.items():
        rule = known.get(name)
        if rule is None:
            raise _unknown(name, status)
        check, what = rule
        if value is not None and not check(value):
            raise wrong(name, what, status)


def _check_roles(messages: tuple[Message, ...]) -> None:
    """At most one system message, and first; then user and assistant in turn, from user to user."""
    turns = messages[1:] if messages[0].role == "system" else messages
    if not turns:
        raise _roles("a conversation needs a user message beside the system message")
    for index, message in enumerate(turns):
        if message.role == "system":
            raise _roles("only one system message is supported, and only as the first message")
        if message.role != ("assistant" if index % 2 else "user"):
            raise _roles("Conversation roles must alternate user/assistant/user/assistant/...")
    if turns[-1].role != "user":
        raise _roles("the last message must be the user's")


def _roles(message: str) -> Refused:
    return Refused(error_reply(400, message, code="invalid_messages", param="messages"))


def _unknown(name: str, status: Literal[400, 422]) -> Refused:
    if status == 422:
        detail = {
            "type": "extra_forbidden",
            "loc": ["body", name],
            "msg": "Extra inputs are not permitted",
        }
        return Refused(json_reply(422, {"detail": [detail]}))
    message = f"Unrecognized request argument supplied: {name}"
    return Refused(error_reply(400, message, code="unknown_parameter", param=name))
