"""Where answers come from: a script, or the request itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.backends.scripted import FAULTS as SCRIPT_FAULTS
from generator.backends.scripted import Script, ScriptedBackend
from generator.errors import DialogsmithError, RateLimited, ServerFault
from generator.fakeserver.asked import Asked
from generator.fakeserver.fault_catalogue import FAULTS
from generator.fakeserver.fault_choice import FaultSpec
from generator.fakeserver.made_answers import made_answer
from generator.fakeserver.token_count import count_tokens, cut_to
from generator.values import Completion, Usage

_FAULT_OF_KIND = (
    ("rate_limited", "rate_limit_none", "rate_limit"),
    ("server_fault", "server_error", "overloaded"),
    ("connection_fault", "closed", "closed"),
    ("bad_response", "choices_null", "choices_null"),
    ("request_refused", "bad_request", "bad_request"),
    ("context_overflow", "context_overflow", "context_overflow"),
    ("content_filter", "content_filter_400", "content_filter_400"),
    ("bad_key", "bad_key", "bad_key"),
    ("quota_exhausted", "quota", "quota"),
    ("model_not_found", "model_not_found", "model_not_found"),
    ("unreachable", "wrong_path", "wrong_path"),
)
"""Kind of a script's error, the fault for it, and the fault when it says how long to wait."""

_DEFAULT_COMPLETION_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Answered:
    """One choice, and how long the script wants it to take (seconds)."""

    completion: Completion
    latency_s: float = 0.0


class AnswerSource:
    """Answers by a script, or made from the request when there is none.

    `strict`: a completion without `max_tokens` gets 16 tokens, as at OpenAI.
    """

    def __init__(self, script: Script | None, seed: int, *, strict: bool) -> None:
        self._scripted = None
        if script is not None:
            self._scripted = ScriptedBackend(script, spec="script", sleep=_at_once)
        self._seed = seed
        self._strict = strict

    @property
    def scripted(self) -> bool:
        return self._scripted is not None

    async def answer(self, asked: Asked, choice: int) -> Answered | FaultSpec:
        """Choice number `choice` (from 0), or the fault that the script gives instead."""
        if self._scripted is None:
            return Answered(self._made(asked, choice))
        try:
            completion = await self._scripted.complete_sample(asked.request, choice)
        except DialogsmithError as error:
            return _fault_for(error)
        usage = completion.usage
        counted = Usage(
            asked.prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens,
            count_tokens(completion.text)
            if usage.completion_tokens is None
            else usage.completion_tokens,
            usage.cached_prompt_tokens,
        )
        return Answered(replace(completion, usage=counted), completion.latency_s or 0.0)

    def _made(self, asked: Asked, choice: int) -> Completion:
        text, finish_reason = made_answer(asked.request, asked.digest, self._seed, choice), "stop"
        for stop in asked.request.sampling.stop:
            if stop:
                text = text.partition(stop)[0]
        most = asked.request.sampling.max_tokens
        if most is None and self._strict and asked.form == "completion":
            most = _DEFAULT_COMPLETION_TOKENS
        tokens = count_tokens(text)
        if most is not None and tokens > most:
            text, finish_reason = cut_to(text, most), "length"
            tokens = count_tokens(text)
        return Completion(
            text=text, finish_reason=finish_reason, usage=Usage(asked.prompt_tokens, tokens)
        )


def _fault_for(error: DialogsmithError) -> FaultSpec:
    wait_s = error.retry_after_s if isinstance(error, RateLimited | ServerFault) else None
    for kind, plain, waiting in _FAULT_OF_KIND:
        if type(error) is SCRIPT_FAULTS[kind]:
            fault = FAULTS[plain if wait_s is None else waiting]
            return FaultSpec(fault, fault.default if wait_s is None else wait_s)
    raise error


async def _at_once(_: float) -> None:
    """The server waits before it sends, not while it looks up the answer."""
