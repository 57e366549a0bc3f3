"""The JSON Lines file of the scripted backend (described in docs/backends.md)."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from generator.backends.scripted import FAULTS, Answer, Fault, Match, Script, ScriptLine
from generator.backends.surrogates import without_lone_surrogates
from generator.errors import WrongUse
from generator.values import Capabilities, ConstraintKind, PromptForm, Usage

_NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Match(_Strict):
    contains: str | list[str] = Field(default_factory=list)
    regex: str | None = None
    equals: str | None = None

    @model_validator(mode="after")
    def _says_something(self) -> _Match:
        if not self.contains and self.regex is None and self.equals is None:
            raise ValueError("needs contains, regex or equals")
        return self


class _Usage(_Strict):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
    cached_prompt_tokens: _Count | None = None


class _Error(_Strict):
    kind: str
    retry_after_s: _NotNegative | None = None

    @model_validator(mode="after")
    def _is_known(self) -> _Error:
        if self.kind not in FAULTS:
            raise ValueError(f"kind must be one of {', '.join(FAULTS)}")
        return self


class _Line(_Strict):
    match: _Match | None = None
    text: str | None = None
    finish_reason: str | None = "stop"
    usage: _Usage = Field(default_factory=_Usage)
    latency_s: _NotNegative | None = None
    error: _Error | None = None
    times: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> _Line:
        if (self.text is None) == (self.error is None):
            raise ValueError("needs either text or error")
        if self.times is not None and self.error is None:
            raise ValueError("times goes with error only: answers must not depend on call order")
        return self


class _Settings(_Strict):
    choose: Literal["first", "hash"] = "first"
    prompt_forms: list[PromptForm] = Field(default=["chat", "completion"], min_length=1)
    constraints: list[ConstraintKind] = Field(default_factory=list)
    follows_instructions: bool = True
    context_tokens: Annotated[int, Field(ge=1)] | None = None


class _SettingsLine(_Strict):
    settings: _Settings


def read_script(content: bytes, name: str) -> Script:
    """The script in a file's bytes. Raises `WrongUse` beginning with `name:LINE:`."""
    settings = _Settings()
    lines: list[ScriptLine] = []
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not raw.strip():
            continue
        where = f"{name}:{number}"
        value = _decoded(raw, where)
        try:
            if "settings" in value:
                if lines:
                    raise WrongUse(f"{where}: settings must come before all answers")
                settings = _SettingsLine.model_validate(value).settings
            else:
                lines.append(_script_line(_Line.model_validate(value), where))
        except ValidationError as error:
            raise WrongUse(f"{where}: {_first_fault(error)}") from None
    if not lines:
        raise WrongUse(f"{name}: the script holds no answers")
    return Script(
        tuple(lines),
        choose=settings.choose,
        capabilities=Capabilities(
            prompt_forms=frozenset(settings.prompt_forms),
            constraints=frozenset(settings.constraints),
            follows_instructions=settings.follows_instructions,
            context_tokens=settings.context_tokens,
        ),
    )


def _decoded(raw: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise WrongUse(f"{where}: not UTF-8") from None
    except json.JSONDecodeError as error:
        raise WrongUse(f"{where}: not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise WrongUse(f"{where}: nested too deeply") from None
    if not isinstance(value, dict):
        raise WrongUse(f"{where}: not a JSON object")
    return value


def _script_line(line: _Line, where: str) -> ScriptLine:
    match = None
    if line.match is not None:
        contains = line.match.contains
        match = Match(
            contains=(contains,) if isinstance(contains, str) else tuple(contains),
            regex=_compiled(line.match.regex, where),
            equals=line.match.equals,
        )
    answer = Answer(
        text=without_lone_surrogates(line.text or ""),
        finish_reason=line.finish_reason,
        usage=Usage(
            line.usage.prompt_tokens,
            line.usage.completion_tokens,
            line.usage.cached_prompt_tokens,
        ),
        latency_s=line.latency_s,
        fault=Fault(line.error.kind, line.error.retry_after_s) if line.error else None,
    )
    return ScriptLine(answer, match, line.times)


def _compiled(pattern: str | None, where: str) -> re.Pattern[str] | None:
    if pattern is None:
        return None
    try:
        return re.compile(pattern)
    except re.error as error:
        raise WrongUse(f"{where}: match.regex is no regular expression: {error.msg}") from None


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message
