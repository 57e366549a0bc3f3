"""From the decoded body of a 200 to a `Completion`, for every shape servers really send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.backends.finish_reasons import GAVE_UP, usual_reason
from generator.backends.surrogates import REPLACED_NOTE, without_lone_surrogates
from generator.values import Completion, Usage

_NO_COUNT = 2**32
"""More tokens than any request has: some servers send -1 as an unsigned number."""

_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A 200 without an answer in it. `filtered`: the provider's content filter took it away."""

    why: str
    filtered: bool = False


@dataclass(frozen=True, slots=True)
class _Texts:
    text: str
    reasoning: str | None = None
    refusal: str | None = None


def read_chat(value: Mapping[str, Any]) -> Completion | NoAnswer:
    """The first choice of a chat completion.

    Content may be a text, a part, a list of parts, or null beside a refusal, a
    reasoning text or an empty answer. Some gateways send `text` or a stream's
    `delta` in place of the message; asking again would bring the same.
    """
    choice = _first_choice(value)
    if isinstance(choice, NoAnswer):
        return choice
    message = choice.get("message") or choice.get("delta")
    if message is None and isinstance(choice.get("text"), str):
        message = {"content": choice["text"]}
    finish_reason = usual_reason(_text_or_none(choice.get("finish_reason")))
    if finish_reason in GAVE_UP:
        return NoAnswer(f"its server gave up on it (finish reason {finish_reason})")
    if not isinstance(message, Mapping):
        return NoAnswer("its message is missing", finish_reason == "content_filter")
    content = message.get("content")
    if isinstance(content, Mapping) and "text" in content:
        content = [content]
    if content is not None and not isinstance(content, str | list):
        return NoAnswer("its content is neither text nor null")
    parts = _joined(content) if isinstance(content, list) else _Texts(content or "")
    refusal = _text_or_none(message.get("refusal")) or parts.refusal
    if finish_reason == "content_filter" and not parts.text and refusal is None:
        return NoAnswer("the content filter took its text away", filtered=True)
    reasoning = parts.reasoning
    for name in _REASONING_FIELDS:
        reasoning = reasoning or _text_or_none(message.get(name))
    return _completion(value, finish_reason, _Texts(parts.text, reasoning, refusal))


def read_text(value: Mapping[str, Any]) -> Completion | NoAnswer:
    """The first choice of a legacy completion."""
    choice = _first_choice(value)
    if isinstance(choice, NoAnswer):
        return choice
    finish_reason = usual_reason(_text_or_none(choice.get("finish_reason")))
    if finish_reason in GAVE_UP:
        return NoAnswer(f"its server gave up on it (finish reason {finish_reason})")
    text = choice.get("text")
    if text is None and finish_reason == "content_filter":
        return NoAnswer("the content filter took its text away", filtered=True)
    if not isinstance(text, str):
        return NoAnswer("its text is missing")
    return _completion(value, finish_reason, _Texts(text))


def _first_choice(value: Mapping[str, Any]) -> Mapping[str, Any] | NoAnswer:
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        return NoAnswer("it holds no choices")
    choice = choices[0]
    return choice if isinstance(choice, Mapping) else NoAnswer("its choice is no object")


def _completion(value: Mapping[str, Any], finish_reason: str | None, texts: _Texts) -> Completion:
    text = without_lone_surrogates(texts.text)
    refusal, reasoning = _clean(texts.refusal), _clean(texts.reasoning)
    replaced = (text, refusal, reasoning) != (texts.text, texts.refusal, texts.reasoning)
    return Completion(
        text=text,
        finish_reason=_clean(finish_reason),
        usage=_usage(value.get("usage")),
        model=_clean(_text_or_none(value.get("model"))),
        refusal=refusal,
        reasoning=reasoning,
        notes=(f"answer: {REPLACED_NOTE}",) if replaced else (),
    )


def _joined(parts: list[Any]) -> _Texts:
    """A list of content parts. Mistral puts a thinking part before the text."""
    texts, thoughts, refusals = [], [], []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        if not isinstance(part, Mapping):
            continue
        if isinstance(part.get("text"), str):
            texts.append(part["text"])
        if isinstance(part.get("refusal"), str):
            refusals.append(part["refusal"])
        thinking = part.get("thinking")
        if isinstance(thinking, str):
            thoughts.append(thinking)
        elif isinstance(thinking, list):
            thoughts.append(_joined(thinking).text)
    return _Texts("".join(texts), "".join(thoughts) or None, "".join(refusals) or None)


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, Mapping):
        return Usage()
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    return Usage(
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_prompt_tokens=_count(cached),
    )


def _count(value: Any) -> int | None:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _NO_COUNT
    return value if known else None


def _clean(text: str | None) -> str | None:
    return None if text is None else without_lone_surrogates(text)


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
