"""`scripted:FILE` and its Python form: prepared answers, for tests and rehearsals.

Which answer a request gets depends on the request alone, never on the order of
the calls: the corpus is the same at any concurrency and after any resume.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from generator.backends.context import BackendContext
from generator.backends.spec import BackendSpec
from generator.calling.key import request_hash
from generator.errors import (
    BadKey,
    BadResponse,
    ConnectionFault,
    ContentFiltered,
    ContextOverflow,
    DialogsmithError,
    ModelNotFound,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    ServerFault,
    Unreachable,
    WrongUse,
)
from generator.values import Backend, Capabilities, Completion, Request, Usage

FAULTS: Mapping[str, type[DialogsmithError]] = MappingProxyType(
    {
        "rate_limited": RateLimited,
        "server_fault": ServerFault,
        "connection_fault": ConnectionFault,
        "bad_response": BadResponse,
        "request_refused": RequestRefused,
        "context_overflow": ContextOverflow,
        "content_filter": ContentFiltered,
        "bad_key": BadKey,
        "quota_exhausted": QuotaExhausted,
        "model_not_found": ModelNotFound,
        "unreachable": Unreachable,
    }
)


_BOTH_FORMS = Capabilities(prompt_forms=frozenset({"chat", "completion"}))


@dataclass(frozen=True, slots=True)
class Fault:
    """A prepared failure: `kind` is a name of `FAULTS`, `retry_after_s` seconds."""

    kind: str
    retry_after_s: float | None = None

    def error(self) -> DialogsmithError:
        message = f"scripted {self.kind.replace('_', ' ')}"
        kind = FAULTS[self.kind]
        if issubclass(kind, RateLimited | ServerFault):
            return kind(message, retry_after_s=self.retry_after_s)
        return kind(message)


@dataclass(frozen=True, slots=True)
class Answer:
    """A prepared answer. `latency_s` seconds pass before it is given."""

    text: str = ""
    finish_reason: str | None = "stop"
    usage: Usage = field(default_factory=Usage)
    latency_s: float | None = None
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """Conditions on a request; all that are set must hold.

    `contains` and `regex` look at all message contents (or the prompt) joined
    by newlines, `equals` at the last message (or the prompt).
    """

    contains: tuple[str, ...] = ()
    regex: re.Pattern[str] | None = None
    equals: str | None = None

    def fits(self, whole: str, last: str) -> bool:
        return (
            (self.equals is None or self.equals == last)
            and all(part in whole for part in self.contains)
            and (self.regex is None or self.regex.search(whole) is not None)
        )


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One answer of a script. Without `match` it belongs to the pool for all other requests.

    `times`: so many times in a row a request meets this line, before all lines
    without `times`; the count of a request starts again once it is answered.
    """

    answer: Answer
    match: Match | None = None
    times: int | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """All answers, and how one is chosen among several lines that match.

    `choose`: `first` takes the first in order, `hash` one by the request's hash.
    Among the lines without a match the hash always decides.
    """

    lines: tuple[ScriptLine, ...]
    choose: Literal["first", "hash"] = "first"
    capabilities: Capabilities = _BOTH_FORMS


AnswerFunction = Callable[[Request], Answer | str | None]


