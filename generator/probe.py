"""What a backend can do, found out by asking it: a handful of tiny requests."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from generator.errors import CallFailed
from generator.values import (
    Backend,
    Capabilities,
    Completion,
    Constraint,
    ConstraintKind,
    Message,
    Request,
    Sampling,
)

_SHORT = Sampling(temperature=0.0, max_tokens=16)
_SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing asked: `works` is True, False, or None when it could not be told."""

    name: str
    works: bool | None
    detail: str


def _chat(*messages: tuple[str, str], **changes: object) -> Request:
    return Request(
        tuple(Message(role, text) for role, text in messages),  # type: ignore[arg-type]
        sampling=replace(_SHORT, **changes),  # type: ignore[arg-type]
    )


_ROLE_PROBES: tuple[tuple[str, Request], ...] = (
    ("user message", _chat(("user", "Say hello."))),
    ("system message", _chat(("system", "Be brief."), ("user", "Say hello."))),
    ("system message alone", _chat(("system", "Say hello."))),
    (
        "two user messages in a row",
        _chat(("user", "My name is Kim."), ("user", "Say hello.")),
    ),
    (
        "a conversation that the assistant begins",
        _chat(("assistant", "Hello!"), ("user", "Say hello.")),
    ),
)


async def probe(backend: Backend) -> AsyncIterator[Finding]:
    """Ask one thing after another. Raises `RunStopped` when nothing can be asked at all."""
    declared = backend.capabilities
    answers: list[Completion] = []
    if "completion" in declared.prompt_forms:
        yield await _tried(backend, "text to continue", Request(prompt="One, two, three,",
                           sampling=_SHORT), answers)  # fmt: skip
    if "chat" in declared.prompt_forms:
        for name, request in _ROLE_PROBES:
            yield await _tried(backend, name, request, answers)
        yield await _constrained(backend, "json_schema", json.dumps(_SCHEMA), _is_colour_object)
        yield await _constrained(backend, "gbnf", 'root ::= "red" | "blue"', _is_colour)
        yield await _seeded(backend)
    yield _usage(answers)
    yield _changes(answers)
    yield Finding(
        "context length",
        None if declared.context_tokens is None else True,
        "not told" if declared.context_tokens is None else f"{declared.context_tokens} tokens",
    )


def advice(findings: list[Finding]) -> str:
    """The option for a server that is strict about roles, or an empty text."""
    works = {finding.name: finding.works for finding in findings}
    if works.get("system message") is False:
        return (
            "--set backend.roles=fold-system   (the system text goes into the first user message)"
        )
    if works.get("two user messages in a row") is False:
        return "--set backend.roles=alternate     (neighbours of one role are joined)"
    return ""


async def _tried(
    backend: Backend, name: str, request: Request, answers: list[Completion]
) -> Finding:
    try:
        completion = await backend.complete(request)
    except CallFailed as error:
        return Finding(name, False, str(error))
    answers.append(completion)
    said = completion.text.strip().replace("\n", " ")[:60]
    if not said and completion.reasoning:
        said = "(reasoning only)"
    return Finding(name, True, said or "(empty)")


async def _constrained(
    backend: Backend, kind: ConstraintKind, body: str, holds: Callable[[str], bool]
) -> Finding:
    name = f"constraint {kind}"
    if kind not in backend.capabilities.constraints:
        return Finding(name, None, f"not declared; --set backend.constraints={kind} declares it")
    request = replace(
        _chat(("user", "Name a colour."), max_tokens=32),
        constraint=Constraint(kind, body),
    )
    try:
        completion = await backend.complete(request)
    except CallFailed as error:
        return Finding(name, False, str(error))
    kept = holds(completion.text)
    return Finding(name, kept, "enforced" if kept else f"ignored: {completion.text.strip()[:60]}")


async def _seeded(backend: Backend) -> Finding:
    request = _chat(("user", "Tell me a random word."), temperature=1.0, seed=7)
    try:
        first, second = await backend.complete(request), await backend.complete(request)
    except CallFailed as error:
        return Finding("seed", False, str(error))
    same = first.text == second.text
    return Finding("seed", same, "same seed, same text" if same else "same seed, another text")


def _usage(answers: list[Completion]) -> Finding:
    told = [a.usage.completion_tokens is not None for a in answers]
    return Finding(
        "token usage", all(told) if told else None, f"told in {sum(told)} of {len(told)}"
    )


def _changes(answers: list[Completion]) -> Finding:
    notes = sorted({note for answer in answers for note in answer.notes})
    return Finding("parameters as sent", not notes, "; ".join(notes) or "taken as they are")


def _is_colour(text: str) -> bool:
    return text.strip() in ("red", "blue")


def _is_colour_object(text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict) and value.get("colour") in ("red", "blue")


def describe_capabilities(capabilities: Capabilities) -> str:
    """What the backend declares, in one line."""
    forms = ", ".join(sorted(capabilities.prompt_forms))
    kept = ", ".join(sorted(capabilities.constraints)) or "none"
    return f"declared: forms {forms}; constraints {kept}"
