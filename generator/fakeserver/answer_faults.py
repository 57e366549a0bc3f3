"""Faults inside a 200: JSON objects that hold no answer, or an odd one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from generator.fakeserver.fault_model import AN_ANSWER, FaultCall, FaultKind
from generator.fakeserver.replies import Envelope, usage_counts
from generator.fakeserver.token_count import count_tokens

_THOUGHT = "The text is short. I should keep to what it says."
_LABEL = re.compile(r"[^:：]{1,20}[:：]\s*")
_REFUSED = "I'm sorry, but I can't assist with that request."


def text_of(choice: dict[str, Any]) -> str:
    """The text of a choice of either form."""
    text = choice["message"]["content"] if "message" in choice else choice["text"]
    return str(text)


def _with_text(choice: dict[str, Any], text: Any, **more: Any) -> dict[str, Any]:
    if "message" in choice:
        return {**choice, "message": {**choice["message"], "content": text}, **more}
    return {**choice, "text": text, **more}


def _with_texts(given: Envelope, change: Callable[[str], str | None], **more: Any) -> Envelope:
    """The envelope with every text changed and counted again; `more` goes into every choice."""
    texts = [change(text_of(choice)) for choice in given["choices"]]
    return {
        **given,
        "choices": [
            _with_text(choice, text, **more)
            for choice, text in zip(given["choices"], texts, strict=True)
        ],
        "usage": usage_counts(
            given["usage"]["prompt_tokens"], sum(count_tokens(text or "") for text in texts)
        ),
    }


def _rewritten(rewrite: Callable[[str], str | None], **more: Any) -> Callable[..., Envelope]:
    return lambda given, _: _with_texts(given, rewrite, **more)


def _with_message(given: Envelope, **fields: Any) -> Envelope:
    choices = [
        {**choice, "message": {**choice["message"], **fields}} for choice in given["choices"]
    ]
    return {**given, "choices": choices}


def _reasoning(given: Envelope, _: FaultCall) -> Envelope:
    return _with_message(given, content=None, reasoning_content=_THOUGHT)


def _refusal(given: Envelope, _: FaultCall) -> Envelope:
    return _with_message(given, content=None, refusal=_REFUSED)


def _parts(given: Envelope, _: FaultCall) -> Envelope:
    choices = [
        _with_text(choice, [{"type": "text", "text": text_of(choice)}])
        for choice in given["choices"]
    ]
    return {**given, "choices": choices}


def _no_message(given: Envelope, call: FaultCall) -> Envelope:
    hollow = {"message": None} if call.form == "chat" else {"text": None}
    return {**given, "choices": [{**choice, **hollow} for choice in given["choices"]]}


def _without(key: str) -> Callable[[Envelope, FaultCall], Envelope]:
    return lambda given, _: {name: value for name, value in given.items() if name != key}


def _with(key: str, value: Any) -> Callable[[Envelope, FaultCall], Envelope]:
    return lambda given, _: {**given, key: value}


def _instead(code: int | None, kind: str, message: str) -> Callable[..., Envelope]:
    return lambda _given, _call: {"error": {"message": message, "type": kind, "code": code}}


def _error_in_choice(given: Envelope, _: FaultCall) -> Envelope:
    error = {"code": 502, "message": "The upstream provider failed."}
    choices = [
        {**_with_text(choice, "", finish_reason="error"), "error": error}
        for choice in given["choices"]
    ]
    return {**given, "choices": choices}


def _half(text: str) -> str:
    return text[: len(text) // 2].rstrip()


def _prose(text: str) -> str:
    """The answer without its labels and line breaks: no dialogue any more."""
    return " ".join(_LABEL.sub("", line.strip()) for line in text.splitlines() if line.strip())


ANSWER_FAULTS: tuple[FaultKind, ...] = (
    FaultKind(
        "error_object_in_200", "200 that holds an error object", "ServerFault",
        change=_instead(None, "server_error", "The upstream provider failed."),
    ),
    FaultKind(
        "rate_limit_in_200", "200 that holds an error object with code 429", "RateLimited",
        change=_instead(429, "rate_limit_error", "Too many requests."),
    ),
    FaultKind(
        "error_in_choice", "200 with the error inside the choice", "ServerFault",
        change=_error_in_choice,
    ),
    FaultKind(
        "choices_null", "200 with `choices: null`", "BadResponse", change=_with("choices", None)
    ),
    FaultKind(
        "choices_missing", "200 without `choices`", "BadResponse", change=_without("choices")
    ),
    FaultKind(
        "choices_empty", "200 with `choices: []`", "BadResponse", change=_with("choices", [])
    ),
    FaultKind(
        "message_null", "200 with `message: null` (completions: `text: null`)", "BadResponse",
        change=_no_message,
    ),
    FaultKind(
        "usage_missing", "the answer without `usage`", AN_ANSWER, "request",
        change=_without("usage"),
    ),
    FaultKind(
        "usage_null", "the answer with `usage: null`", AN_ANSWER, "request",
        change=_with("usage", None),
    ),
    FaultKind(
        "content_null_reasoning", "no content, only `reasoning_content`", AN_ANSWER, "request",
        chat_only=True, change=_reasoning,
    ),
    FaultKind(
        "content_empty", "an empty text", AN_ANSWER, "request", change=_rewritten(lambda _: ""),
    ),
    FaultKind(
        "content_parts", "the content as a list of parts", AN_ANSWER, "request",
        chat_only=True, change=_parts,
    ),
    FaultKind(
        "think_block", "a `<think>` block before the answer", AN_ANSWER, "request",
        change=_rewritten(lambda text: f"<think>\n{_THOUGHT}\n</think>\n\n{text}"),
    ),
    FaultKind(
        "think_unclosed", "a `<think>` block that never closes, cut at the token limit",
        AN_ANSWER, "request",
        change=_rewritten(lambda _: f"<think>\n{_THOUGHT}", finish_reason="length"),
    ),
    FaultKind(
        "think_close_only", "thoughts with only the closing tag", AN_ANSWER, "request",
        change=_rewritten(lambda text: f"{_THOUGHT}\n</think>\n\n{text}"),
    ),
    FaultKind(
        "refusal", "no content, a `refusal`", AN_ANSWER, "request", chat_only=True, change=_refusal,
    ),
    FaultKind(
        "refusal_text", "a refusal as the text", AN_ANSWER, "request",
        change=_rewritten(lambda _: _REFUSED),
    ),
    FaultKind(
        "content_filter_200", "no content, finish reason `content_filter`", "ContentFiltered",
        "request", change=_rewritten(lambda _: None, finish_reason="content_filter"),
    ),
    FaultKind(
        "content_filter_cut", "half the answer, finish reason `content_filter`", AN_ANSWER,
        "request", change=_rewritten(_half, finish_reason="content_filter"),
    ),
    FaultKind(
        "length", "half the answer, finish reason `length`", AN_ANSWER, "request",
        change=_rewritten(_half, finish_reason="length"),
    ),
    FaultKind(
        "finish_null", "the answer with `finish_reason: null`", AN_ANSWER, "request",
        change=_rewritten(lambda text: text, finish_reason=None),
    ),
    FaultKind(
        "lone_surrogate", "the answer with half of a surrogate pair in it", AN_ANSWER, "request",
        change=_rewritten(lambda text: f"{text} \ud83d"),
    ),
    FaultKind(
        "control_characters", "the answer with control characters in it", AN_ANSWER, "request",
        change=_rewritten(lambda text: f"{text} \x00\x1b[31m"),
    ),
    FaultKind(
        "repeated_text", "the answer three times over", AN_ANSWER, "request",
        change=_rewritten(lambda text: "\n".join([text] * 3)),
    ),
    FaultKind(
        "prose", "the answer in one line, without its labels", AN_ANSWER, "request",
        change=_rewritten(_prose),
    ),
)  # fmt: skip