class ScriptedBackend:
    """Gives prepared answers.

    `answers` is a `Script`, a list (texts or `Answer`s, chosen by the request's
    hash), or a function of the request that returns a text, an `Answer`, or
    None for "no answer fits". `endpoint` names the answers in the cache key.
    """

    def __init__(
        self,
        answers: Script | Sequence[Answer | str] | AnswerFunction,
        *,
        spec: str = "scripted",
        endpoint: str | None = None,
        capabilities: Capabilities | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._function: AnswerFunction | None = None
        if isinstance(answers, Script):
            script = answers
        elif callable(answers):
            script = Script(())
            self._function = answers
        else:
            script = Script(tuple(ScriptLine(_as_answer(answer)) for answer in answers))
        self._choose = script.choose
        numbered = tuple(enumerate(script.lines))
        self._matching = tuple((n, line, line.match) for n, line in numbered if line.match)
        self._faults = tuple((n, line) for n, line in numbered if line.times and not line.match)
        self._pool = tuple(
            line.answer for line in script.lines if line.match is None and not line.times
        )
        self._capabilities = capabilities or script.capabilities
        self._spec = spec
        self._endpoint = endpoint or spec
        self._sleep = sleep
        self._met: dict[tuple[str, int], int] = {}

    @property
    def spec(self) -> str:
        return self._spec

    @property
    def endpoint(self) -> str:
        return self._endpoint

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    async def complete(self, request: Request) -> Completion:
        """The prepared answer; `RequestRefused` when none fits."""
        return await self.complete_sample(request, 0)

    async def complete_sample(self, request: Request, sample: int) -> Completion:
        """The prepared answer number `sample`; `RequestRefused` when none fits."""
        answer = self._answer(request, sample)
        if answer.latency_s:
            await self._sleep(answer.latency_s)
        if answer.fault is not None:
            raise answer.fault.error()
        return Completion(
            text=answer.text,
            finish_reason=answer.finish_reason,
            usage=answer.usage,
            model="scripted",
            latency_s=answer.latency_s,
        )

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _answer(self, request: Request, sample: int) -> Answer:
        if self._function is not None:
            given = self._function(request)
            if given is None:
                raise _nothing_fits(self._spec, request)
            return _as_answer(given)
        digest = request_hash(request, sample=sample)
        fitting = [*self._fitting(request), *self._faults]
        for number, line in fitting:
            if line.times and self._meets((digest, number), line.times):
                return line.answer
        for number, _ in fitting:
            self._met.pop((digest, number), None)
        answers = [line.answer for _, line in fitting if not line.times]
        if answers and self._choose == "first":
            return answers[0]
        if not answers and not self._pool:
            raise _nothing_fits(self._spec, request)
        return _chosen(answers or self._pool, digest)

    def _fitting(self, request: Request) -> list[tuple[int, ScriptLine]]:
        if not self._matching:
            return []
        if request.prompt is not None:
            whole = last = request.prompt
        else:
            whole = "\n".join(message.content for message in request.messages)
            last = request.messages[-1].content
        return [(number, line) for number, line, match in self._matching if match.fits(whole, last)]

    def _meets(self, key: tuple[str, int], times: int) -> bool:
        """Count one more meeting; False once `times` are used up."""
        met = self._met.get(key, 0)
        if met >= times:
            return False
        self._met[key] = met + 1
        return True


def _chosen(answers: Sequence[Answer], digest: str) -> Answer:
    return answers[int(digest[:16], 16) % len(answers)]


def _as_answer(given: Answer | str) -> Answer:
    return Answer(given) if isinstance(given, str) else given


def _nothing_fits(spec: str, request: Request) -> RequestRefused:
    last = request.prompt if request.prompt is not None else request.messages[-1].content
    return RequestRefused(
        f"{spec}: no line of the script fits this request, which ends with "
        f"{json.dumps(last[-80:], ensure_ascii=False)}; add a line without a match as default"
    )


def make_scripted(spec: BackendSpec, context: BackendContext) -> Backend:
    """The backend of `scripted:FILE`. Raises `WrongUse` with FILE:LINE when the script is bad."""
    from generator.backends.script_file import read_script

    if spec.model is None or spec.base_url is not None:
        raise WrongUse(f"{spec}: name the script file, like scripted:answers.jsonl")
    path = Path(spec.model)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WrongUse(f"{path}: the script cannot be read: {error.strerror}") from None
    identity = hashlib.sha256(content).hexdigest()[:16]
    return ScriptedBackend(
        read_script(content, str(path)), spec=str(spec), endpoint=f"scripted:{identity}"
    )
